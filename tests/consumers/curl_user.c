/* A user of redial_curl.h, in C and in C++, perhaps with libcurl's names of version 7.61 alone.
   SPDX-License-Identifier: MIT */
#include <curl/curl.h>

#ifdef OLD
#undef LIBCURL_VERSION_NUM
#define LIBCURL_VERSION_NUM 0x073d00
#endif
#include <redial_curl.h>

struct redial_outcome get(CURL *curl, CURLcode result);

struct redial_outcome get(CURL *curl, CURLcode result)
{
    return result ? redial_curl(curl, result, "GET") : redial_curl_perform(curl, 9000, "GET");
}
