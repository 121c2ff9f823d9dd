/* A name server that hangs, for the tests of programs with libcurl: in a program with
   hung_resolver.c, libcurl gets no answer for a name in 20 s. It asks about no address.
   SPDX-License-Identifier: MIT */
#ifndef HUNG_RESOLVER_H
#define HUNG_RESOLVER_H

#include <curl/curl.h>
#include <stdbool.h>

/* False: c-ares asks; 8.20 or later, where Ctrl-C has no effect meanwhile; macOS, by its linker. */
static inline bool resolver_can_hang(void)
{
#ifdef __APPLE__
    return false;
#else
    return !curl_version_info(CURLVERSION_NOW)->ares && LIBCURL_VERSION_NUM < 0x081400;
#endif
}

#endif
