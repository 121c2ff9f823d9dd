/* Bid Manager API v2. SPDX-License-Identifier: MIT

   https://developers.google.com/bid-manager/reference/rest/v2/queries/run
   https://developers.google.com/bid-manager/reference/rest/v2/queries.reports

   queries.run is a POST without a request id, and each run costs quota. So we store the newest report before the POST.
   If the POST gets no clear answer, we look for a newer report, and repeat the POST only if there is none. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bid_manager.h"

const char *bid_manager_id_refused(const char *id)
{
    if (!id)
        return "must be given";
    if (!id[0] || strlen(id) > 19 || id[strspn(id, "0123456789")])
        return "must be a number";
    return NULL;
}

/* ---- the report ---- */

/* 0: it has none. */
static uint64_t id_of(const cJSON *report)
{
    const char *id = google_text(cJSON_GetObjectItemCaseSensitive(report, "key"), "reportId");
    return bid_manager_id_refused(id) ? 0 : strtoull(id, NULL, 10);
}

static struct redial_outcome state_of(struct google_call *call, const cJSON *report, struct redial_outcome outcome)
{
    const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(report, "metadata");
    const char *state = google_text(cJSON_GetObjectItemCaseSensitive(metadata, "status"), "state");
    if (strcmp(state, "DONE") == 0)
        return outcome;
    if (strcmp(state, "FAILED") == 0)
        return google_call_fail(call, outcome, "The report failed: run the query again, or check it.");
    return redial_pending(outcome.retry_after_ms);   /* QUEUED, RUNNING */
}

static struct redial_outcome poll_report(struct google_call *call, const struct redial_attempt *attempt)
{
    const struct bid_manager *task = call->task;
    struct redial_outcome outcome =
        google_call_send(call, attempt, NULL, "/v2/queries/%s/reports/%" PRIu64, task->query, task->report);
    return google_call_ok(outcome) ? state_of(call, call->answer, outcome) : outcome;
}

/* From now on the report is polled, whatever its state. One that is already done is requested once more. */
static struct redial_outcome adopt(struct google_call *call, const cJSON *report, struct redial_outcome outcome)
{
    struct bid_manager *task = call->task;
    task->report = id_of(report);
    if (task->report == 0)
        return google_call_fail(call, outcome, "The report has no id.");
    call->maybe_done = false;
    call->step = poll_report;
    return redial_pending(outcome.retry_after_ms);
}

/* ---- the run ---- */

static struct redial_outcome look(struct google_call *call, const struct redial_attempt *attempt);

static struct redial_outcome run(struct google_call *call, const struct redial_attempt *attempt)
{
    const struct bid_manager *task = call->task;
    struct redial_outcome outcome = google_call_send(call, attempt, "{}", "/v2/queries/%s:run", task->query);
    if (google_call_ok(outcome))
        return adopt(call, call->answer, outcome);
    if (call->unclear)
        call->step = look;
    return outcome;
}

/* Called before the first run, and after one without a clear answer. A list that goes back in time has nothing new. */
static struct redial_outcome look(struct google_call *call, const struct redial_attempt *attempt)
{
    struct bid_manager *task = call->task;
    struct redial_outcome outcome =
        google_call_send(call, attempt, NULL, "/v2/queries/%s/reports?orderBy=key.reportId%%20desc&pageSize=1",
                         task->query);
    const cJSON *newest = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(call->answer, "reports"), 0);
    if (!google_call_ok(outcome))
        return outcome;
    if (task->looked && id_of(newest) > task->before)
        return adopt(call, newest, outcome);
    if (!task->looked)
        task->before = id_of(newest);
    task->looked = true;
    return google_call_go_on(call, run);
}

void bid_manager_run(struct bid_manager *task, struct google_call *call)
{
    call->step = look;
    call->task = task;
}

const char *bid_manager_path(const struct google_call *call)
{
    return google_text(cJSON_GetObjectItemCaseSensitive(call->answer, "metadata"), "googleCloudStoragePath");
}
