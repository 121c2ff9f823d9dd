/* The simulation behind fleet and the page; fleet.h says what it models.
   SPDX-License-Identifier: MIT

   Events are kept in a wheel with one list for each millisecond. No event follows another of its
   client within a millisecond, so a list is complete when its turn comes, and an event costs the
   same whatever the number of clients is. A wait longer than the wheel is put back each time it
   comes round. A client has one event for each attempt, when it reaches the server. */
#include <stdlib.h>

#include "../recipes/retry_after.c"
#include "fleet.h"

#define WHEEL_MS 65536u /* a power of 2; longer than the usual caps of 32 and 64 s */
#define REQUEST 1000u   /* tokens; so capacity tokens come in each millisecond, and none is lost */

struct client {
    struct redial_call call;
    struct client *next;                /* in its list */
    uint32_t due_ms, attempts;
};

struct list { struct client *first, *last; };

struct fleet {
    const struct fleet_setup *setup;
    struct fleet_result *result;
    struct client *clients;
    struct list *wheel;
    struct slots slots;
    uint64_t random, tokens;
    uint32_t now_ms, filled_ms, waiting;
};

/* ---- chance ---- */

/* splitmix64: 64 uniform bits, one step of its state. */
static uint64_t draw(struct fleet *fleet)
{
    uint64_t z = fleet->random += 0x9e3779b97f4a7c15;
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

static void put(struct fleet *fleet, struct client *client)
{
    struct list *list = &fleet->wheel[client->due_ms % WHEEL_MS];
    client->next = NULL;
    if (list->first)
        list->last->next = client;
    else
        list->first = client;
    list->last = client;
}

/* What would arrive at the horizon or later is left out. */
static void send_at(struct fleet *fleet, struct client *client, uint64_t at_ms, uint64_t bits)
{
    uint64_t due_ms = at_ms + leg_ms(bits);
    if (due_ms >= fleet->setup->horizon_ms)
        return;
    client->due_ms = (uint32_t)due_ms;
    fleet->waiting++;
    put(fleet, client);
}

/* ---- the server ---- */

/* The bucket holds at least one request, and at least the capacity of a millisecond, which a fast
   server needs. */
static uint64_t depth(const struct fleet_setup *setup)
{
    uint64_t tokens = (uint64_t)setup->capacity * (setup->burst_ms ? setup->burst_ms : 1);
    return tokens < REQUEST ? REQUEST : tokens;
}

static bool takes(struct fleet *fleet)
{
    fleet->tokens += (uint64_t)fleet->setup->capacity * (fleet->now_ms - fleet->filled_ms);
    fleet->filled_ms = fleet->now_ms;
    if (fleet->tokens > depth(fleet->setup))
        fleet->tokens = depth(fleet->setup);
    if (fleet->tokens < REQUEST)
        return false;
    fleet->tokens -= REQUEST;
    return true;
}

static struct redial_outcome answer(struct fleet *fleet)
{
    uint32_t after_s = fleet->setup->after_s;
    if (fleet->now_ms < fleet->setup->outage_ms)
        return redial_http(0, 0, "GET");
    if (takes(fleet))
        return redial_http(200, 0, "GET");
    if (fleet->setup->slots)
        after_s = next_slot_s(&fleet->slots, fleet->now_ms);
    return redial_http(after_s ? 429 : 503, redial_seconds_ms(after_s), "GET");
}

/* ---- a client ---- */

static void serve(struct fleet *fleet, const struct client *client, uint32_t back_ms)
{
    struct fleet_result *result = fleet->result;
    result->served++;
    result->early += client->attempts <= FLEET_EARLY_RETRIES + 1;
    result->taken[fleet->now_ms / FLEET_TICK_MS]++;
    if (back_ms > result->last_served_ms)
        result->last_served_ms = back_ms;
}

/* A request reaches the server now, and its answer is back at back_ms. */
static void arrive(struct fleet *fleet, struct client *client)
{
    uint64_t bits = draw(fleet);
    uint32_t back_ms = fleet->now_ms + leg_ms(bits);
    struct redial_step step =
        redial_next(&client->call, back_ms, answer(fleet), (uint32_t)(bits >> 32));
    client->attempts++;
    fleet->result->attempts++;
    fleet->result->arrived[fleet->now_ms / FLEET_TICK_MS]++;
    if (step.verdict == REDIAL_DONE)
        serve(fleet, client, back_ms);
    else if (step.verdict == REDIAL_WAIT)
        send_at(fleet, client, (uint64_t)back_ms + step.delay_ms, bits >> 16);
    else
        fleet->result->gave_up++;
}

/* ---- the run ---- */

static void millisecond(struct fleet *fleet)
{
    struct list *list = &fleet->wheel[fleet->now_ms % WHEEL_MS];
    struct client *client = list->first, *next;
    list->first = NULL;
    for (; client; client = next) {
        next = client->next;
        if (client->due_ms == fleet->now_ms) {
            fleet->waiting--;
            arrive(fleet, client);
        } else {
            put(fleet, client);
        }
    }
}

static void simulate(struct fleet *fleet)
{
    const struct fleet_setup *setup = fleet->setup;
    struct fleet_result *result = fleet->result;
    uint32_t i;
    for (i = 0; i < setup->clients; i++) {
        redial_begin(&fleet->clients[i].call, &setup->policy, 0);
        send_at(fleet, &fleet->clients[i], 0, draw(fleet));
    }
    for (; fleet->now_ms < setup->horizon_ms && fleet->waiting; fleet->now_ms++)
        millisecond(fleet);
    result->now_ms = fleet->now_ms;
    if (result->served + result->gave_up < setup->clients)
        result->now_ms = setup->horizon_ms;   /* those that are left would call later */
}

bool fleet_run(const struct fleet_setup *setup, struct fleet_result *result)
{
    struct fleet fleet = { .setup = setup, .result = result, .random = setup->seed,
                           .tokens = depth(setup), .slots = { .rate = setup->capacity } };
    bool fine;
    *result = (struct fleet_result){ .ticks = setup->horizon_ms / FLEET_TICK_MS + 1 };
    result->arrived = calloc(result->ticks, sizeof *result->arrived);
    result->taken = calloc(result->ticks, sizeof *result->taken);
    fleet.clients = calloc(setup->clients, sizeof *fleet.clients);
    fleet.wheel = calloc(WHEEL_MS, sizeof *fleet.wheel);
    fine = result->arrived && result->taken && fleet.clients && fleet.wheel
           && !redial_policy_error(&setup->policy);
    if (fine)
        simulate(&fleet);
    else
        fleet_free(result);
    free(fleet.clients);
    free(fleet.wheel);
    return fine;
}

void fleet_free(struct fleet_result *result)
{
    free(result->arrived);
    free(result->taken);
    result->arrived = result->taken = NULL;
}

/* ---- the figures ---- */

uint32_t fleet_peak(const struct fleet_setup *setup, const struct fleet_result *result)
{
    uint32_t first = setup->outage_ms / FLEET_TICK_MS, span = 1000 / FLEET_TICK_MS, tick, most = 0;
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

/* The server can take this many first attempts: all have arrived after 18 ms. */
uint64_t fleet_least_attempts(const struct fleet_setup *setup)
{
    uint64_t first = setup->outage_ms ? 0 : (depth(setup) + setup->capacity * 18ull) / REQUEST;
    return first < setup->clients ? 2 * (uint64_t)setup->clients - first : setup->clients;
}

uint64_t fleet_least_ms(const struct fleet_setup *setup, uint32_t requests)
{
    uint64_t tokens = (uint64_t)requests * REQUEST, full = depth(setup);
    if (requests == 0)
        return 0;
    return setup->outage_ms
           + (tokens > full ? (tokens - full + setup->capacity - 1) / setup->capacity : 0);
}
