/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_SEND_H
#define OUTBOX_SEND_H

#include "../curl/curl_call.h"
#include "job.h"

/* Sets host to the job->host of that URL: the name in lower case, and the port if it is not the usual one. False: the
   URL is neither http nor https, or its host is too long. */
bool send_host_of(const char *url, char host[256]);

/* False: out of memory. Close the call in both cases. */
bool send_open(struct curl_call *call);

/* Sets job->answer. The outcome's code is the HTTP status or, below 100, a CURLcode. */
struct redial_outcome send_job(struct curl_call *call, struct job *job, const struct redial_attempt *attempt);

#endif
