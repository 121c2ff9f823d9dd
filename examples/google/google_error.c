/* Reads the JSON of a refused request to a Google API. There are two formats, and an answer may
   have both:

       {"error": {"code": 403, "message": "...", "errors": [{"reason": "userRateLimitExceeded"}]}}
       {"error": {"code": 429, "message": "...", "status": "RESOURCE_EXHAUSTED", "details": [
           {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
            "metadata": {"quota_limit": "ReadRequestsPerDayPerProject",
                         "quota_unit": "1/d/{project}"}},
           {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30s"}]}}

   A quota whose text says that it is one of a day is not waited for. Every other quota is a rate,
   and is retried. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE     /* glibc's strcasestr; macOS and the BSDs have it without asking */
#include <stdio.h>
#include <string.h>

#include "google_error.h"

#define TYPE "type.googleapis.com/google.rpc."

static const cJSON *at(const cJSON *json, const char *path)
{
    char name[32];
    size_t length = strcspn(path, "/");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    json = cJSON_GetObjectItemCaseSensitive(cJSON_IsArray(json) ? json->child : json, name);
    return path[length] ? at(json, path + length + 1) : json;
}

const char *google_text(const cJSON *json, const char *path)
{
    const char *text = cJSON_GetStringValue(at(json, path));
    return text ? text : "";
}

static bool says_daily(const char *text)
{
    return strcasestr(text, "per day") || strcasestr(text, "PerDay") || strcasestr(text, "daily");
}

static bool says_quota(const char *reason)
{
    return strcasestr(reason, "LimitExceeded") || strcasestr(reason, "LIMIT_EXCEEDED")
           || strcasestr(reason, "quota");
}

/* Where the period of the limit is named, no other text decides whether it is a day. */
struct found {
    bool quota, period, daily_period, daily_text;
    uint32_t retry_after_ms;
};

static void read_info(struct found *found, const cJSON *info)
{
    const char *limit = google_text(info, "metadata/quota_limit");
    const char *unit = google_text(info, "metadata/quota_unit");
    found->quota |= says_quota(google_text(info, "reason"));
    found->period |= unit[0] || strstr(limit, "Day") || strstr(limit, "Hour")
                     || strstr(limit, "Minute") || strstr(limit, "Second");
    found->daily_period |= says_daily(limit) || strncmp(unit, "1/d", 3) == 0;
}

static void read_failure(struct found *found, const cJSON *failure)
{
    const cJSON *violation;
    found->quota = true;
    cJSON_ArrayForEach(violation, at(failure, "violations"))
        found->daily_text |= says_daily(google_text(violation, "description"))
                             || says_daily(google_text(violation, "quotaId"));
}

/* "30s", "3.5s": a Retry-After in seconds, with a unit. */
static void read_delay(struct found *found, const char *text)
{
    char seconds[64], unit, more;
    if (sscanf(text, "%63[0-9.]%c%c", seconds, &unit, &more) == 2 && unit == 's')
        found->retry_after_ms = redial_retry_after_ms(seconds, NULL);
}

static void read_detail(struct found *found, const cJSON *detail)
{
    const char *type = google_text(detail, "@type");
    if (strcmp(type, TYPE "ErrorInfo") == 0)
        read_info(found, detail);
    else if (strcmp(type, TYPE "QuotaFailure") == 0)
        read_failure(found, detail);
    else if (strcmp(type, TYPE "RetryInfo") == 0)
        read_delay(found, google_text(detail, "retryDelay"));
}

struct redial_outcome google_error_judge(const cJSON *answer, struct redial_outcome outcome)
{
    const char *reason = google_text(answer, "error/errors/reason");
    const char *status = google_text(answer, "error/status");
    struct found found = { says_quota(reason) || strcmp(status, "RESOURCE_EXHAUSTED") == 0,
                           says_daily(reason), says_daily(reason),
                           says_daily(google_text(answer, "error/message")), 0 };
    const cJSON *detail;
    cJSON_ArrayForEach(detail, at(answer, "error/details"))
        read_detail(&found, detail);
    if (outcome.retry_after_ms < found.retry_after_ms)
        outcome.retry_after_ms = found.retry_after_ms;
    if (outcome.code != 429 && (outcome.code != 403 || !found.quota))
        return outcome;   /* the status decides */
    if (found.period ? found.daily_period : found.daily_text)
        return redial_fail(outcome.code);   /* it lasts until midnight, Pacific time */
    return redial_retry(outcome.code, outcome.retry_after_ms);
}
