/* Memorystore for Redis and for Valkey. SPDX-License-Identifier: MIT

   https://cloud.google.com/memorystore/docs/redis/reference/rest/v1/projects.locations.instances
   https://cloud.google.com/memorystore/docs/valkey/reference/rest/v1/projects.locations.instances */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memorystore.h"

#define LABEL "request-id"   /* the label of an instance with the id of the request that created it */
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:"

const struct memorystore_service memorystore_redis = {
    "https://redis.googleapis.com", "{\"tier\": \"BASIC\", \"memorySizeGb\": 1}", "READY", false
};
const struct memorystore_service memorystore_valkey = {
    "https://memorystore.googleapis.com", "{\"shardCount\": 1}", "ACTIVE", true
};

const char *memorystore_name_refused(const char *name)
{
    if (!name)
        return "must be given";
    if (!name[0] || name[0] == '.' || name[strspn(name, NAME_CHARACTERS)])
        return "must be letters, digits and any of - _ . :";
    return NULL;
}

/* ---- list ---- */

static bool move_items(cJSON *to, const cJSON *answer, const char *name)
{
    cJSON *from = cJSON_GetObjectItemCaseSensitive(answer, name);
    while (cJSON_IsArray(from) && from->child)
        if (!cJSON_AddItemToArray(to, cJSON_DetachItemViaPointer(from, from->child)))
            return false;
    return true;
}

/* A page that came is no failure: where an attempt ends between two pages, and after a page that failed before, the
   call is pending, which sets the retries back. So time alone limits the number of pages. */
static struct redial_outcome list_page(struct google_call *call, const struct redial_attempt *attempt)
{
    struct memorystore *task = call->task;
    struct redial_outcome outcome =
        google_call_send(call, attempt, NULL, "/v1/projects/%s/locations/%s/instances%s%s", task->project,
                         task->location, task->page ? "?pageToken=" : "", task->page ? task->page : "");
    bool failed = task->page_failed, last = google_text(call->answer, "nextPageToken")[0] == '\0';
    task->page_failed = !google_call_ok(outcome);
    if (task->page_failed)
        return outcome;
    curl_free(task->page);
    task->page = last ? NULL : curl_easy_escape(call->curl, google_text(call->answer, "nextPageToken"), 0);
    if (!(task->page || last) || !move_items(task->instances, call->answer, "instances")
        || !move_items(task->unreachable, call->answer, "unreachable"))
        return google_call_fail(call, redial_fail(CURLE_OUT_OF_MEMORY), "Out of memory.");
    call->at_once = !last && !failed;
    return last ? outcome : redial_pending(1);
}

bool memorystore_list(struct memorystore *task, struct google_call *call)
{
    call->step = list_page;
    call->task = task;
    task->instances = cJSON_CreateArray();
    task->unreachable = cJSON_CreateArray();
    return task->instances && task->unreachable;
}

/* ---- create: is it ready? ---- */

/* True: the instance has the label of our request. False: somebody else created it. */
static bool is_ours(const struct memorystore *task, const cJSON *instance)
{
    return strcmp(google_text(cJSON_GetObjectItemCaseSensitive(instance, "labels"), LABEL), task->request_id) == 0;
}

static struct redial_outcome state_of(struct google_call *call, const struct memorystore *task,
                                      struct redial_outcome outcome)
{
    const char *state = google_text(call->answer, "state");
    call->maybe_done = false;
    if (!is_ours(task, call->answer))
        return google_call_fail(call, outcome, "The instance exists, and is not from this request.");
    if (strcmp(state, task->service->ready) == 0)
        return outcome;
    if (strcmp(state, "CREATING") == 0)
        return redial_pending(outcome.retry_after_ms);
    return google_call_fail(call, outcome, "The instance exists, but is neither ready nor being created.");
}

static struct redial_outcome post(struct google_call *call, const struct redial_attempt *attempt);

/* After a POST without a clear answer, checks whether the instance was created. After 404 the POST is repeated. */
static struct redial_outcome look(struct google_call *call, const struct redial_attempt *attempt)
{
    struct memorystore *task = call->task;
    struct redial_outcome outcome = google_call_send(call, attempt, NULL, "/v1/projects/%s/locations/%s/instances/%s",
                                                     task->project, task->location, task->instance);
    if (google_call_ok(outcome)) {
        task->exists = true;
        return state_of(call, task, outcome);
    }
    if (outcome.kind != REDIAL_KIND_HTTP || outcome.code != 404)
        return outcome;
    if (task->exists)
        return redial_retry(404, 0);   /* a 409 has already said that it exists */
    return google_call_go_on(call, post);
}

