/* For the test of curl_file, with quick_system.c: what no server can do. Compile the program with
   -Dredial_run=quick_run -Dcurl_easy_perform=quick_perform -Dfsync=quick_fsync -Dflock=quick_flock.
   The test sets the variables of the environment. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <curl/curl.h>

#include "redial.h"

enum redial_verdict quick_run(const struct redial_policy *policy, const struct redial_env *env,
                              redial_operation *operation, void *user,
                              struct redial_report *report);
CURLcode quick_perform(CURL *curl);
int quick_fsync(int fd);
int quick_flock(int fd, int operation);

/* ATTEMPT_MS: the time of an attempt, against a server that hangs. */
enum redial_verdict quick_run(const struct redial_policy *policy, const struct redial_env *env,
                              redial_operation *operation, void *user,
                              struct redial_report *report)
{
    struct redial_policy limited = *policy;
    const char *ms = getenv("ATTEMPT_MS");
    limited.attempt_ms = ms ? (uint32_t)atoi(ms) : 0;
    return redial_run(&limited, env, operation, user, report);
}

/* RANGE_ERROR: the number of the transfer that ends with it at once. The server of the tests never
   answers "100 Continue", for which libcurl would wait a second. */
CURLcode quick_perform(CURL *curl)
{
    static int transfers;
    const char *number = getenv("RANGE_ERROR");
    transfers++;
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    return number && transfers == atoi(number) ? CURLE_RANGE_ERROR : curl_easy_perform(curl);
}

/* BAD_DISK: it fails. */
int quick_fsync(int fd)
{
    errno = EIO;
    return getenv("BAD_DISK") ? -1 : fsync(fd);
}

/* OTHER_PROCESS: just before, it ends, and a third one begins. */
int quick_flock(int fd, int operation)
{
    if (getenv("OTHER_PROCESS") && rename("out.part", "out") == 0)
        close(creat("out.part", 0600));
    return flock(fd, operation);
}
