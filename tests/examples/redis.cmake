# The clients of Redis: which replies are retried, and tests with a real server, which get-program
# finds or unpacks.
# SPDX-License-Identifier: MIT
set(redis_error ${examples}/redis/redis_error.c)
redial_test(redis_error)
target_sources(test_redis_error PRIVATE ${redis_error})

function(redial_redis_test name)   # SOURCE...
  redial_test(${name} redial_test_server ${REDIAL_HIREDIS_LIBRARY})
  redial_test_runs(${name} 120 PROGRAM=${name})
  target_sources(test_${name} PRIVATE ${redis_error} ${ARGN})
  target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_HIREDIS_INCLUDE})
  target_compile_definitions(test_${name} PRIVATE SERVER="${redis}/redis-server")
  set_tests_properties(${name} PROPERTIES
    FIXTURES_REQUIRED "loopback;redis" SKIP_RETURN_CODE 77)
endfunction()

if(TARGET redis_call AND REDIAL_DEVELOPER)
  set(redial_labels examples)
  set(redis ${CMAKE_CURRENT_BINARY_DIR}/redis)
  add_test(NAME redis
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/get-program ${redis} redis-server redis-server)
  set_tests_properties(redis PROPERTIES
    FIXTURES_SETUP redis SKIP_RETURN_CODE 77 TIMEOUT 900 LABELS examples)
  redial_redis_test(redis_call ${examples}/common/interrupt.c)
  if(TARGET redis_gate)
    # In the test, servers are as far away as test_poll says.
    redial_redis_test(redis_gate ${examples}/redis/shared_gate.c)
    set_source_files_properties(${examples}/redis/shared_gate.c PROPERTIES
      COMPILE_DEFINITIONS "poll=test_poll;recv=test_recv")
    find_program(REDIAL_VALKEY valkey-server)
    if(REDIAL_VALKEY)
      add_test(NAME redis_gate_with_valkey COMMAND test_redis_gate)
      set_tests_properties(redis_gate_with_valkey PROPERTIES
        FIXTURES_REQUIRED loopback SKIP_RETURN_CODE 77 TIMEOUT 120 LABELS examples
        ENVIRONMENT "REDIAL_REDIS_SERVER=${REDIAL_VALKEY}")
    endif()
  endif()
  set(redial_labels quick examples)
endif()
