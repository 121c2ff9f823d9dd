# The clients of Redis, with a real server. Another one: -DREDIAL_REDIS=/usr/bin/valkey-server.
# SPDX-License-Identifier: MIT

# Debian's redis-tools has it by another name, and does not start it as redis-server would.
find_program(REDIAL_REDIS NAMES redis-server redis-check-rdb)
if(NOT TARGET redis_call OR NOT TARGET redis_gate)
  return()
elseif(NOT REDIAL_REDIS)
  message(STATUS "Left out: the tests of redis_call and redis_gate (they need redis-server: "
                 "Debian's redis-tools)")
  return()
endif()
set(redis_server ${CMAKE_CURRENT_BINARY_DIR}/redis-server)
file(CREATE_LINK ${REDIAL_REDIS} ${redis_server} SYMBOLIC)

function(redial_redis_test name)   # SOURCE...
  redial_test(${name} redial_test_server ${REDIAL_HIREDIS_LIBRARY})
  redial_test_runs(${name} 120 PROGRAM=${name})
  target_sources(test_${name} PRIVATE ${examples}/redis/redis_error.c ${ARGN})
  target_include_directories(test_${name} SYSTEM PRIVATE ${REDIAL_HIREDIS_INCLUDE})
  target_compile_definitions(test_${name} PRIVATE SERVER="${redis_server}")
endfunction()

redial_redis_test(redis_call ${examples}/common/interrupt.c)
set(redial_labels examples)
redial_redis_test(redis_gate ${examples}/redis/shared_gate.c)
set(redial_labels quick examples)
# In the test, servers are as far away as test_poll says.
set_source_files_properties(${examples}/redis/shared_gate.c PROPERTIES
  COMPILE_DEFINITIONS "poll=test_poll;recv=test_recv")
