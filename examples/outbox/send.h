/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_SEND_H
#define OUTBOX_SEND_H

#include "job.h"
#include "redial_curl.h"

struct sender {
    CURL *curl;
    CURLM *multi;   /* keeps connections between attempts */
};

/* Sets host to the job->host of that URL: the name in lower case, and the port if it is not the usual one. False: the
   URL is neither http nor https, or its host is too long. */
bool send_host_of(const char *url, char host[256]);

/* False: out of memory. Close it in both cases. */
bool send_open(struct sender *sender);
void send_close(struct sender *sender);

/* Sets job->answer. The outcome's code is the HTTP status or, below 200, a CURLcode: CURLE_ABORTED_BY_CALLBACK if
   env->cancelled ended the attempt. */
struct redial_outcome send_job(struct sender *sender, struct job *job, const struct redial_attempt *attempt);

/* A policy's `retryable`: what a receiver may answer differently after a while. */
bool send_retryable(const void *user, int status);

#endif
