/* Makes the calls that are measured: `cost count` makes each once, for callgrind; `cost time` makes each many times,
   and prints the median of its processor time in ns. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "redial_fake.h"

#define RUNS 9
#define CALLS 100000

static struct redial_policy policy, full_jitter;
static struct redial_fake fake;
static struct redial_call begun;

static struct redial_outcome succeed(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(200, 0);
}

/* The compiler must not know the values here, as it does not know them in redial_run's callers. */
static redial_operation *volatile operation = succeed;

static bool direct_once(void)
{
    static const struct redial_attempt first = { 1, UINT32_MAX, NULL };
    return operation(NULL, &first).code == 200;
}

/* Each of these functions calls what it measures directly, so callgrind reports them separately. */
static bool run_once(void)
{
    return redial_run(&policy, &fake.env, operation, NULL, NULL) == REDIAL_DONE;
}

static bool system_run_once(void)
{
    return redial_run(&policy, redial_system(), operation, NULL, NULL) == REDIAL_DONE;
}

static bool next_once(void)
{
    struct redial_call call = begun;
    struct redial_step step = redial_next(&call, redial_http(503, 0), 20, 0x80000000);
    return step.verdict == REDIAL_RETRY && step.delay_ms == 1500;
}

static bool full_draw_once(void)
{
    return redial_random_delay_ms(&full_jitter, 3, 0x80000000) == 4000;
}

static const struct work {
    const char *name;
    bool (*once)(void);
} works[] = {
    { "direct", direct_once }, { "run", run_once }, { "system_run", system_run_once }, { "next", next_once },
    { "full_draw", full_draw_once }
};

static void call(const struct work *work)
{
    if (work->once())
        return;
    fprintf(stderr, "cost: %s gave a wrong result\n", work->name);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const struct work *work)
{
    double ns[RUNS];
    for (int run = 0; run < RUNS; run++) {
        clock_t start = clock();
        for (int i = 0; i < CALLS; i++)
            call(work);
        ns[run] = (double)(clock() - start) * 1e9 / CLOCKS_PER_SEC / CALLS;
    }
    qsort(ns, RUNS, sizeof *ns, by_size);
    printf("%s %.1f\n", work->name, ns[RUNS / 2]);
}

int main(int argc, char **argv)
{
    bool count = argc == 2 && strcmp(argv[1], "count") == 0;
    policy = full_jitter = redial_policy_default();
    full_jitter.jitter = REDIAL_JITTER_FULL;
    redial_fake_init(&fake);
    redial_begin(&begun, &policy, 0);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (!count)
            measure(&works[i]);
        else if (works[i].once != system_run_once)   /* what the clock costs there is not ours, and differs */
            call(&works[i]);
    return 0;
}
