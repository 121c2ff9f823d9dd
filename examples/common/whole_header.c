/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "whole_header.h"

/* Each answer of a transfer begins with a line of its own: interim ones, redirects, the last. An
   empty line ends a header; trailers, which come after it, have none. */
size_t whole_header_line(char *line, size_t size, size_t count, void *user)
{
    bool *whole = user;
    size_t length = size * count;
    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0)
        *whole = false;
    else if (length > 0 && length <= 2 && line[length - 1] == '\n')
        *whole = true;
    return length;
}

CURLcode whole_header_check(bool *whole, CURL *curl, CURLcode result)
{
    bool was_whole = *whole;
    long status = 0;
    *whole = false;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return result == CURLE_OK && (!was_whole || status < 200) ? CURLE_PARTIAL_FILE : result;
}
