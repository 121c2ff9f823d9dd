/* A client of the REST APIs that document the algorithm of redial: Memorystore for Redis and for
   Valkey, and Bid Manager. SPDX-License-Identifier: MIT

       export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)
       google get projects/shop/locations/us-central1/instances/cart       its state, for Redis
       google create projects/shop/locations/us-central1/instances/cart    a new one, for Valkey
       google report queries/1234                            runs a query of Bid Manager

   GOOGLE_ENDPOINT names another server than Google's, for tests. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "google_api.h"
#include "../common/interrupt.h"
#include "../common/stdout.h"

#define TOKEN "GOOGLE_OAUTH_ACCESS_TOKEN"
#define WHERE "The token is in " TOKEN ", and perhaps an endpoint in GOOGLE_ENDPOINT.\n"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/"
#define INSTANCE "projects/?*/locations/?*/instances/?*"   /* for fnmatch, and for the usage */
#define QUERY "queries/?*"

static const struct command {
    const char *name, *form, *endpoint;
    bool (*call)(struct google_api *api, const char *name);
    const char *result;     /* its place in the answer */
} commands[] = {
    { "get", INSTANCE, "https://redis.googleapis.com", memorystore_get, "state" },
    { "create", INSTANCE, "https://memorystore.googleapis.com", memorystore_create,
      "response/state" },
    { "report", QUERY, "https://doubleclickbidmanager.googleapis.com", bid_manager_run,
      "metadata/googleCloudStoragePath" },
};

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct google_api *api = env->user;
    fprintf(stderr, "%s; the next request is in %u ms\n",
            api->message[0] ? api->message : "not ready yet", (unsigned)event->delay_ms);
}

static void print_end(const struct google_api *api)
{
    const struct redial_report *end = &api->report;
    fprintf(stderr, "%s; attempts: %u", redial_verdict_name(end->verdict), (unsigned)end->attempts);
    if (end->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)end->refused_wait_ms);
    fprintf(stderr, "%s%s\n", api->message[0] ? ": " : "", api->message);
}

static void set_up(struct google_api *api)
{
    api->policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    api->policy.attempt_ms = 30000;
    api->policy.max_elapsed_ms = 15 * 60 * 1000;   /* an instance takes minutes */
    api->env = *redial_system();
    api->env.cancelled = interrupt_cancelled;
    api->env.on_wait = print_wait;
    api->env.user = api;
    interrupt_catch();
}

static int run(const struct command *command, const char *name)
{
    static struct google_api api;
    const char *endpoint = getenv("GOOGLE_ENDPOINT");
    const char *why = google_open(&api, endpoint ? endpoint : command->endpoint, getenv(TOKEN));
    bool done;
    if (why) {
        fprintf(stderr, "google: %s\n" WHERE, why);
        return 2;
    }
    set_up(&api);
    done = command->call(&api, name);
    print_end(&api);
    if (done)
        puts(google_text(api.answer, command->result));
    google_close(&api);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The name becomes a part of a path. */
int main(int argc, char **argv)
{
    size_t i;
    stdout_begin();
    for (i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc == 3 && strcmp(argv[1], commands[i].name) == 0
            && !argv[2][strspn(argv[2], LETTERS)]
            && fnmatch(commands[i].form, argv[2], FNM_PATHNAME | FNM_PERIOD) == 0)
            return stdout_end("google", run(&commands[i], argv[2]));
    fputs("usage: google get|create " INSTANCE "\n       google report " QUERY "\n"
          "A ?* is one or more letters, digits and any of - _ . :\n" WHERE, stderr);
    return 2;
}
