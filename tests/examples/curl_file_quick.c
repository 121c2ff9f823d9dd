/* curl_file for its test: waits are over at once, as quick_system.h says. The environment may have
   one of these. SPDX-License-Identifier: MIT

   HURRY        30 s for a connection are one second, and so is a minute of silence
   KEEP         an error keeps the connection
   TERMINAL     stderr is one
   BAD_DISK     fsync fails
   READ         another process changes the file "in", after a part of it was read
   GROWS, SECOND, NANOSECOND      the same after the answer of the server: only its size, or only
                its time, by so much */
#define _FILE_OFFSET_BITS 64
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/quick_system.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

static long odd_value(CURLoption option, long value)
{
    if (option == CURLOPT_FAILONERROR && getenv("KEEP"))
        return 0;
    if (option == CURLOPT_LOW_SPEED_LIMIT && getenv("HURRY"))   /* for an average of some seconds */
        return value * 1000;
    return (option == CURLOPT_CONNECTTIMEOUT || option == CURLOPT_LOW_SPEED_TIME) && getenv("HURRY")
               ? 1 : value;
}

static void change(const char *trouble, off_t size, time_t seconds, long nanoseconds)
{
    struct stat in;
    if (getenv(trouble) && stat("in", &in) == 0) {
        struct timespec times[2] = { in.st_mtim, in.st_mtim };
        times[1].tv_sec += seconds;
        times[1].tv_nsec ^= nanoseconds;
        if (truncate("in", in.st_size + size) != 0 || utimensat(AT_FDCWD, "in", times, 0) != 0)
            abort();
    }
}

static CURLcode odd_perform(CURL *curl)
{
    CURLcode result;
    /* The server of the tests never answers "100 Continue". */
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    result = curl_easy_perform(curl);
    change("GROWS", 1, 0, 0);
    change("SECOND", 0, 1, 0);
    change("NANOSECOND", 0, 0, 1);
    return result;
}

static size_t odd_fread(void *data, size_t size, size_t count, FILE *file)
{
    size_t length = fread(data, size, count, file);
    change("READ", 0, 1, 0);
    return length;
}

#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) curl_easy_setopt(curl, option, \
    _Generic((value), long: odd_value(option, (long)(intptr_t)(value)), default: (value)))
#define curl_easy_perform odd_perform
#define redial_system quick_system
#define fread odd_fread
#define fsync(fd) (getenv("BAD_DISK") ? (errno = EIO, -1) : fsync(fd))
#define isatty(fd) (getenv("TERMINAL") != NULL)
#include "../../examples/curl/curl_file.c"
