/* A name server that hangs, for the tests of programs with libcurl: in a program with
   hung_resolver.c, libcurl gets no answer for a name in 20 s. It asks about no address.
   SPDX-License-Identifier: MIT */
#ifndef HUNG_RESOLVER_H
#define HUNG_RESOLVER_H

#include <curl/curl.h>
#include <stdbool.h>

/* False: libcurl asks by itself, or the linker leads it to the system's function. */
static inline bool resolver_can_hang(void)
{
#ifdef __APPLE__
    return false;
#else
    return !curl_version_info(CURLVERSION_NOW)->ares;
#endif
}

#endif
