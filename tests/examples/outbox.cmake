# The tests of the outbox: the program with a store, and workers that are killed.

# test_NAME is two tests: NAME, with a file of SQLite, and NAME_postgresql.
function(outbox_test name)
  redial_test(${name} redial_test_server CURL::libcurl ${REDIAL_SQLITE_LIBRARY})
  target_sources(test_${name} PRIVATE ${sources})
  target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_SQLITE_INCLUDE})
  target_compile_definitions(test_${name} PRIVATE PROGRAM="$<TARGET_FILE:outbox>")
  add_dependencies(test_${name} outbox)
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED loopback TIMEOUT 120)
  if(REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
    target_sources(test_${name} PRIVATE ${examples}/outbox/db_postgresql.c)
    target_compile_definitions(test_${name} PRIVATE OUTBOX_POSTGRESQL)
    target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_PQ_INCLUDE})
    target_link_libraries(test_${name} PRIVATE ${REDIAL_PQ_LIBRARY})
    add_test(NAME ${name}_postgresql
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/with-postgresql ${postgresql} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${name}_postgresql PROPERTIES FIXTURES_REQUIRED "loopback;postgresql" SKIP_RETURN_CODE 77
                         TIMEOUT 120 LABELS examples)
  endif()
endfunction()

if(TARGET outbox AND REDIAL_DEVELOPER)
  set(redial_labels examples)
  set(postgresql ${CMAKE_CURRENT_BINARY_DIR}/postgresql)
  if(REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
    add_test(NAME postgresql COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/get-program ${postgresql} postgresql initdb postgres)
    set_tests_properties(postgresql PROPERTIES FIXTURES_SETUP postgresql SKIP_RETURN_CODE 77 TIMEOUT 900
                         LABELS examples)
  endif()
  find_package(CURL 7.87 REQUIRED)   # a target of its folder alone
  set(sources worker.c send.c store.c job.c db.c db_sqlite.c)
  list(TRANSFORM sources PREPEND ${examples}/outbox/)
  outbox_test(outbox)
  outbox_test(outbox_kill)
  set(redial_labels quick examples)
endif()
