# The client of Google's APIs as a library, which its test links, too; and the program.
# SPDX-License-Identifier: MIT
find_path(REDIAL_CJSON_INCLUDE cjson/cJSON.h)
find_library(REDIAL_CJSON_LIBRARY cjson)
if(CURL_FOUND AND REDIAL_CJSON_INCLUDE AND REDIAL_CJSON_LIBRARY)
  add_library(google_client STATIC google/bid_manager.c google/google_api.c google/google_error.c
              google/memorystore.c)
  target_include_directories(google_client SYSTEM PUBLIC ${REDIAL_CJSON_INCLUDE})
  target_link_libraries(google_client PUBLIC redial CURL::libcurl ${REDIAL_CJSON_LIBRARY}
                        PRIVATE redial_warnings)
  set_target_properties(google_client PROPERTIES C_STANDARD 11)
  redial_example(google google common/interrupt.c)
  target_link_libraries(google PRIVATE google_client)
else()
  message(STATUS "Left out: examples/google (it needs libcurl 7.61 and cJSON: Debian's "
                 "libcurl4-openssl-dev and libcjson-dev)")
endif()
