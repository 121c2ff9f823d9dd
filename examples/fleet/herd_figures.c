/* The figures of a run of the simulation, and the best figures that are possible.
   SPDX-License-Identifier: MIT */
#include "herd_server.h"

uint32_t herd_requests(const struct herd_setup *setup)
{
    return setup->clients * (setup->jobs ? setup->jobs : 1);
}

/* ---- figures from the counts of each tick ---- */

uint32_t herd_peak(const struct herd_setup *setup, const struct herd_result *result,
                   uint32_t span_ms)
{
    uint32_t first = setup->outage_ms / HERD_TICK_MS, span = span_ms / HERD_TICK_MS, tick, most = 0;
    uint64_t attempts = 0;
    if (first == 0)
        first = 1;
    for (tick = first; tick < result->ticks; tick++) {
        attempts += result->arrived[tick];
        if (tick >= first + span)
            attempts -= result->arrived[tick - span];
        if (attempts > most)
            most = (uint32_t)attempts;
    }
    return most;
}

/* ---- the floor ---- */

/* How many of the first attempts the server can take: all have arrived 18 ms after the longest
   pause. */
static uint64_t at_once(const struct herd_setup *setup)
{
    uint64_t last_ms = 18 + 2 * (uint64_t)setup->pause_ms;
    if (setup->outage_ms)
        return 0;
    return (herd_server_depth(setup) + setup->capacity * last_ms) / herd_server_parts(setup);
}

uint64_t herd_least_attempts(const struct herd_setup *setup)
{
    uint64_t first = at_once(setup);
    return herd_requests(setup) + (first < setup->clients ? setup->clients - first : 0);
}

uint64_t herd_least_ms(const struct herd_setup *setup, uint32_t requests)
{
    uint64_t parts = requests * herd_server_parts(setup), full = herd_server_depth(setup);
    if (requests == 0)
        return 0;
    return setup->outage_ms
           + (parts > full ? (parts - full + setup->capacity - 1) / setup->capacity : 0);
}
