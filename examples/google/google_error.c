/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth a retry. There are
   two formats, and an answer may have both:

       {"error": {"code": 403, "message": "...", "errors": [{"reason": "userRateLimitExceeded", ...}]}}
       {"error": {"code": 429, "message": "...", "status": "RESOURCE_EXHAUSTED", "details": [
           {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
            "metadata": {"quota_limit": "ReadRequestsPerDayPerProject", "quota_unit": "1/d/{project}", ...}},
           {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}]}}

   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "google_error.h"

const char *google_text(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

void google_error_say(struct google_error *error, const char *message)
{
    memset(error, 0, sizeof *error);
    snprintf(error->message, sizeof error->message, "%s", message);
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
        snprintf(error->reason, sizeof error->reason, "%s", reason);
    error->daily |= strstr(reason, "dailyLimitExceeded") != NULL;   /* or dailyLimitExceededUnreg */
}

/* The quotas that these report are those of a day, unless they name a shorter period. */
static bool is_daily(const cJSON *violation)
{
    static const char *const shorter[] = { "er minute", "er second", "er hour", "erMinute", "erSecond", "erHour" };
    unsigned i;
    for (i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (strstr(google_text(violation, "description"), shorter[i])
            || strstr(google_text(violation, "quotaId"), shorter[i]))
            return false;
    return true;
}

static void read_detail(struct google_error *error, const cJSON *detail)
{
    if (is_type(detail, "google.rpc.ErrorInfo")) {
        const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(detail, "metadata");
        const char *limit = google_text(metadata, "quota_limit");
        read_reason(error, detail);
        snprintf(error->limit, sizeof error->limit, "%s", limit);
        error->daily |= strstr(limit, "PerDay") || strncmp(google_text(metadata, "quota_unit"), "1/d", 3) == 0;
    }
    if (is_type(detail, "google.rpc.QuotaFailure")) {
        const cJSON *violation;
        cJSON_ArrayForEach(violation, cJSON_GetObjectItemCaseSensitive(detail, "violations"))
            error->daily |= is_daily(violation);
    }
    if (is_type(detail, "google.rpc.RetryInfo"))
        error->retry_after_ms = duration_ms(google_text(detail, "retryDelay"));
}

const cJSON *google_error_in(const cJSON *answer)
{
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
    return cJSON_IsNull(error) ? NULL : error;
}

void google_error_read(struct google_error *error, const cJSON *json)
{
    const cJSON *detail;
    google_error_say(error, google_text(json, "message"));
    snprintf(error->status, sizeof error->status, "%s", google_text(json, "status"));
    read_reason(error, cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "errors"), 0));
    cJSON_ArrayForEach(detail, cJSON_GetObjectItemCaseSensitive(json, "details"))
        read_detail(error, detail);
    /* Bid Manager documents only a code, a message and a status: "... and limit 'Queries per day' of service ..." */
    error->daily |= strstr(google_text(json, "message"), " per day") != NULL;
}

/* ---- judging ---- */

static bool too_fast(const char *reason)
{
    return strcmp(reason, "userRateLimitExceeded") == 0 || strcmp(reason, "rateLimitExceeded") == 0
           || strcmp(reason, "RATE_LIMIT_EXCEEDED") == 0;
}

struct redial_outcome google_error_judge(const struct google_error *error, struct redial_outcome outcome)
{
    if (outcome.retry_after_ms < error->retry_after_ms)
        outcome.retry_after_ms = error->retry_after_ms;
    if (outcome.code < 500 && error->daily)   /* until midnight, Pacific time */
        return redial_fail(outcome.code);
    if (outcome.code == 403 && too_fast(error->reason))
        return redial_retry(403, outcome.retry_after_ms);
    return outcome;   /* the status decides: 429 and 5xx are retried */
}