/* The operation has failed, has a response, or is not done yet. */
static struct redial_outcome operation(struct google_call *call, struct redial_outcome outcome)
{
    const cJSON *error = google_error_in(call->answer);
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(call->answer, "done")))
        return redial_pending(outcome.retry_after_ms);
    if (!error)
        return outcome;
    google_error_read(&call->error, error);
    if (!call->error.status[0])
        snprintf(call->error.status, sizeof call->error.status, "and the operation failed");
    return redial_fail(outcome.code);
}

static struct redial_outcome poll_operation(struct google_call *call, const struct redial_attempt *attempt)
{
    const struct memorystore *task = call->task;
    struct redial_outcome outcome = google_call_send(call, attempt, NULL, "/v1/%s", task->operation);
    return google_call_ok(outcome) ? operation(call, outcome) : outcome;
}

/* The name becomes part of a path. */
static bool keep_operation(struct memorystore *task, const char *name)
{
    if (strncmp(name, "projects/", 9) != 0 || strlen(name) >= sizeof task->operation
        || name[strspn(name, NAME_CHARACTERS "/")] || strstr(name, "/.") || strstr(name, "//"))
        return false;
    snprintf(task->operation, sizeof task->operation, "%s", name);
    return true;
}

/* ---- create ---- */

/* 409 after a POST without a clear answer means that this POST succeeded; otherwise somebody else created the instance.
   If the service recognises repetitions by a request id, no check is needed: the same POST is sent again. */
static struct redial_outcome post(struct google_call *call, const struct redial_attempt *attempt)
{
    struct memorystore *task = call->task;
    struct redial_outcome outcome =
        google_call_send(call, attempt, task->request, "/v1/projects/%s/locations/%s/instances?instanceId=%s%s%s",
                         task->project, task->location, task->instance, call->repeatable ? "&requestId=" : "",
                         call->repeatable ? task->request_id : "");
    if (google_call_ok(outcome)) {
        if (!keep_operation(task, google_text(call->answer, "name")))
            return google_call_fail(call, outcome, "The operation has no name.");
        call->step = poll_operation;
        call->maybe_done = false;
        return operation(call, outcome);
    }
    if (outcome.code == 409 && call->maybe_done) {
        task->exists = true;
        return google_call_go_on(call, look);
    }
    if (call->unclear && !call->repeatable)
        call->step = look;
    return outcome;
}

/* A random UUID (version 4). */
static void make_request_id(char id[37], const struct redial_env *env)
{
    uint32_t a = env->random(env), b = env->random(env), c = env->random(env), d = env->random(env);
    snprintf(id, 37, "%08" PRIx32 "-%04" PRIx32 "-4%03" PRIx32 "-%04" PRIx32 "-%04" PRIx32 "%08" PRIx32, a, b >> 16,
             b & 0xfff, (c >> 16 & 0x3fff) | 0x8000, c & 0xffff, d);
}

/* The caller's JSON with our label added. */
static bool add_label(cJSON *instance, const char *request_id)
{
    cJSON *labels = cJSON_GetObjectItemCaseSensitive(instance, "labels");
    if (!labels)
        labels = cJSON_AddObjectToObject(instance, "labels");
    if (!cJSON_IsObject(labels))
        return false;
    cJSON_DeleteItemFromObjectCaseSensitive(labels, LABEL);
    return cJSON_AddStringToObject(labels, LABEL, request_id) != NULL;
}

bool memorystore_create(struct memorystore *task, struct google_call *call, const struct redial_env *env)
{
    cJSON *instance = cJSON_Parse(task->body ? task->body : task->service->body);
    call->step = post;
    call->task = task;
    call->repeatable = task->service->request_ids;
    make_request_id(task->request_id, env);
    if (cJSON_IsObject(instance) && add_label(instance, task->request_id))
        task->request = cJSON_PrintUnformatted(instance);
    cJSON_Delete(instance);
    return task->request != NULL;
}

const cJSON *memorystore_created(const struct google_call *call)
{
    const cJSON *response = cJSON_GetObjectItemCaseSensitive(call->answer, "response");
    return response ? response : call->answer;
}

void memorystore_close(struct memorystore *task)
{
    curl_free(task->page);
    cJSON_free(task->request);
    cJSON_Delete(task->instances);
    cJSON_Delete(task->unreachable);
}
