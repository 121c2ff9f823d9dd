# The shared gate itself needs sockets alone. SPDX-License-Identifier: MIT
if(CURL_FOUND)
  redial_example(redis redis_gate redis/shared_gate.c redis/redis_error.c common/interrupt.c
    common/demo_server.c)
  target_link_libraries(redis_gate PRIVATE CURL::libcurl Threads::Threads)
endif()

find_path(REDIAL_HIREDIS_INCLUDE hiredis/hiredis.h)
find_library(REDIAL_HIREDIS_LIBRARY hiredis)
if(REDIAL_HIREDIS_INCLUDE AND REDIAL_HIREDIS_LIBRARY)
  redial_example(redis redis_call redis/redis_error.c common/interrupt.c)
  target_include_directories(redis_call SYSTEM PRIVATE ${REDIAL_HIREDIS_INCLUDE})
  target_link_libraries(redis_call PRIVATE ${REDIAL_HIREDIS_LIBRARY})
else()
  message(STATUS "Left out: examples/redis/redis_call (it needs hiredis: Debian's libhiredis-dev)")
endif()
