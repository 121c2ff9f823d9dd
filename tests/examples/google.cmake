# The client of Google's APIs, against a server that the tests start.
# SPDX-License-Identifier: MIT
if(TARGET google)
  redial_test(google google_client redial_test_server Threads::Threads)
  set_tests_properties(google PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 60)
  target_compile_definitions(test_google PRIVATE PROGRAM="$<TARGET_FILE:google>")
  add_dependencies(test_google google)
endif()
