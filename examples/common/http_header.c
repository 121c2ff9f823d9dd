/* Implements http_header.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "http_header.h"

/* 0: this is not HTTP/1. */
static int status_of(const char *header)
{
    int status = 0;
    sscanf(header, "HTTP/1.%*1[0-9] %3d", &status);
    return status >= 100 ? status : 0;
}

const char *http_header_whole(const char *text)
{
    const char *end = strstr(text, "\r\n\r\n");
    while (end && status_of(text) > 0 && status_of(text) < 200) {
        text = end + 4;
        end = strstr(text, "\r\n\r\n");
    }
    return end ? text : NULL;
}

const char *http_header_field(const char *header, const char *name, char value[64])
{
    size_t length = strlen(name);
    const char *line = strstr(header, "\r\n");
    value[0] = '\0';
    for (; line && line[2] != '\r' && !value[0]; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':')
            snprintf(value, 64, "%.*s", (int)strcspn(line + 3 + length, "\r"), line + 3 + length);
    return value;
}

struct redial_outcome http_header_outcome(const char *header)
{
    char retry_after[64], date[64];
    if (status_of(header) == 0)
        return redial_fail(-EPROTO);
    return redial_http(status_of(header),
                       redial_retry_after_ms(http_header_field(header, "Retry-After", retry_after),
                                             http_header_field(header, "Date", date)),
                       "GET");
}
