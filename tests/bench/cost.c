/* One call of what is measured, for callgrind to count. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "redial_fake.h"

static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
static const struct redial_policy full = { 1000, 32000, 1000, 5, 0, 0, 0, REDIAL_JITTER_FULL, NULL, NULL, NULL };

static struct redial_outcome succeed(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(200, 0);
}

static unsigned run_once(void)
{
    struct redial_report report;
    struct redial_fake fake;
    redial_fake_init(&fake);
    return redial_run(&policy, &fake.env, succeed, NULL, &report) == REDIAL_DONE && report.attempts == 1;
}

static unsigned next_once(void)
{
    struct redial_call call;
    struct redial_step step;
    redial_begin(&call, &policy, 0);
    step = redial_next(&call, redial_http(503, 0), 20, 0x80000000);
    return step.verdict == REDIAL_AGAIN && step.delay_ms == 1500;
}

static unsigned draw_once(void)
{
    return redial_draw_ms(&full, 3, 0x80000000) == 4000;
}

int main(int count, char **arguments)
{
    static const struct { const char *name; unsigned (*once)(void); } works[] = {
        { "redial_run", run_once }, { "redial_next", next_once }, { "redial_draw_ms", draw_once }
    };
    size_t i;
    for (i = 0; i < sizeof works / sizeof *works; i++)
        if (count == 2 && strcmp(works[i].name, arguments[1]) == 0)
            return !works[i].once();
    fprintf(stderr, "cost: redial_run, redial_next or redial_draw_ms, not '%s'\n", count == 2 ? arguments[1] : "");
    return 2;
}
