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
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/"
#define INSTANCE "projects/*/locations/*/instances/*"
#define QUERY "queries/*"

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
    fprintf(stderr, "%s; the next request is in %lu ms\n",
            api->message[0] ? api->message : "not ready yet", (unsigned long)event->delay_ms);
}

static void print_end(const struct google_api *api)
{
    const struct redial_report *report = &api->report;
    fprintf(stderr, "%s after %lu attempts", redial_verdict_name(report->verdict),
            (unsigned long)report->attempts);
    if (report->refused_wait_ms)
        fprintf(stderr, ", a wait of %lu ms was refused", (unsigned long)report->refused_wait_ms);
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
        fprintf(stderr, "google: %s\n", why);
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
    fputs("usage: google get " INSTANCE "\n"
          "       google create " INSTANCE "\n"
          "       google report " QUERY "\n"
          "A * stands for letters, digits and any of - _ . :\n"
          "The token is in " TOKEN ".\n", stderr);
    return 2;
}
