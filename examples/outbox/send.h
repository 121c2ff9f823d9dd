/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_SEND_H
#define OUTBOX_SEND_H

#include <curl/curl.h>

#include "job.h"

/* Sets host to the job->host of that URL: the name in lower case, and the port if it is not the
   usual one. False: the URL is neither http nor https, or its host is too long. */
bool send_host_of(const char *url, char host[256]);

/* A handle for attempts, which keeps connections between them. NULL: out of memory. */
CURL *send_open(void);

/* Sets job->answer. The outcome's code is the HTTP status or, below 200, a CURLcode:
   CURLE_ABORTED_BY_CALLBACK if env->cancelled ended the attempt. */
struct redial_outcome send_job(CURL *curl, struct job *job, uint32_t timeout_ms,
                               const struct redial_env *env);

/* A policy's `retryable`: what a receiver may answer differently after a while. */
bool send_retryable(const void *user, int status);

#endif
