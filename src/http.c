/* HTTP: which statuses and methods may be retried. SPDX-License-Identifier: MIT */
#include "redial.h"

bool redial_http_retryable(int status)
{
    return status == 429 || (status >= 500 && status <= 599);
}

static bool redial_same_(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool redial_http_idempotent(const char *method)
{
    /* At most 7 letters: a longer method needs longer rows. */
    static const char methods[][8] = {
        "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"
    };
    unsigned i;
    if (!method)
        return false;
    for (i = 0; i < sizeof methods / sizeof *methods; i++)
        if (redial_same_(methods[i], method))
            return true;
    return false;
}

/* What a status comes to, from the highest down: from this one on, for a request that is safe to
   repeat, and for another one. */
static const struct redial_status_ {
    short from;
    unsigned char safe, unsafe;
} redial_statuses_[] = {
    { 600, REDIAL_KIND_FAIL, REDIAL_KIND_UNSURE },
    { 500, REDIAL_KIND_RETRY, REDIAL_KIND_UNSURE },
    { 430, REDIAL_KIND_FAIL, REDIAL_KIND_FAIL },
    { 429, REDIAL_KIND_RETRY, REDIAL_KIND_RETRY }, /* it was not done */
    { 400, REDIAL_KIND_FAIL, REDIAL_KIND_FAIL },
    { 309, REDIAL_KIND_DONE, REDIAL_KIND_DONE },
    { 307, REDIAL_KIND_FAIL, REDIAL_KIND_FAIL },
    { 304, REDIAL_KIND_DONE, REDIAL_KIND_DONE },
    { 301, REDIAL_KIND_FAIL, REDIAL_KIND_UNSURE }, /* the usual answer to a POST that was done */
    { 200, REDIAL_KIND_DONE, REDIAL_KIND_DONE },
    { 102, REDIAL_KIND_RETRY, REDIAL_KIND_UNSURE }, /* interim: the answer did not come */
    { 101, REDIAL_KIND_DONE, REDIAL_KIND_DONE },
    { 0, REDIAL_KIND_RETRY, REDIAL_KIND_UNSURE } /* and below */
};

struct redial_outcome redial_http(int status, uint32_t retry_after_ms, const char *method)
{
    const struct redial_status_ *row = redial_statuses_;
    struct redial_outcome outcome = { REDIAL_KIND_INVALID, status, retry_after_ms, 0 };
    while (status < row->from && row->from > 0)
        row++;
    outcome.kind = (enum redial_kind)(redial_http_idempotent(method) ? row->safe : row->unsafe);
    return outcome;
}
