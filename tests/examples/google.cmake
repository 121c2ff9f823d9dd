# The client of Google's APIs, against a server that the tests start.
if(TARGET google)
  foreach(name google google_program)
    redial_test(${name} google_client redial_test_server Threads::Threads)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 30)
  endforeach()
  target_compile_definitions(test_google_program PRIVATE PROGRAM="$<TARGET_FILE:google>")
  add_dependencies(test_google_program google)
endif()
