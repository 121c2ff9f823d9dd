/* Memorystore for Redis: one request. Memorystore for Valkey: a long operation.

   https://cloud.google.com/memorystore/docs/redis/reference/rest/v1/projects.locations.instances
   https://cloud.google.com/memorystore/docs/valkey/reference/rest/v1/projects.locations.instances
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "google_api.h"

struct task {
    struct google_api *api;
    const char *instance;
    char request_id[37];
    char operation[256];    /* its name; "": it has not begun */
};

static struct redial_outcome get(void *user, const struct redial_attempt *attempt)
{
    const struct task *task = user;
    return google_send(task->api, attempt->timeout_ms, "GET", NULL, "/v1/%s", task->instance);
}

bool memorystore_get(struct google_api *api, const char *instance)
{
    struct task task = { .api = api, .instance = instance };
    return redial_run(&api->policy, &api->env, get, &task, &api->report) == REDIAL_DONE;
}

/* By the request id, the service knows a repetition for an hour: the POST may be sent again. */
static struct redial_outcome post(const struct task *task, uint32_t timeout_ms)
{
    const char *id = strrchr(task->instance, '/');
    return google_send(task->api, timeout_ms, REDIAL_IDEMPOTENT, "{\"shardCount\": 1}",
                       "/v1/%.*s?instanceId=%s&requestId=%s", (int)(id - task->instance),
                       task->instance, id + 1, task->request_id);
}

/* The POST and each poll are answered with the operation as it is now. */
static struct redial_outcome create(void *user, const struct redial_attempt *attempt)
{
    struct task *task = user;
    struct google_api *api = task->api;
    const char *why;
    struct redial_outcome outcome =
        !task->operation[0] ? post(task, attempt->timeout_ms)
        : google_send(api, attempt->timeout_ms, "GET", NULL, "/v1/%s", task->operation);
    if (!api->answer)
        return outcome;
    snprintf(task->operation, sizeof task->operation, "%s", google_text(api->answer, "name"));
    if (!task->operation[0])
        return google_fail(api, "The operation has no name.");
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(api->answer, "done")))
        return redial_pending(outcome.retry_after_ms);
    if (cJSON_HasObjectItem(api->answer, "response"))
        return outcome;
    why = google_text(api->answer, "error/message");
    return google_fail(api, why[0] ? why : "The operation has neither a response nor a message.");
}

/* A random UUID (version 4). */
static void make_request_id(char id[37], const struct redial_env *env)
{
    unsigned a = env->random(env), b = env->random(env), c = env->random(env);
    snprintf(id, 37, "%08x-%04x-4%03x-%04x-%04x%08x", a, b >> 16, b & 0xfff,
             (c >> 16 & 0x3fff) | 0x8000, c & 0xffff, (unsigned)env->random(env));
}

bool memorystore_create(struct google_api *api, const char *instance)
{
    struct task task = { .api = api, .instance = instance };
    make_request_id(task.request_id, &api->env);
    return redial_run(&api->policy, &api->env, create, &task, &api->report) == REDIAL_DONE;
}
