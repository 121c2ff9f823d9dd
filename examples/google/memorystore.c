/* Memorystore for Redis: one request. Memorystore for Valkey: a long operation.
   SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memorystore.h"

struct task {
    struct google_api *api;
    const struct instance *of;
    char request_id[37];
    const char *operation;
};

/* ---- one request ---- */

static struct redial_outcome get(void *user, const struct redial_attempt *attempt)
{
    const struct task *task = user;
    return google_send(task->api, attempt, NULL, "/v1/projects/%s/locations/%s/instances/%s",
                       task->of->project, task->of->location, task->of->name);
}

const cJSON *memorystore_get(struct google_api *api, const struct instance *instance)
{
    struct task task = { .api = api, .of = instance };
    return google_run(api, get, &task) ? api->answer : NULL;
}

/* ---- a long operation: a POST, and then polls of what it began ---- */

/* The service recognises a repetition by the request id, for an hour: the same POST may be sent
   again. */
static struct redial_outcome post(void *user, const struct redial_attempt *attempt)
{
    const struct task *task = user;
    return google_send(task->api, attempt, "{\"shardCount\": 1}",
                       "/v1/projects/%s/locations/%s/instances?instanceId=%s&requestId=%s",
                       task->of->project, task->of->location, task->of->name, task->request_id);
}

static struct redial_outcome poll(void *user, const struct redial_attempt *attempt)
{
    const struct task *task = user;
    struct google_api *api = task->api;
    struct redial_outcome outcome =
        google_send(api, attempt, NULL, "/v1/projects/%s/locations/%s/operations/%s",
                    task->of->project, task->of->location, task->operation);
    const cJSON *error = google_error_in(api->answer);
    if (!google_ok(outcome))
        return outcome;
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(api->answer, "done")))
        return redial_pending(outcome.retry_after_ms);
    return error ? google_fail(api, google_text(error, "message")) : outcome;
}

/* A random UUID (version 4). */
static void make_request_id(char id[37], const struct redial_env *env)
{
    uint32_t a = env->random(env), b = env->random(env), c = env->random(env), d = env->random(env);
    snprintf(id, 37, "%08" PRIx32 "-%04" PRIx32 "-4%03" PRIx32 "-%04" PRIx32 "-%04" PRIx32
             "%08" PRIx32, a, b >> 16, b & 0xfff, (c >> 16 & 0x3fff) | 0x8000, c & 0xffff, d);
}

/* The last part of the operation's name becomes a part of a path. */
const cJSON *memorystore_create(struct google_api *api, const struct instance *instance)
{
    struct task task = { .api = api, .of = instance };
    char operation[128] = "";
    const char *last;
    make_request_id(task.request_id, &api->env);
    if (!google_run(api, post, &task))
        return NULL;
    last = strrchr(google_text(api->answer, "name"), '/');
    snprintf(operation, sizeof operation, "%s", last ? last + 1 : "");
    if (!google_is_name(operation)) {
        google_error_say(&api->error, "The operation has no name.");
        api->report.verdict = REDIAL_FAILED;
        return NULL;
    }
    task.operation = operation;
    return google_run(api, poll, &task)
               ? cJSON_GetObjectItemCaseSensitive(api->answer, "response") : NULL;
}
