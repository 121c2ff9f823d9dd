/* The simulation behind herd and choose; herd_model.h says what it models. SPDX-License-Identifier: MIT

   Events are kept in a wheel with one list for each millisecond. No request follows another of its client
   within a millisecond, so a list is complete when its turn comes, and an event costs the same whatever the
   number of clients is. A wait longer than the wheel is put back each time it comes round. */
#include <stdlib.h>

#include "herd_model.h"

#define WHEEL_MS 65536u                 /* a power of 2; longer than the usual caps of 32 and 64 s */
#define NOBODY UINT32_MAX

struct client {
    struct redial_call call;
    uint32_t due_ms, next, calls;
};

struct list { uint32_t first, last; };

struct herd {
    const struct herd_setup *setup;
    struct herd_result *result;
    struct redial_policy policy;
    struct redial_budget budget;
    struct client *clients;
    struct list *wheel;
    uint64_t random, queue;             /* queue: the last place given out, in places since 0 ms */
    uint32_t now_ms, waiting, window, taken;
};

/* ---- chance ---- */

/* splitmix64: 64 uniform bits, one step of its state. */
static uint64_t draw(struct herd *herd)
{
    uint64_t z = herd->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* How long a message is under way, from the lowest 16 of the bits. */
static uint32_t leg_ms(uint64_t bits)
{
    uint32_t ones = (uint32_t)bits & 0xffff;
    ones = (ones & 0x5555) + (ones >> 1 & 0x5555);
    ones = (ones & 0x3333) + (ones >> 2 & 0x3333);
    ones = (ones & 0x0f0f) + (ones >> 4 & 0x0f0f);
    return 2 + (ones & 0xff) + (ones >> 8);
}

/* ---- the wheel ---- */

static void put(struct herd *herd, uint32_t number)
{
    struct list *list = &herd->wheel[herd->clients[number].due_ms % WHEEL_MS];
    herd->clients[number].next = NOBODY;
    if (list->first == NOBODY)
        list->first = number;
    else
        herd->clients[list->last].next = number;
    list->last = number;
}

static void send_at(struct herd *herd, uint32_t number, uint64_t due_ms)
{
    if (due_ms >= herd->setup->horizon_ms)
        return;
    herd->clients[number].due_ms = (uint32_t)due_ms;
    herd->waiting++;
    put(herd, number);
}

/* ---- the server ---- */

static bool takes(struct herd *herd)
{
    uint64_t quota = (uint64_t)herd->setup->capacity * herd->setup->window_ms;
    uint32_t window = herd->now_ms / herd->setup->window_ms;
    if (window != herd->window) {
        herd->window = window;
        herd->taken = 0;
    }
    if (herd->taken >= quota * (window + 1) / 1000 - quota * window / 1000)
        return false;
    herd->taken++;
    return true;
}

static uint32_t place_s(struct herd *herd)
{
    uint64_t now = (uint64_t)herd->now_ms * herd->setup->capacity / 1000;
    if (herd->queue < now)
        herd->queue = now;
    herd->queue++;
    return (uint32_t)((herd->queue - now + herd->setup->capacity - 1) / herd->setup->capacity);
}

static struct redial_outcome answer(struct herd *herd)
{
    if (herd->now_ms < herd->setup->outage_ms)
        return redial_http(0, 0);
    if (takes(herd))
        return redial_http(200, 0);
    if (herd->setup->answer == HERD_SLOT)
        return redial_http(429, place_s(herd) * 1000);
    return redial_http(503, herd->setup->answer == HERD_CONSTANT ? herd->setup->after_s * 1000 : 0);
}

/* ---- a client ---- */

static void serve(struct herd *herd, const struct client *client, uint32_t at_ms)
{
    struct herd_result *result = herd->result;
    result->served++;
    result->early += client->calls <= HERD_EARLY_RETRIES + 1;
    result->taken[herd->now_ms / HERD_TICK_MS]++;
    if (at_ms > result->last_served_ms)
        result->last_served_ms = at_ms;
}

/* A request reaches the server now: its answer, and what the client makes of it when that arrives. */
static void arrive(struct herd *herd, uint32_t number)
{
    struct client *client = &herd->clients[number];
    uint64_t bits = draw(herd);
    uint32_t back_ms = herd->now_ms + leg_ms(bits);
    struct redial_step step = redial_next(&client->call, answer(herd), back_ms, (uint32_t)(bits >> 32));
    client->calls++;
    herd->result->calls++;
    herd->result->arrived[herd->now_ms / HERD_TICK_MS]++;
    herd->waiting--;
    if (step.verdict == REDIAL_RETRY)
        send_at(herd, number, (uint64_t)back_ms + step.delay_ms + leg_ms(bits >> 16));
    else if (step.verdict == REDIAL_DONE)
        serve(herd, client, back_ms);
    else
        herd->result->gave_up++;
}

/* ---- the run ---- */

static void millisecond(struct herd *herd)
{
    struct list *list = &herd->wheel[herd->now_ms % WHEEL_MS];
    uint32_t number = list->first;
    list->first = NOBODY;
    while (number != NOBODY) {
        uint32_t next = herd->clients[number].next;
        if (herd->clients[number].due_ms == herd->now_ms)
            arrive(herd, number);
        else
            put(herd, number);
        number = next;
    }
}

static void simulate(struct herd *herd)
{
    const struct herd_setup *setup = herd->setup;
    struct herd_result *result = herd->result;
    while (herd->now_ms < setup->horizon_ms && herd->waiting && !result->stopped) {
        result->now_ms = herd->now_ms;
        if (setup->watch && herd->now_ms % 1000 == 0)
            result->stopped = !setup->watch(setup->user, result);
        millisecond(herd);
        herd->now_ms++;
    }
    if (!herd->waiting && !result->stopped && result->served + result->gave_up < setup->clients)
        herd->now_ms = setup->horizon_ms;   /* whoever is left would call later than that */
    result->now_ms = herd->now_ms;
}

static bool prepare(struct herd *herd, const struct herd_setup *setup)
{
    uint32_t number;
    herd->setup = setup;
    herd->policy = setup->policy;
    herd->random = setup->seed;
    herd->policy.budget = setup->budget ? &herd->budget : NULL;
    redial_budget_init(&herd->budget, setup->budget_capacity, setup->budget_percent);
    for (number = 0; number < WHEEL_MS; number++)
        herd->wheel[number].first = NOBODY;
    for (number = 0; number < setup->clients; number++) {
        if (!redial_begin(&herd->clients[number].call, &herd->policy, 0))
            return false;
        send_at(herd, number, leg_ms(draw(herd)));
    }
    return true;
}

bool herd_run(const struct herd_setup *setup, struct herd_result *result)
{
    struct herd herd = { .result = result };
    bool fine;
    *result = (struct herd_result){ .ticks = setup->horizon_ms / HERD_TICK_MS + 1 };
    result->arrived = calloc(result->ticks, sizeof *result->arrived);
    result->taken = calloc(result->ticks, sizeof *result->taken);
    herd.clients = calloc(setup->clients, sizeof *herd.clients);
    herd.wheel = calloc(WHEEL_MS, sizeof *herd.wheel);
    fine = result->arrived && result->taken && herd.clients && herd.wheel && prepare(&herd, setup);
    if (fine)
        simulate(&herd);
    else
        herd_free(result);
    free(herd.clients);
    free(herd.wheel);
    return fine;
}

void herd_free(struct herd_result *result)
{
    free(result->arrived);
    free(result->taken);
    result->arrived = result->taken = NULL;
}

/* ---- what the ticks say ---- */

uint32_t herd_peak(const struct herd_setup *setup, const struct herd_result *result)
{
    uint32_t first = setup->outage_ms / HERD_TICK_MS, tick, most = 0;
    uint64_t second = 0;
    if (first == 0)
        first = 1;
    for (tick = first; tick < result->ticks; tick++) {
        second += result->arrived[tick];
        if (tick >= first + 1000 / HERD_TICK_MS)
            second -= result->arrived[tick - 1000 / HERD_TICK_MS];
        if (second > most)
            most = (uint32_t)second;
    }
    return most;
}

uint32_t herd_share_ms(const struct herd_setup *setup, const struct herd_result *result, uint32_t permille)
{
    uint64_t needed = ((uint64_t)setup->clients * permille + 999) / 1000, served = 0;
    uint32_t tick;
    for (tick = 0; tick < result->ticks; tick++) {
        served += result->taken[tick];
        if (served >= needed)
            return (tick + 1) * HERD_TICK_MS;
    }
    return UINT32_MAX;
}
