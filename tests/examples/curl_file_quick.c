/* curl_file for its test: waits are over at once, as quick_system.h says. The environment may have
   one of these. SPDX-License-Identifier: MIT

   HURRY        30 s for a connection are 90 ms, and a minute of silence is a second
   KEEP         an error keeps the connection
   BAD_DISK     fsync fails
   READ         another process changes the file "in", after a part of it was read
   GROWS, SECOND, NANOSECOND      the same after the answer of the server: only its size, or only
                its time, by so much */
#define _FILE_OFFSET_BITS 64
#include <curl/curl.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/quick_system.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* Some limits of time are numbers of seconds, which a test can't wait for. */
static CURLcode set_long(CURL *curl, CURLoption option, long value)
{
    bool hurry = getenv("HURRY") != NULL;
    if (hurry && option == CURLOPT_CONNECTTIMEOUT)
        return curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, value * 3);
    if (hurry && option == CURLOPT_LOW_SPEED_TIME)
        return curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, value / 60);
    if (hurry && option == CURLOPT_LOW_SPEED_LIMIT)   /* it is the average of some seconds */
        return curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, value * 1000);
    if (option == CURLOPT_FAILONERROR && getenv("KEEP"))
        return CURLE_OK;
    return curl_easy_setopt(curl, option, value);
}

static CURLcode quick_setopt(CURL *curl, CURLoption option, ...)
{
    CURLcode result;
    va_list values;
    va_start(values, option);
    if (option >= CURLOPTTYPE_OFF_T)
        result = curl_easy_setopt(curl, option, va_arg(values, curl_off_t));
    else if (option >= CURLOPTTYPE_OBJECTPOINT)
        result = curl_easy_setopt(curl, option, va_arg(values, void *));
    else
        result = set_long(curl, option, va_arg(values, long));
    va_end(values);
    return result;
}

static void change(bool grows, bool second, bool nanosecond)
{
    struct stat in;
    if (stat("in", &in) == 0 && (grows || second || nanosecond)) {
        struct timespec times[2] = { in.st_mtim, in.st_mtim };
        times[1].tv_sec += second;
        times[1].tv_nsec ^= nanosecond;
        if (truncate("in", in.st_size + grows) != 0 || utimensat(AT_FDCWD, "in", times, 0) != 0)
            abort();
    }
}

static CURLcode quick_perform(CURL *curl)
{
    CURLcode result;
    /* The server of the tests never answers "100 Continue". */
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    result = curl_easy_perform(curl);
    change(getenv("GROWS") != NULL, getenv("SECOND") != NULL, getenv("NANOSECOND") != NULL);
    return result;
}

static size_t quick_fread(void *data, size_t size, size_t count, FILE *file)
{
    size_t length = fread(data, size, count, file);
    change(false, getenv("READ") != NULL, false);
    return length;
}

#undef curl_easy_setopt
#define curl_easy_setopt quick_setopt
#define curl_easy_perform quick_perform
#define redial_system quick_system
#define fread quick_fread
#define fsync(fd) (getenv("BAD_DISK") ? (errno = EIO, -1) : fsync(fd))
#include "../../examples/curl/curl_file.c"
