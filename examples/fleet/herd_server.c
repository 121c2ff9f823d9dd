/* The server of the simulation: a bucket of tokens. SPDX-License-Identifier: MIT */
#include "herd_server.h"

uint64_t herd_server_parts(const struct herd_setup *setup)
{
    return setup->per_ms ? setup->per_ms : 1000;
}

/* The bucket holds at least one request, and at least the capacity of a millisecond, which a fast
   server needs. */
uint64_t herd_server_depth(const struct herd_setup *setup)
{
    uint64_t depth = (uint64_t)setup->capacity * (setup->burst_ms ? setup->burst_ms : 1);
    uint64_t one = herd_server_parts(setup);
    return depth < one ? one : depth;
}

void herd_server_init(struct herd_server *server, const struct herd_setup *setup)
{
    *server = (struct herd_server){ .setup = setup, .tokens = herd_server_depth(setup) };
}

/* No fraction is lost: capacity parts come in each millisecond, and a request has as many as
   milliseconds bring the capacity. */
static bool takes(struct herd_server *server, uint32_t now_ms)
{
    const struct herd_setup *setup = server->setup;
    uint64_t depth = herd_server_depth(setup), one = herd_server_parts(setup);
    server->tokens += (uint64_t)setup->capacity * (now_ms - server->filled_ms);
    server->filled_ms = now_ms;
    if (server->tokens > depth)
        server->tokens = depth;
    if (server->tokens < one)
        return false;
    server->tokens -= one;
    return true;
}

struct redial_outcome herd_server_answer(struct herd_server *server, uint32_t now_ms)
{
    const struct herd_setup *setup = server->setup;
    if (now_ms < setup->outage_ms)
        return redial_http(0, 0, "GET");
    if (takes(server, now_ms))
        return redial_http(200, 0, "GET");
    return redial_http(setup->after_s ? 429 : 503, redial_seconds_ms(setup->after_s), "GET");
}
