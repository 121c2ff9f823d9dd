# The client of Google's APIs, against a server that the tests start.
# SPDX-License-Identifier: MIT
if(TARGET google)
  redial_test(google google_client redial_test_server Threads::Threads)
  set_tests_properties(google PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 60)
  add_executable(google_quick ${examples}/google/google.c ${examples}/common/interrupt.c
                 ../common/quick_system.c)
  target_link_libraries(google_quick PRIVATE google_client redial_warnings)
  set_target_properties(google_quick PROPERTIES C_STANDARD 11)
  set_source_files_properties(${examples}/google/google.c PROPERTIES
                              COMPILE_DEFINITIONS redial_system=quick_system)
  target_compile_definitions(test_google PRIVATE PROGRAM="$<TARGET_FILE:google>"
                             QUICK_PROGRAM="$<TARGET_FILE:google_quick>")
  add_dependencies(test_google google google_quick)
endif()
