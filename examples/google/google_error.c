/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth a retry. There are
   two formats, and an answer may have both:

       {"error": {"code": 403, "message": "...", "errors": [{"reason": "userRateLimitExceeded", ...}]}}
       {"error": {"code": 429, "message": "...", "status": "RESOURCE_EXHAUSTED", "details": [
           {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
            "metadata": {"quota_limit": "ReadRequestsPerDayPerProject", "quota_unit": "1/d/{project}", ...}},
           {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}]}}

   SPDX-License-Identifier: MIT */
#include <string.h>

#include "google_error.h"

/* ---- texts ---- */

const char *google_text(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* Cuts text that does not fit, between two UTF-8 characters. Control characters become blanks. */
static void copy(char *to, size_t size, const char *from)
{
    size_t i, length = strlen(from);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
            length--;
    }
    for (i = 0; i < length; i++)
        to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? ' ' : from[i];
    to[length] = '\0';
}

void google_error_say(struct google_error *error, const char *message)
{
    memset(error, 0, sizeof *error);
    copy(error->message, sizeof error->message, message);
}

/* ---- reading ---- */

static bool is_type(const cJSON *detail, const char *type)
{
    const char *full = google_text(detail, "@type"), *last = strrchr(full, '/');
    return strcmp(last ? last + 1 : full, type) == 0;
}

/* "30s", "3.5s": a Retry-After in seconds, with a unit. */
static uint32_t duration_ms(const char *text)
{
    uint32_t ms = 0;
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == 's')
        redial_parse_retry_after(text, length - 1, 0, &ms);
    return ms;
}

static void read_reason(struct google_error *error, const cJSON *holder)
{
    const char *reason = google_text(holder, "reason");
    if (reason[0])
        copy(error->reason, sizeof error->reason, reason);
    error->daily |= strcmp(reason, "dailyLimitExceeded") == 0;
}

static void read_detail(struct google_error *error, const cJSON *detail)
{
    if (is_type(detail, "google.rpc.ErrorInfo")) {
        const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(detail, "metadata");
        const char *limit = google_text(metadata, "quota_limit");
        read_reason(error, detail);
        copy(error->limit, sizeof error->limit, limit);
        error->daily |= strstr(limit, "PerDay") || strncmp(google_text(metadata, "quota_unit"), "1/d", 3) == 0;
    }
    if (is_type(detail, "google.rpc.RetryInfo"))
        error->retry_after_ms = duration_ms(google_text(detail, "retryDelay"));
}

void google_error_of(struct google_error *error, const cJSON *status)
{
    const cJSON *errors = cJSON_GetObjectItemCaseSensitive(status, "errors");
    const cJSON *detail;
    memset(error, 0, sizeof *error);
    copy(error->status, sizeof error->status, google_text(status, "status"));
    copy(error->message, sizeof error->message, google_text(status, "message"));
    read_reason(error, cJSON_GetArrayItem(errors, 0));
    cJSON_ArrayForEach(detail, cJSON_GetObjectItemCaseSensitive(status, "details"))
        read_detail(error, detail);
    /* Bid Manager documents only a code, a message and a status: "... and limit 'Queries per day' of service ..." */
    error->daily |= strstr(google_text(status, "message"), " per day") != NULL;
}

void google_error_read(struct google_error *error, const cJSON *answer)
{
    google_error_of(error, cJSON_GetObjectItemCaseSensitive(answer, "error"));
}

/* ---- judging ---- */

static bool too_fast(const struct google_error *error)
{
    static const char *const reasons[] = { "userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED" };
    unsigned i;
    for (i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(error->reason, reasons[i]) == 0)
            return true;
    return false;
}

struct redial_outcome google_error_judge(const struct google_error *error, struct redial_outcome outcome)
{
    if (outcome.retry_after_ms < error->retry_after_ms)
        outcome.retry_after_ms = error->retry_after_ms;
    if (outcome.code < 500 && error->daily)   /* until midnight, Pacific time */
        return redial_fail(outcome.code);
    if (outcome.code == 403 && too_fast(error))
        return redial_retry_after(403, outcome.retry_after_ms);
    return outcome;   /* the status decides: 429 and 5xx are retried */
}
