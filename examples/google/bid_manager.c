/* Bid Manager API v2: runs a query and waits for its report. SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bid_manager.h"

struct run {
    struct google_api *api;
    const char *query;
    uint64_t before;         /* the newest report before our POST; 0: none */
    uint64_t report;         /* ours; 0: not known yet */
    bool unclear;            /* a POST may have been done */
};

static bool is_id(const char *id)
{
    return id[0] && strlen(id) <= 19 && !id[strspn(id, "0123456789")];
}

/* 0: it has none. */
static uint64_t id_of(const cJSON *report)
{
    const char *id = google_text(cJSON_GetObjectItemCaseSensitive(report, "key"), "reportId");
    return is_id(id) ? strtoull(id, NULL, 10) : 0;
}

static struct redial_outcome get_newest(const struct run *run, const struct redial_attempt *attempt,
                                        uint64_t *newest)
{
    struct redial_outcome outcome =
        google_send(run->api, attempt, NULL,
                    "/v2/queries/%s/reports?orderBy=key.reportId%%20desc&pageSize=1", run->query);
    const cJSON *reports = cJSON_GetObjectItemCaseSensitive(run->api->answer, "reports");
    *newest = id_of(cJSON_GetArrayItem(reports, 0));
    return outcome;
}

static struct redial_outcome note_newest(void *user, const struct redial_attempt *attempt)
{
    struct run *run = user;
    return get_newest(run, attempt, &run->before);
}

/* The two requests share the timeout of the attempt: each is well below it. */
static struct redial_outcome post(void *user, const struct redial_attempt *attempt)
{
    struct run *run = user;
    struct redial_outcome outcome;
    if (run->unclear) {
        uint64_t newest;
        outcome = get_newest(run, attempt, &newest);
        if (!google_ok(outcome))
            return outcome;
        if (newest > run->before) {
            run->report = newest;
            return outcome;
        }
    }
    outcome = google_send(run->api, attempt, "{}", "/v2/queries/%s:run", run->query);
    run->unclear = !google_ok(outcome) && (outcome.code < 400 || outcome.code > 499);
    run->report = id_of(run->api->answer);
    return google_ok(outcome) && !run->report
               ? google_fail(run->api, "The report has no id.") : outcome;
}

static struct redial_outcome poll(void *user, const struct redial_attempt *attempt)
{
    const struct run *run = user;
    struct redial_outcome outcome = google_send(run->api, attempt, NULL,
                                                "/v2/queries/%s/reports/%" PRIu64, run->query,
                                                run->report);
    const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(run->api->answer, "metadata");
    const char *state = google_text(cJSON_GetObjectItemCaseSensitive(metadata, "status"), "state");
    if (!google_ok(outcome) || strcmp(state, "DONE") == 0)
        return outcome;
    if (strcmp(state, "FAILED") == 0)
        return google_fail(run->api, "The report failed: run the query again, or check it.");
    return redial_pending(outcome.retry_after_ms);   /* QUEUED, RUNNING */
}

const char *bid_manager_run(struct google_api *api, const char *query)
{
    struct run run = { .api = api, .query = query };
    const cJSON *metadata;
    if (!google_run(api, note_newest, &run) || !google_run(api, post, &run)
        || !google_run(api, poll, &run))
        return NULL;
    metadata = cJSON_GetObjectItemCaseSensitive(api->answer, "metadata");
    return google_text(metadata, "googleCloudStoragePath");
}
