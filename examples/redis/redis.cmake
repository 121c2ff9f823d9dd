# The gate needs sockets alone. The library for programs with hiredis, which the tests link, too.
# SPDX-License-Identifier: MIT
redial_example(redis redis_gate redis/shared_gate.c redis/redis_error.c ${http_client}
  common/interrupt.c common/demo_server.c)
target_link_libraries(redis_gate PRIVATE Threads::Threads)

find_path(REDIAL_HIREDIS_INCLUDE hiredis/hiredis.h)
find_library(REDIAL_HIREDIS_LIBRARY hiredis)
if(REDIAL_HIREDIS_INCLUDE AND REDIAL_HIREDIS_LIBRARY)
  add_library(redis_client STATIC redis/redis_call.c redis/redis_error.c)
  target_include_directories(redis_client SYSTEM PUBLIC ${REDIAL_HIREDIS_INCLUDE})
  target_link_libraries(redis_client
    PUBLIC redial ${REDIAL_HIREDIS_LIBRARY} PRIVATE redial_warnings)
  set_target_properties(redis_client PROPERTIES C_STANDARD 11)
else()
  message(STATUS "Left out: examples/redis/redis_call (it needs hiredis: Debian's libhiredis-dev)")
endif()
