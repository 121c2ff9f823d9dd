/* Memorystore for Redis and for Valkey: list instances, create one and wait until it is ready.
   SPDX-License-Identifier: MIT */
#ifndef MEMORYSTORE_H
#define MEMORYSTORE_H

#include "google_call.h"

struct memorystore_service {
    const char *endpoint;
    const char *body;       /* the JSON of the smallest instance */
    const char *ready;      /* the state of an instance that can be used */
    bool request_ids;       /* instances.create has a requestId: a repetition within 60 minutes is ignored */
};

extern const struct memorystore_service memorystore_redis, memorystore_valkey;

struct memorystore {
    /* Yours. memorystore_name_refused checks names. */
    const struct memorystore_service *service;
    const char *project, *location;   /* "-": all locations, for a list */
    const char *instance;
    const char *body;                 /* JSON of the instance to create; NULL: service->body */

    /* The result of a list: the instances of all pages, and the names of locations that did not answer. */
    cJSON *instances, *unreachable;
    char *page;
    bool page_failed;                 /* at the last attempt */

    /* The state of a creation. */
    char request_id[37];
    char *request;
    char operation[256];
    bool exists;
};

/* NULL: the name may be part of a path. Else the rule that it breaks. */
const char *memorystore_name_refused(const char *name);

/* Sets the call's first step. False: out of memory, or `body` is not a JSON object. Close the task in both cases. */
bool memorystore_list(struct memorystore *task, struct google_call *call);
bool memorystore_create(struct memorystore *task, struct google_call *call, const struct redial_env *env);
void memorystore_close(struct memorystore *task);

/* After a creation that is done: the instance. The call owns it. */
const cJSON *memorystore_created(const struct google_call *call);

#endif
