/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth
   a retry. There are two formats, and an answer may have both:

       {"error": {"code": 403, "message": "...", "errors": [{"reason": "userRateLimitExceeded"}]}}
       {"error": {"code": 429, "message": "...", "status": "RESOURCE_EXHAUSTED", "details": [
           {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
            "metadata": {"quota_limit": "ReadRequestsPerDayPerProject",
                         "quota_unit": "1/d/{project}"}},
           {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}]}}

   A quota whose text says that it is one of a day is not waited for. Every other quota is a rate,
   and is retried. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

const cJSON *google_error_in(const cJSON *answer)
{
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
    return cJSON_IsNull(error) ? NULL : error;
}

/* ---- reading ---- */

/* Contains a word, in any case of letters. */
static bool has(const char *text, const char *word)
{
    for (; *text; text++)
        if (strncasecmp(text, word, strlen(word)) == 0)
            return true;
    return false;
}

static bool says_daily(const char *text)
{
    return has(text, "per day") || has(text, "PerDay") || has(text, "daily");
}

static bool says_quota(const char *reason)
{
    return has(reason, "LimitExceeded") || has(reason, "LIMIT_EXCEEDED") || has(reason, "quota");
}

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

/* Where ErrorInfo names the period of the limit, no other text decides whether it is a day. */
struct found {
    bool limit, limit_daily, text_daily;
};

static void read_detail(struct google_error *error, const cJSON *detail, struct found *found)
{
    const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(detail, "metadata"), *violation;
    const char *limit = google_text(metadata, "quota_limit");
    const char *unit = google_text(metadata, "quota_unit");
    if (is_type(detail, "google.rpc.ErrorInfo")) {
        error->quota |= says_quota(google_text(detail, "reason"));
        found->limit |= unit[0] || has(limit, "Day") || has(limit, "Hour") || has(limit, "Minute")
                        || has(limit, "Second");
        found->limit_daily |= says_daily(limit) || strncmp(unit, "1/d", 3) == 0;
    }
    if (is_type(detail, "google.rpc.QuotaFailure")) {
        error->quota = true;
        cJSON_ArrayForEach(violation, cJSON_GetObjectItemCaseSensitive(detail, "violations"))
            found->text_daily |= says_daily(google_text(violation, "description"))
                                 || says_daily(google_text(violation, "quotaId"));
    }
    if (is_type(detail, "google.rpc.RetryInfo"))
        error->retry_after_ms = duration_ms(google_text(detail, "retryDelay"));
}

void google_error_read(struct google_error *error, const cJSON *json)
{
    const cJSON *errors = cJSON_GetObjectItemCaseSensitive(json, "errors"), *detail;
    const char *reason = google_text(cJSON_GetArrayItem(errors, 0), "reason");
    struct found found = { false, false, false };
    google_error_say(error, google_text(json, "message"));
    error->quota = says_quota(reason)
                   || strcmp(google_text(json, "status"), "RESOURCE_EXHAUSTED") == 0;
    cJSON_ArrayForEach(detail, cJSON_GetObjectItemCaseSensitive(json, "details"))
        read_detail(error, detail, &found);
    found.text_daily |= says_daily(google_text(json, "message"));
    error->daily = says_daily(reason) || (found.limit ? found.limit_daily : found.text_daily);
}

/* ---- judging ---- */

struct redial_outcome google_error_judge(const struct google_error *error,
                                         struct redial_outcome outcome)
{
    if (outcome.retry_after_ms < error->retry_after_ms)
        outcome.retry_after_ms = error->retry_after_ms;
    if (outcome.code == 429 || (outcome.code == 403 && error->quota))
        return error->daily ? redial_fail(outcome.code)   /* until midnight, Pacific time */
                            : redial_retry(outcome.code, outcome.retry_after_ms);
    return outcome;   /* the status decides */
}
