/* A client of the REST APIs that document the algorithm of redial: Memorystore for Redis and for
   Valkey, and Bid Manager. SPDX-License-Identifier: MIT

       export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)
       google get my-project us-central1 my-redis          the state of an instance for Redis
       google create my-project us-central1 my-valkey      a new instance for Valkey
       google report 1234                                  runs a query of Bid Manager

   GOOGLE_ENDPOINT names another server than Google's, for tests.

   To copy: google_error.c, which reads in an error's JSON whether it is worth a retry;
   google_api.c, one request that keeps the token to itself; memorystore.c, a long operation;
   bid_manager.c, a POST that must not be done twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bid_manager.h"
#include "memorystore.h"
#include "../common/interrupt.h"

#define TOKEN "GOOGLE_OAUTH_ACCESS_TOKEN"

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct google_api *api = env->user;
    if (event->outcome.kind == REDIAL_KIND_PENDING)
        fprintf(stderr, "not ready yet");
    else
        fprintf(stderr, "%d %s", event->outcome.code, api->error.message);
    fprintf(stderr, "; the next request is in %lu ms\n", (unsigned long)event->delay_ms);
}

/* ---- the three commands ---- */

static bool print_instance(const cJSON *instance)
{
    if (instance)
        printf("%s\t%s\n", google_text(instance, "name"), google_text(instance, "state"));
    return instance != NULL;
}

static bool get(struct google_api *api, char **words)
{
    struct instance instance = { words[0], words[1], words[2] };
    return print_instance(memorystore_get(api, &instance));
}

static bool create(struct google_api *api, char **words)
{
    struct instance instance = { words[0], words[1], words[2] };
    return print_instance(memorystore_create(api, &instance));
}

static bool report(struct google_api *api, char **words)
{
    const char *address = bid_manager_run(api, words[0]);
    if (address)
        puts(address);
    return address != NULL;
}

static const struct command {
    const char *name;
    int words;
    const char *endpoint;
    bool (*run)(struct google_api *api, char **words);
} commands[] = {
    { "get", 3, MEMORYSTORE_REDIS, get },
    { "create", 3, MEMORYSTORE_VALKEY, create },
    { "report", 1, BID_MANAGER, report },
};

/* ---- the program ---- */

static const struct command *find(int argc, char **argv)
{
    unsigned i;
    for (i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc == commands[i].words + 2 && strcmp(argv[1], commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* NULL: every word may be part of a path. */
static const char *refused(char **words)
{
    for (; *words; words++)
        if (!google_is_name(*words))
            return "names are letters, digits and any of - _ .";
    return NULL;
}

static int run(const struct command *command, char **words)
{
    static struct google_api api = { .policy = REDIAL_POLICY_DEFAULT };
    const char *endpoint = getenv("GOOGLE_ENDPOINT"), *why = refused(words);
    bool done = false;
    api.policy.attempt_ms = 30000;
    api.policy.max_elapsed_ms = 15 * 60 * 1000;   /* an instance takes minutes */
    api.env = *redial_system();
    api.env.cancelled = interrupt_cancelled;
    api.env.on_wait = print_wait;
    api.env.user = &api;
    why = why ? why : google_open(&api, endpoint ? endpoint : command->endpoint, getenv(TOKEN));
    if (why) {
        fprintf(stderr, "google: %s\n", why);
    } else {
        done = command->run(&api, words);
        google_print_end(stderr, &api);
    }
    google_close(&api);
    return why ? 2 : done && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct command *command = find(argc, argv);
    int status;
    if (!command) {
        fputs("usage: google get PROJECT LOCATION INSTANCE\n"
              "       google create PROJECT LOCATION INSTANCE\n"
              "       google report QUERY\n"
              "The token is in " TOKEN ".\n", stderr);
        return 2;
    }
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    status = run(command, argv + 2);
    curl_global_cleanup();
    return status;
}
