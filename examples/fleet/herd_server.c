/* The server of the simulation: a bucket of tokens, or a quota counted in windows.
   SPDX-License-Identifier: MIT */
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
static bool bucket_takes(struct herd_server *server, uint32_t now_ms)
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

static bool window_takes(struct herd_server *server, uint32_t now_ms)
{
    const struct herd_setup *setup = server->setup;
    uint64_t quota = (uint64_t)setup->capacity * setup->window_ms, one = herd_server_parts(setup);
    uint32_t window = now_ms / setup->window_ms;
    if (window != server->window) {
        server->window = window;
        server->taken = 0;
    }
    if (server->taken >= quota * (window + 1) / one - quota * window / one)
        return false;
    server->taken++;
    return true;
}

static uint32_t place_ms(struct herd_server *server, uint32_t now_ms)
{
    uint64_t capacity = server->setup->capacity, one = herd_server_parts(server->setup),
             now = now_ms * capacity / one;
    if (server->queue < now)
        server->queue = now;
    server->queue++;
    return redial_seconds_ms(
        (int64_t)(((server->queue - now) * one + capacity * 1000 - 1) / (capacity * 1000)));
}

static uint32_t rest_ms(const struct herd_setup *setup, uint32_t now_ms)
{
    uint32_t window_ms = setup->window_ms ? setup->window_ms : 1;
    return redial_seconds_ms((window_ms - now_ms % window_ms + 999) / 1000);
}

static struct redial_outcome refusal(struct herd_server *server, uint32_t now_ms)
{
    switch (server->setup->answer) {
    case HERD_SLOT:
        return redial_http(429, place_ms(server, now_ms), "GET");
    case HERD_CONSTANT:
        return redial_http(429, redial_seconds_ms(server->setup->after_s), "GET");
    case HERD_REST:
        return redial_http(429, rest_ms(server->setup, now_ms), "GET");
    default:
        return redial_http(503, 0, "GET");
    }
}

struct redial_outcome herd_server_answer(struct herd_server *server, uint32_t now_ms,
                                         uint32_t percent)
{
    const struct herd_setup *setup = server->setup;
    bool taken;
    if (now_ms < setup->outage_ms)
        return redial_http(0, 0, "GET");
    if (percent < setup->bad_percent)
        return redial_http(503, redial_seconds_ms(setup->bad_after_s), "GET");
    taken = setup->window_ms ? window_takes(server, now_ms) : bucket_takes(server, now_ms);
    return taken ? redial_http(200, 0, "GET") : refusal(server, now_ms);
}
