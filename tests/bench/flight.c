/* A thousand to a million calls in flight in one thread: memory for each, and decisions a second, when they come in
   the order of the array and when each is far from the last. SPDX-License-Identifier: MIT */
#include <malloc.h>

#include "bench.h"
#include "redial.h"

#define RUNS 5
#define DECISIONS 1000000

static const struct redial_policy policy = {
    .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = REDIAL_NO_LIMIT
};

static uint32_t bits(void)
{
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void *memory(size_t count, size_t size)
{
    void *room = calloc(count, size);
    if (!room) {
        fprintf(stderr, "flight: no memory for %zu times %zu bytes\n", count, size);
        exit(1);
    }
    return room;
}

static double bytes_in_use(void)
{
    struct mallinfo2 use = mallinfo2();
    return (double)(use.uordblks + use.hblkhd);
}

static void shuffle(uint32_t *order, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = bits() % i, was = order[i - 1];
        order[i - 1] = order[other];
        order[other] = was;
    }
}

static double decisions_a_second(struct redial_call *calls, const uint32_t *order, uint32_t count)
{
    static uint32_t now_ms;
    uint32_t i, granted = 0;
    double start = cpu_ns();
    for (i = 0; i < DECISIONS; i++)
        granted += redial_next(&calls[order[i % count]], redial_http(503, 0), now_ms++, bits()).verdict == REDIAL_RETRY;
    if (granted != DECISIONS) {
        fprintf(stderr, "flight: %u of %u decisions were to retry\n", (unsigned)granted, (unsigned)DECISIONS);
        exit(1);
    }
    return DECISIONS / (cpu_ns() - start) * 1e9;
}

static double median_rate(struct redial_call *calls, const uint32_t *order, uint32_t count)
{
    double rates[RUNS];
    for (int i = 0; i < RUNS; i++)
        rates[i] = decisions_a_second(calls, order, count);
    return spread_of(rates, RUNS).median;
}

static void fly(uint32_t count)
{
    uint32_t *order = memory(count, sizeof *order), i;
    double before = bytes_in_use(), in_order, far_apart;
    struct redial_call *calls = memory(count, sizeof *calls);
    for (i = 0; i < count; i++) {
        order[i] = i;
        redial_begin(&calls[i], &policy, 0);
    }
    in_order = median_rate(calls, order, count);
    shuffle(order, count);
    far_apart = median_rate(calls, order, count);
    printf("%u %.1f %.1f %.1f\n", (unsigned)count, (bytes_in_use() - before) / count, in_order / 1e6, far_apart / 1e6);
    free(calls);
    free(order);
}

int main(void)
{
    for (uint32_t count = 1000; count <= 1000000; count *= 10)
        fly(count);
    return 0;
}
