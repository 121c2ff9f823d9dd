/* Memorystore for Redis: one request. Memorystore for Valkey: a long operation.
   SPDX-License-Identifier: MIT

   https://cloud.google.com/memorystore/docs/redis/reference/rest/v1/projects.locations.instances
   https://cloud.google.com/memorystore/docs/valkey/reference/rest/v1/projects.locations.instances
   */
#ifndef MEMORYSTORE_H
#define MEMORYSTORE_H

#include "google_api.h"

#define MEMORYSTORE_REDIS "https://redis.googleapis.com"
#define MEMORYSTORE_VALKEY "https://memorystore.googleapis.com"

struct instance {
    const char *project, *location, *name;      /* google_is_name says what is allowed */
};

/* The instance as it is. NULL: api->report says why. api owns it. */
const cJSON *memorystore_get(struct google_api *api, const struct instance *instance);

/* Creates the smallest instance, and waits until it is ready. NULL: api->report says why. */
const cJSON *memorystore_create(struct google_api *api, const struct instance *instance);

#endif
