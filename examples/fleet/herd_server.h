/* The server of the simulation; herd_model.h says what it models. SPDX-License-Identifier: MIT */
#ifndef HERD_SERVER_H
#define HERD_SERVER_H

#include "herd_model.h"

struct herd_server {
    const struct herd_setup *setup;
    uint64_t tokens;                    /* in parts of a request */
    uint32_t filled_ms;
};

void herd_server_init(struct herd_server *server, const struct herd_setup *setup);

/* The answer to a request that arrives now. Each call's time is at least that of the call before.
   */
struct redial_outcome herd_server_answer(struct herd_server *server, uint32_t now_ms);

/* The number of parts of a request. It is the number of milliseconds in which the capacity comes
   in. */
uint64_t herd_server_parts(const struct herd_setup *setup);

/* The content of a full bucket, in parts of a request. */
uint64_t herd_server_depth(const struct herd_setup *setup);

#endif
