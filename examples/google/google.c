/* A client of the REST APIs that document the algorithm of redial: Memorystore for Redis and for Valkey, and Bid
   Manager. SPDX-License-Identifier: MIT

       export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)
       google --call redis-list --project my-project --location us-central1      # --help lists the options
       google --call valkey-create --project my-project --location us-central1 --instance my-valkey
       google --call bid-manager-run --query 1234

   To copy: google_call.c, one loop for several requests, polls and failures; google_error.c, which reads in an error's
   JSON whether it is worth a retry; memorystore.c and bid_manager.c, a POST that is not done twice. */
#include <stdlib.h>
#include <time.h>

#include "bid_manager.h"
#include "google_report.h"
#include "memorystore.h"
#include "options.h"
#include "../common/interrupt.h"

#define TOKEN "GOOGLE_OAUTH_ACCESS_TOKEN"

enum { LIST, CREATE, RUN };

struct client {
    struct redial_policy policy;
    struct redial_env env;
    struct google_call call;
    struct memorystore memorystore;
    struct bid_manager bid_manager;
    uint32_t api, mode;           /* api is an index of apis */
    const char *endpoint, *token;
};

static const struct {
    int what;
    const struct memorystore_service *service;
} apis[] = {
    { LIST, &memorystore_redis }, { CREATE, &memorystore_redis },
    { LIST, &memorystore_valkey }, { CREATE, &memorystore_valkey }, { RUN, NULL },
};

static const struct option_word api_words[] = {
    { "redis-list", 0 }, { "redis-create", 1 }, { "valkey-list", 2 }, { "valkey-create", 3 }, { "bid-manager-run", 4 },
    { NULL, 0 }
};

/* ---- options ---- */

static void refuse_if(const char *what, const char *rule)
{
    if (rule)
        options_refuse(what, rule);
}

static void check(struct client *client)
{
    struct memorystore *task = &client->memorystore;
    int what = apis[client->api].what;
    options_set_mode(&client->policy, client->mode);
    task->service = apis[client->api].service;
    if (!client->endpoint)
        client->endpoint = task->service ? task->service->endpoint : BID_MANAGER_ENDPOINT;
    client->token = getenv(TOKEN);
    refuse_if("--query", what == RUN ? bid_manager_id_refused(client->bid_manager.query) : NULL);
    refuse_if("--project", what == RUN ? NULL : memorystore_name_refused(task->project));
    refuse_if("--location", what == RUN ? NULL : memorystore_name_refused(task->location));
    refuse_if("--instance", what == CREATE ? memorystore_name_refused(task->instance) : NULL);
    refuse_if("--endpoint", google_endpoint_refused(client->endpoint));
    refuse_if(TOKEN, google_token_refused(client->token));
}

static void read_options(struct client *client, int argc, char **argv)
{
    struct redial_policy *policy = &client->policy;
    struct memorystore *task = &client->memorystore;
    const struct option options[] = {
        { "call", "NAME", "one of these five", &client->api, 1, 0, api_words, NULL },
        { "project", "ID", "for Memorystore", NULL, 0, 0, NULL, &task->project },
        { "location", "ID", "for Memorystore; a list may have - for all", NULL, 0, 0, NULL, &task->location },
        { "instance", "ID", "the name of the instance to create", NULL, 0, 0, NULL, &task->instance },
        { "body", "JSON", "its properties; otherwise it is the smallest", NULL, 0, 0, NULL, &task->body },
        { "query", "ID", "the query that Bid Manager runs", NULL, 0, 0, NULL, &client->bid_manager.query },
        { "endpoint", "URL", "a server to call instead of Google's", NULL, 0, 0, NULL, &client->endpoint },
        { "base", "TIME", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "TIME", "the longest wait without a Retry-After", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&policy->jitter_ms),
        OPTION_MODE(&client->mode),
        { "retries", "N", "retries in a row", &policy->max_retries, 0, UINT32_MAX - 1, options_unlimited, NULL },
        { "retry-after", "TIME", "the longest wait that the server may ask for", &policy->max_retry_after_ms, 1,
          UINT32_MAX, NULL, NULL },
        { "limit", "TIME", "requests, polls and waits together; 0: no limit", &policy->max_elapsed_ms, 0, UINT32_MAX,
          NULL, NULL },
        { "attempt", "TIME", "the timeout of one attempt", &policy->attempt_ms, 1, INT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    options_read(argc, argv, "Calls Memorystore for Redis (redis-list, redis-create) or for Valkey\n"
                 "(valkey-list, valkey-create), or Bid Manager (bid-manager-run), with retries.\n"
                 "The token is in " TOKEN ".",
                 options);
    check(client);
}

/* ---- the call ---- */

static bool begin(struct client *client)
{
    switch (apis[client->api].what) {
    case LIST: return memorystore_list(&client->memorystore, &client->call);
    case CREATE: return memorystore_create(&client->memorystore, &client->call, &client->env);
    default: bid_manager_run(&client->bid_manager, &client->call); return true;
    }
}

static void print_instance(const cJSON *instance)
{
    printf("%s\t%s\n", google_text(instance, "name"), google_text(instance, "state"));
}

/* False: a part of the list is missing. */
static bool print_list(const struct memorystore *task)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, task->instances)
        print_instance(item);
    cJSON_ArrayForEach(item, task->unreachable)
        fprintf(stderr, "not in the list, because it did not answer: %s\n",
                cJSON_IsString(item) ? item->valuestring : "?");
    return !task->unreachable->child;
}

static bool print_result(const struct client *client)
{
    bool whole = true;
    if (apis[client->api].what == LIST)
        whole = print_list(&client->memorystore);
    else if (apis[client->api].what == CREATE)
        print_instance(memorystore_created(&client->call));
    else
        puts(bid_manager_path(&client->call));
    return fflush(stdout) == 0 && whole;
}

static bool run(struct client *client)
{
    struct redial_report report;
    if (!google_call_open(&client->call, client->endpoint, client->token) || !begin(client)) {
        fputs("out of memory, or --body is not a JSON object\n", stderr);
        return false;
    }
    client->env.on_wait = google_report_wait;
    client->env.user = &client->call;
    redial_run(&client->policy, &client->env, google_call_attempt, &client->call, &report);
    google_report_print(stderr, &client->call, &report, time(NULL));
    return report.verdict == REDIAL_DONE && print_result(client);
}

int main(int argc, char **argv)
{
    static struct client client;
    bool done;
    client.policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    client.policy.max_elapsed_ms = 15 * 60 * 1000;   /* an instance takes minutes */
    client.policy.attempt_ms = 30000;
    client.policy.max_retry_after_ms = REDIAL_RETRY_AFTER_MAX_MS;
    client.env = *redial_system();
    client.env.cancelled = interrupt_cancelled;
    read_options(&client, argc, argv);
    if (!client.policy.max_elapsed_ms)
        client.policy.max_elapsed_ms = REDIAL_NO_LIMIT;   /* polls need one of the two */
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    done = run(&client);
    google_call_close(&client.call);
    memorystore_close(&client.memorystore);
    curl_global_cleanup();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
