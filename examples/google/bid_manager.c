/* Bid Manager API v2: a POST that must not be done twice, and its report.

   https://developers.google.com/bid-manager/reference/rest/v2/queries/run
   https://developers.google.com/bid-manager/reference/rest/v2/queries.reports

   queries.run is a POST without a request id, and each run costs quota. So the newest report is
   noted before the POST. After a POST without a clear answer, the next attempt first looks for a
   newer report, and repeats the POST only if there is none. A report of somebody else who ran the
   same query at that moment counts as ours. If the server lists our report too late, the query runs
   twice: there are then two reports of nearly the same time.
   SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "google_api.h"

struct run {
    struct google_api *api;
    const char *query;
    enum { NOT_SENT, REFUSED, UNCLEAR } post;   /* REFUSED: none was done; UNCLEAR: one may be */
    uint64_t before;    /* the newest report before the first POST; 0: none */
    uint64_t report;    /* ours; 0: not known yet */
};

/* Ids grow. 0: there is none. */
static uint64_t id_at(const cJSON *answer, const char *path)
{
    return strtoull(google_text(answer, path), NULL, 10);
}

static struct redial_outcome look(struct run *run, uint32_t timeout_ms)
{
    struct redial_outcome outcome =
        google_send(run->api, timeout_ms, "GET", NULL,
                    "/v2/%s/reports?orderBy=key.reportId%%20desc&pageSize=1", run->query);
    uint64_t newest = id_at(run->api->answer, "reports/key/reportId");
    if (run->post == NOT_SENT)
        run->before = newest;
    else if (newest > run->before)
        run->report = newest;
    return outcome;
}

static struct redial_outcome post(struct run *run, uint32_t timeout_ms)
{
    struct redial_outcome outcome =
        google_send(run->api, timeout_ms, "POST", "{}", "/v2/%s:run", run->query);
    if (outcome.kind == REDIAL_KIND_UNSURE) {
        run->post = UNCLEAR;
        outcome.kind = REDIAL_KIND_RETRY;   /* the next attempt looks first */
    } else if (run->post == NOT_SENT) {
        run->post = run->api->answer ? UNCLEAR : REFUSED;
    }
    run->report = id_at(run->api->answer, "key/reportId");
    return run->api->answer && !run->report ? google_fail(run->api, "The report has no id.")
                                            : outcome;
}

static struct redial_outcome poll(const struct run *run, uint32_t timeout_ms)
{
    struct redial_outcome outcome = google_send(run->api, timeout_ms, "GET", NULL,
                                                "/v2/%s/reports/%" PRIu64, run->query, run->report);
    const char *state = google_text(run->api->answer, "metadata/status/state");
    if (!run->api->answer || strcmp(state, "DONE") == 0)
        return outcome;
    if (strcmp(state, "FAILED") == 0)
        return google_fail(run->api, "The report failed: run the query again, or check it.");
    return redial_pending(outcome.retry_after_ms);   /* QUEUED, RUNNING */
}

/* If the attempt has two requests, each gets half of its time, rounded up: 0 is no timeout. */
static struct redial_outcome next(void *user, const struct redial_attempt *attempt)
{
    struct run *run = user;
    struct redial_outcome outcome = redial_done();
    uint32_t timeout_ms = attempt->timeout_ms;
    if (run->report)
        return poll(run, timeout_ms);
    if (run->post != REFUSED) {
        timeout_ms -= timeout_ms / 2;
        outcome = look(run, timeout_ms);
    }
    if (!run->report && (run->post == REFUSED || run->api->answer))
        outcome = post(run, timeout_ms);
    return run->report ? redial_pending(outcome.retry_after_ms) : outcome;
}

bool bid_manager_run(struct google_api *api, const char *query)
{
    struct run run = { .api = api, .query = query };
    redial_run(&api->policy, &api->env, next, &run, &api->report);
    if (run.post == UNCLEAR && !run.report)
        api->report.verdict = REDIAL_UNSURE;   /* whatever ended the search for the report */
    return api->report.verdict == REDIAL_DONE;
}
