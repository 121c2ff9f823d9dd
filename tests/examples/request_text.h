/* Reads the text of an HTTP request. SPDX-License-Identifier: MIT */
#ifndef REQUEST_TEXT_H
#define REQUEST_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL: the header is not whole yet. */
static inline const char *body_of(const char *request)
{
    const char *end = strstr(request, "\r\n\r\n");
    return end ? end + 4 : NULL;
}

/* The value of a header; "" where there is none of this name. */
static inline void header_of(const char *request, const char *name, char value[64])
{
    char line[80];
    const char *at;
    snprintf(line, sizeof line, "\r\n%s: ", name);
    at = strstr(request, line);
    value[0] = '\0';
    if (at)
        snprintf(value, 64, "%.*s", (int)strcspn(at + strlen(line), "\r\n"), at + strlen(line));
}

/* With its body. 0: not known yet. */
static inline size_t length_of(const char *request)
{
    const char *body = body_of(request);
    char length[64];
    header_of(request, "Content-Length", length);
    return body ? (size_t)(body - request) + strtoul(length, NULL, 10) : 0;
}

#endif
