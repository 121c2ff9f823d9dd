# The tests of the outbox: the program with a store, and workers that are killed.

# test_NAME STORE is a test by the name NAME_STORE, for each store that the program has.
function(outbox_test name)
  set(stores sqlite)
  list(TRANSFORM sources PREPEND ${examples}/outbox/)
  add_executable(test_${name} test_${name}.c ${sources})
  target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_CMOCKA_INCLUDE} ${REDIAL_SQLITE_INCLUDE})
  target_link_libraries(test_${name} PRIVATE redial redial_warnings redial_test_server CURL::libcurl
                        ${REDIAL_CMOCKA_LIBRARY} ${REDIAL_SQLITE_LIBRARY})
  target_compile_definitions(test_${name} PRIVATE PROGRAM="$<TARGET_FILE:outbox>")
  set_target_properties(test_${name} PROPERTIES C_STANDARD 11)
  add_dependencies(test_${name} outbox)
  if(REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
    list(APPEND stores postgresql)
    target_sources(test_${name} PRIVATE ${examples}/outbox/db_postgresql.c)
    target_compile_definitions(test_${name} PRIVATE OUTBOX_POSTGRESQL POSTGRESQL="${postgresql}")
    target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_PQ_INCLUDE})
    target_link_libraries(test_${name} PRIVATE ${REDIAL_PQ_LIBRARY})
  endif()
  foreach(store ${stores})
    add_test(NAME ${name}_${store} COMMAND test_${name} ${store})
    set_tests_properties(${name}_${store} PROPERTIES LABELS examples TIMEOUT 120 SKIP_RETURN_CODE 77
                         FIXTURES_REQUIRED loopback)
  endforeach()
  if(TEST ${name}_postgresql)
    set_tests_properties(${name}_postgresql PROPERTIES FIXTURES_REQUIRED "loopback;postgresql")
  endif()
endfunction()

if(TARGET outbox AND REDIAL_DEVELOPER)
  set(postgresql ${CMAKE_CURRENT_BINARY_DIR}/postgresql)
  if(REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
    add_test(NAME postgresql COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/get-program ${postgresql} postgresql initdb postgres)
    set_tests_properties(postgresql PROPERTIES FIXTURES_SETUP postgresql SKIP_RETURN_CODE 77 TIMEOUT 900
                         LABELS examples)
  endif()
  find_package(CURL 7.87 REQUIRED)   # a target of its folder alone
  set(sources worker.c send.c store.c job.c db.c db_sqlite.c)
  outbox_test(outbox)
  outbox_test(outbox_kill)
endif()
