/* Makes the calls that are measured: `cost count` makes each once, for callgrind; `cost time` makes each many times.
   SPDX-License-Identifier: MIT */
#include <string.h>

#include "bench.h"
#include "redial_fake.h"

#define RUNS 9
#define CALLS 100000

static struct redial_policy policies[REDIAL_JITTER_NONE + 1];   /* by their mode of jitter */
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
    struct redial_report report;
    return redial_run(&policies[0], &fake.env, operation, NULL, &report) == REDIAL_DONE && report.attempts == 1;
}

static bool system_run_once(void)
{
    struct redial_report report;
    return redial_run(&policies[0], redial_system(), operation, NULL, &report) == REDIAL_DONE && report.attempts == 1;
}

static bool granted(struct redial_step step, uint32_t delay_ms)
{
    return step.verdict == REDIAL_RETRY && step.delay_ms == delay_ms;
}

static bool next_once(void)
{
    struct redial_call call = begun;
    return granted(redial_next(&call, redial_http(503, 0), 20, 0x80000000), 1500);
}

static bool next_retry_after_once(void)
{
    struct redial_call call = begun;
    return granted(redial_next(&call, redial_http(503, 7000), 20, 0x80000000), 7500);
}

static bool added_draw_once(void)
{
    return redial_random_delay_ms(&policies[REDIAL_JITTER_ADDED], 3, 0x80000000) == 8500;
}

static bool spread_draw_once(void)
{
    return redial_random_delay_ms(&policies[REDIAL_JITTER_SPREAD], 5, 0x80000000) == 24000;
}

static bool equal_draw_once(void)
{
    return redial_random_delay_ms(&policies[REDIAL_JITTER_EQUAL], 3, 0x80000000) == 6000;
}

static bool full_draw_once(void)
{
    return redial_random_delay_ms(&policies[REDIAL_JITTER_FULL], 3, 0x80000000) == 4000;
}

static bool parse_seconds_once(void)
{
    static const char text[] = "120";
    uint32_t ms;
    return redial_parse_retry_after(text, sizeof text - 1, 784111717, &ms) && ms == 120000;
}

static bool parse_date_once(void)
{
    static const char text[] = "Sun, 06 Nov 1994 08:49:37 GMT";
    uint32_t ms;
    return redial_parse_retry_after(text, sizeof text - 1, 784111717, &ms) && ms == 60000;
}

static const struct work {
    const char *name;
    bool (*once)(void);
} works[] = {
    { "direct", direct_once }, { "run", run_once }, { "system_run", system_run_once },
    { "next", next_once }, { "next_retry_after", next_retry_after_once },
    { "added_draw", added_draw_once }, { "spread_draw", spread_draw_once },
    { "equal_draw", equal_draw_once }, { "full_draw", full_draw_once },
    { "parse_seconds", parse_seconds_once }, { "parse_date", parse_date_once }
};

static void must(bool right, const struct work *work)
{
    if (right)
        return;
    fprintf(stderr, "cost: %s gave a wrong result\n", work->name);
    exit(1);
}

static void count(const struct work *work)
{
    if (work->once != system_run_once)   /* what the clock costs there is not ours, and differs */
        must(work->once(), work);
}

static double run_ns(const struct work *work)
{
    double start = cpu_ns();
    for (int i = 0; i < CALLS; i++)
        must(work->once(), work);
    return (cpu_ns() - start) / CALLS;
}

static void measure(const struct work *work)
{
    double ns[RUNS];
    struct spread spread;
    for (int i = 0; i < RUNS; i++)
        ns[i] = run_ns(work);
    spread = spread_of(ns, RUNS);
    printf("%s %.1f %.1f %.1f\n", work->name, spread.median, spread.least, spread.most);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "count") != 0 && strcmp(argv[1], "time") != 0)) {
        fprintf(stderr, "usage: cost count|time\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        policies[i] = redial_policy_default();
        policies[i].jitter = (enum redial_jitter)i;
    }
    redial_fake_init(&fake);
    redial_begin(&begun, &policies[0], 0);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        (strcmp(argv[1], "count") == 0 ? count : measure)(&works[i]);
    return 0;
}
