# The tests of the outbox: with a file of SQLite, and as NAME_postgresql with a PostgreSQL of its
# own. Each test program is also the worker that it starts.
function(outbox_test name program)
  add_executable(test_${program}${name} test_outbox${name}.c)
  target_include_directories(test_${program}${name} SYSTEM PRIVATE ${REDIAL_CMOCKA_INCLUDE})
  target_link_libraries(test_${program}${name} PRIVATE ${program}_worker redial_test_server
                        redial_warnings ${REDIAL_CMOCKA_LIBRARY})
  target_compile_definitions(test_${program}${name} PRIVATE PROGRAM="$<TARGET_FILE:${program}>"
                             SELF="$<TARGET_FILE:test_${program}${name}>")
  set_target_properties(test_${program}${name} PROPERTIES C_STANDARD 11)
  add_dependencies(test_${program}${name} ${program})
  add_test(NAME ${program}${name} COMMAND ${ARGN} $<TARGET_FILE:test_${program}${name}>)
  set_tests_properties(${program}${name} PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 120
                       LABELS examples)
endfunction()

if(TARGET outbox AND REDIAL_DEVELOPER)
  outbox_test("" outbox)
  outbox_test(_kill outbox)
endif()

if(TARGET outbox_postgresql AND REDIAL_DEVELOPER)
  set(postgresql ${CMAKE_CURRENT_BINARY_DIR}/postgresql)
  add_test(NAME postgresql COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/get-program ${postgresql} postgresql
           initdb postgres)
  set_tests_properties(postgresql PROPERTIES FIXTURES_SETUP postgresql SKIP_RETURN_CODE 77
                       TIMEOUT 900 LABELS examples)
  foreach(name "" _kill)
    outbox_test("${name}" outbox_postgresql ${CMAKE_CURRENT_SOURCE_DIR}/with-postgresql
                ${postgresql})
    set_tests_properties(outbox_postgresql${name} PROPERTIES SKIP_RETURN_CODE 77
                         FIXTURES_REQUIRED "loopback;postgresql")
  endforeach()
endif()
