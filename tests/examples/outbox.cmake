# The tests of the outbox: the program with a store, and workers that are killed. Each runs with a file of SQLite, and
# as NAME_postgresql with a PostgreSQL of its own.
if(TARGET outbox AND REDIAL_DEVELOPER)
  set(redial_labels examples)
  set(postgresql ${CMAKE_CURRENT_BINARY_DIR}/postgresql)
  if(REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
    add_test(NAME postgresql COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/get-program ${postgresql} postgresql initdb postgres)
    set_tests_properties(postgresql PROPERTIES FIXTURES_SETUP postgresql SKIP_RETURN_CODE 77 TIMEOUT 900
                         LABELS examples)
  endif()
  foreach(name outbox outbox_kill)
    redial_test(${name} outbox_worker redial_test_server)
    target_compile_definitions(test_${name} PRIVATE PROGRAM="$<TARGET_FILE:outbox>")
    add_dependencies(test_${name} outbox)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 120)
    if(TEST postgresql)
      add_test(NAME ${name}_postgresql
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/with-postgresql ${postgresql} $<TARGET_FILE:test_${name}>)
      set_tests_properties(${name}_postgresql PROPERTIES FIXTURES_REQUIRED "loopback;postgresql" SKIP_RETURN_CODE 77
                           TIMEOUT 120 LABELS examples)
    endif()
  endforeach()
  set(redial_labels quick examples)
endif()
