/* The simulation behind herd and the page; herd_model.h says what it models.
   SPDX-License-Identifier: MIT

   Events are kept in a wheel with one list for each millisecond. No event follows another of its
   client within a millisecond, so a list is complete when its turn comes, and an event costs the
   same whatever the number of clients is. A wait longer than the wheel is put back each time it
   comes round. A client without a process has one event for each attempt, when it reaches the
   server. In a process it has three, because the gate is looked at when a request leaves and closed
   when an answer arrives. */
#include <stdlib.h>

#include "herd_model.h"
#include "herd_server.h"

#define WHEEL_MS 65536u /* a power of 2; longer than the usual caps of 32 and 64 s */
#define NOBODY UINT32_MAX

enum event { ARRIVES, LEAVES, ANSWERED };

struct client {
    struct redial_call call;
    uint32_t due_ms, next, attempts, jobs_left;
    struct redial_outcome answer;       /* that is on its way */
    uint8_t event;                      /* at due_ms */
};

struct process {
    struct redial_policy policy;
    struct redial_budget budget;
    struct redial_gate gate;
};

struct list { uint32_t first, last; };

struct herd {
    struct herd_setup setup;
    struct herd_result *result;
    struct herd_server server;
    struct process *processes;
    struct client *clients;
    struct list *wheel;
    uint64_t random;
    uint32_t now_ms, waiting;
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

static void put_at(struct herd *herd, uint32_t number, enum event event, uint64_t due_ms)
{
    if (due_ms >= herd->setup.horizon_ms)
        return;
    herd->clients[number].due_ms = (uint32_t)due_ms;
    herd->clients[number].event = (uint8_t)event;
    herd->waiting++;
    put(herd, number);
}

/* ---- a client ---- */

/* bits: the lowest 16 say how long the request is under way, if it is not held back. */
static void send_at(struct herd *herd, uint32_t number, uint64_t at_ms, uint64_t bits)
{
    if (!herd->setup.workers)
        put_at(herd, number, ARRIVES, at_ms + leg_ms(bits));
    else
        put_at(herd, number, LEAVES, at_ms);
}

static const struct redial_policy *policy_of(const struct herd *herd, uint32_t number)
{
    return &herd->processes[herd->setup.workers ? number / herd->setup.workers : 0].policy;
}

static uint64_t pause_ms(struct herd *herd)
{
    uint64_t width = 2 * (uint64_t)herd->setup.pause_ms + 1;
    return herd->setup.pause_ms ? (draw(herd) >> 32) * width >> 32 : 0;
}

static void begin(struct herd *herd, uint32_t number, uint64_t after_ms, uint64_t bits)
{
    uint64_t at_ms = after_ms + pause_ms(herd);
    redial_begin(&herd->clients[number].call, policy_of(herd, number), (uint32_t)at_ms);
    send_at(herd, number, at_ms, bits);
}

static void next_job(struct herd *herd, uint32_t number, uint32_t now_ms, uint64_t bits)
{
    struct client *client = &herd->clients[number];
    if (client->jobs_left == 0)
        return;
    client->jobs_left--;
    client->attempts = 0;
    begin(herd, number, (uint64_t)now_ms + 1, bits);
}

static void decide(struct herd *herd, uint32_t number, struct redial_outcome outcome,
                   uint32_t now_ms, uint64_t bits)
{
    struct redial_step step =
        redial_next(&herd->clients[number].call, now_ms, outcome, (uint32_t)(bits >> 32));
    if (step.verdict == REDIAL_WAIT) {
        if (step.delay_ms == 0 && herd->setup.workers)
            step.delay_ms = 1;
        send_at(herd, number, (uint64_t)now_ms + step.delay_ms, bits >> 16);
        return;
    }
    herd->result->gave_up += step.verdict != REDIAL_DONE;
    next_job(herd, number, now_ms, bits >> 16);
}

static void serve(struct herd *herd, const struct client *client, uint32_t at_ms)
{
    struct herd_result *result = herd->result;
    result->served++;
    result->early += client->attempts <= HERD_EARLY_RETRIES + 1;
    result->taken[herd->now_ms / HERD_TICK_MS]++;
    if (at_ms > result->last_served_ms)
        result->last_served_ms = at_ms;
}

/* A request reaches the server now, and its answer is back at back_ms. */
static void arrive(struct herd *herd, uint32_t number)
{
    struct client *client = &herd->clients[number];
    uint64_t bits = draw(herd);
    uint32_t back_ms = herd->now_ms + leg_ms(bits);
    struct redial_outcome outcome = herd_server_answer(&herd->server, herd->now_ms);
    client->attempts++;
    herd->result->attempts++;
    herd->result->arrived[herd->now_ms / HERD_TICK_MS]++;
    if (outcome.code == 200)
        serve(herd, client, back_ms);
    if (!herd->setup.workers) {
        decide(herd, number, outcome, back_ms, bits);
        return;
    }
    client->answer = outcome;
    put_at(herd, number, ANSWERED, back_ms);
}

/* ---- a client of a process ---- */

static struct redial_gate *gate_of(struct herd *herd, uint32_t number)
{
    return &herd->processes[number / herd->setup.workers].gate;
}

static void leave(struct herd *herd, uint32_t number)
{
    uint64_t bits = draw(herd);
    uint32_t left_ms = redial_gate_left_ms(gate_of(herd, number), herd->now_ms);
    if (left_ms) {
        herd->result->held++;
        decide(herd, number, redial_held(left_ms), herd->now_ms, bits);
    } else {
        put_at(herd, number, ARRIVES, (uint64_t)herd->now_ms + leg_ms(bits));
    }
}

static void hear(struct herd *herd, uint32_t number)
{
    struct redial_outcome answer = herd->clients[number].answer;
    if (herd->setup.gate && answer.code == 429)
        redial_gate_close(gate_of(herd, number), herd->now_ms, answer.retry_after_ms);
    decide(herd, number, answer, herd->now_ms, draw(herd));
}

/* ---- the run ---- */

static void happen(struct herd *herd, uint32_t number)
{
    static void (*const what[])(struct herd *, uint32_t) = {
        [ARRIVES] = arrive, [LEAVES] = leave, [ANSWERED] = hear
    };
    herd->waiting--;
    what[herd->clients[number].event](herd, number);
}

static void millisecond(struct herd *herd)
{
    struct list *list = &herd->wheel[herd->now_ms % WHEEL_MS];
    uint32_t number = list->first;
    list->first = NOBODY;
    while (number != NOBODY) {
        uint32_t next = herd->clients[number].next;
        if (herd->clients[number].due_ms == herd->now_ms)
            happen(herd, number);
        else
            put(herd, number);
        number = next;
    }
}

static void simulate(struct herd *herd)
{
    const struct herd_setup *setup = &herd->setup;
    struct herd_result *result = herd->result;
    while (herd->now_ms < setup->horizon_ms && herd->waiting && !result->stopped) {
        result->now_ms = herd->now_ms;
        if (setup->watch && herd->now_ms % 1000 == 0)
            result->stopped = !setup->watch(result);
        millisecond(herd);
        herd->now_ms++;
    }
    if (!herd->waiting && !result->stopped
        && result->served + result->gave_up < herd_requests(setup))
        /* all clients that are left would call later than that */
        herd->now_ms = setup->horizon_ms;
    result->now_ms = herd->now_ms;
}

/* ---- before and after ---- */

static uint32_t count_processes(const struct herd_setup *setup)
{
    return setup->workers ? (setup->clients - 1) / setup->workers + 1 : 1;
}

static void prepare_process(struct process *process, const struct herd_setup *setup)
{
    process->policy = setup->policy;
    process->policy.budget = setup->budget ? &process->budget : NULL;
    redial_budget_init(&process->budget, setup->budget, HERD_BUDGET_PERCENT);
}

static void prepare(struct herd *herd)
{
    uint32_t number;
    for (number = 0; number < WHEEL_MS; number++)
        herd->wheel[number].first = NOBODY;
    for (number = 0; number < count_processes(&herd->setup); number++)
        prepare_process(&herd->processes[number], &herd->setup);
    for (number = 0; number < herd->setup.clients; number++) {
        herd->clients[number].jobs_left = herd->setup.jobs - 1;
        begin(herd, number, 0, draw(herd));
    }
}

static bool allocate(struct herd *herd)
{
    struct herd_result *result = herd->result;
    result->arrived = calloc(result->ticks, sizeof *result->arrived);
    result->taken = calloc(result->ticks, sizeof *result->taken);
    herd->processes = calloc(count_processes(&herd->setup), sizeof *herd->processes);
    herd->clients = calloc(herd->setup.clients, sizeof *herd->clients);
    herd->wheel = calloc(WHEEL_MS, sizeof *herd->wheel);
    return result->arrived && result->taken && herd->processes && herd->clients && herd->wheel;
}

bool herd_run(const struct herd_setup *setup, struct herd_result *result)
{
    struct herd herd = { .setup = *setup, .result = result, .random = setup->seed };
    bool fine;
    herd.setup.jobs += setup->jobs == 0;
    *result = (struct herd_result){ .ticks = setup->horizon_ms / HERD_TICK_MS + 1 };
    herd_server_init(&herd.server, &herd.setup);
    fine = !redial_policy_error(&setup->policy) && allocate(&herd);
    if (fine) {
        prepare(&herd);
        simulate(&herd);
    } else {
        herd_free(result);
    }
    free(herd.processes);
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
