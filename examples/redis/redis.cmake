# The shared gate itself needs sockets alone. The tests link the library for programs with hiredis.
# SPDX-License-Identifier: MIT
find_package(CURL 7.61 QUIET)
if(CURL_FOUND)
  redial_example(redis redis_gate redis/shared_gate.c redis/redis_error.c common/interrupt.c
    common/demo_server.c)
  target_link_libraries(redis_gate PRIVATE CURL::libcurl Threads::Threads)
else()
  message(STATUS "Left out: examples/redis/redis_gate (it needs libcurl 7.61: Debian's "
                 "libcurl4-openssl-dev)")
endif()

find_path(REDIAL_HIREDIS_INCLUDE hiredis/hiredis.h)
find_library(REDIAL_HIREDIS_LIBRARY hiredis)
if(REDIAL_HIREDIS_INCLUDE AND REDIAL_HIREDIS_LIBRARY)
  add_library(redis_client STATIC redis/redis_call.c redis/redis_error.c)
  target_include_directories(redis_client SYSTEM PUBLIC ${REDIAL_HIREDIS_INCLUDE})
  target_link_libraries(redis_client
    PUBLIC redial ${REDIAL_HIREDIS_LIBRARY} PRIVATE redial_warnings)
  set_target_properties(redis_client PROPERTIES C_STANDARD 11)
  redial_example(redis redis_command common/interrupt.c)
  target_link_libraries(redis_command PRIVATE redis_client)
else()
  message(STATUS "Left out: examples/redis/redis_command (it needs hiredis: Debian's libhiredis-dev)")
endif()
