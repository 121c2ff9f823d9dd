# The clients of Redis. SPDX-License-Identifier: MIT
if(NOT TARGET redis_call)
  return()
endif()
redial_test(redis_call redial_test_server ${REDIAL_HIREDIS_LIBRARY})
redial_test_runs(redis_call 120 PROGRAM=redis_call)
target_sources(test_redis_call PRIVATE ${examples}/redis/redis_error.c
               ${examples}/common/interrupt.c)
target_include_directories(test_redis_call SYSTEM PRIVATE ${REDIAL_HIREDIS_INCLUDE})

# With a real server. Another one: -DREDIAL_REDIS=/usr/bin/valkey-server. Debian's redis-tools has
# it by another name, and does not start it as redis-server would.
find_program(REDIAL_REDIS NAMES redis-server redis-check-rdb)
if(NOT TARGET redis_gate)
  return()
elseif(NOT REDIAL_REDIS)
  message(STATUS "Left out: the test of redis_gate (it needs redis-server: Debian's redis-tools)")
  return()
endif()
set(redis_server ${CMAKE_CURRENT_BINARY_DIR}/redis-server)
file(CREATE_LINK ${REDIAL_REDIS} ${redis_server} SYMBOLIC)
set(redial_labels examples)
redial_test(redis_gate redial_test_server ${REDIAL_HIREDIS_LIBRARY})
set(redial_labels quick examples)
redial_test_runs(redis_gate 120 GATE_PROGRAM=redis_gate CALL_PROGRAM=redis_call)
target_sources(test_redis_gate PRIVATE ${examples}/redis/redis_error.c
               ${examples}/redis/shared_gate.c)
target_include_directories(test_redis_gate SYSTEM PRIVATE ${REDIAL_HIREDIS_INCLUDE})
target_compile_definitions(test_redis_gate PRIVATE SERVER="${redis_server}")
# In the test, servers are as far away as test_poll says.
set_source_files_properties(${examples}/redis/shared_gate.c PROPERTIES
  COMPILE_DEFINITIONS "poll=test_poll;recv=test_recv")
