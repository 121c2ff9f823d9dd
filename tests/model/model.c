/* Random histories of a call and of a gate, and with run.h and parsers.h of a run and of texts: the
   library does what the model does. The inputs are the same each time. It also has what an int of
   16 bits changes, because it runs on machines without a libc, too. Prints "N passed, 0 failed".
   With -DFUZZ it is a target for libFuzzer. SPDX-License-Identifier: MIT */
#include "run.h"
#if defined(__unix__) || defined(__APPLE__)
#include "parsers.h"
#endif

static unsigned long decisions[REDIAL_CANCELLED + 1], answers[REDIAL_WAIT + 1];   /* of each kind */

static void same_step(const char *what, struct redial_step got, struct redial_step expected)
{
    same(what, got.verdict, expected.verdict);
    same(redial_verdict_name(got.verdict), got.delay_ms, expected.delay_ms);
    same("timeout_ms", got.timeout_ms, expected.timeout_ms);
}

static void same_state(const struct redial_call *call, const struct model *model, uint32_t now_ms)
{
    struct redial_step step = redial_ready(call, now_ms);
    same_step("redial_ready", step, model_ready(model, now_ms));
    if (step.verdict <= REDIAL_WAIT)
        answers[step.verdict]++;
    same("redial_retries", redial_retries(call), model->retries);
    same("redial_elapsed_ms", redial_elapsed_ms(call, now_ms), model_elapsed_ms(model, now_ms));
    if (model->policy->budget)
        same("tokens", redial_budget_tokens(model->policy->budget), model->cents / 100);
}

/* Another process continues the call after any history, with another clock. The budget stays. */
static void resume(struct bytes *bytes, struct redial_call *call, struct model *model,
                   uint32_t *now_ms)
{
    uint32_t retries = number(bytes), elapsed_ms = number(bytes);
    *now_ms = number(bytes);
    same("redial_resume", redial_resume(call, model->policy, retries, elapsed_ms, *now_ms), true);
    model->retries = retries;
    model->polls = 0;
    model->elapsed_ms = elapsed_ms;
    model->then_ms = *now_ms;
    model->wait_ms = 0;
    same_state(call, model, *now_ms);
}

static void one_step(struct bytes *bytes, struct redial_call *call, struct model *model,
                     uint32_t *now_ms)
{
    struct redial_outcome outcome = some_outcome(bytes);
    uint32_t random = number(bytes);
    struct redial_step step = redial_next(call, *now_ms, outcome, random);
    same_step("redial_next", step, model_next(model, outcome, *now_ms, random));
    decisions[step.verdict]++;
    *now_ms = some_time(bytes, *now_ms, step.delay_ms);
    same_state(call, model, *now_ms);
}

static void same_waits(struct bytes *bytes, const struct redial_policy *policy)
{
    uint32_t n = small_number(bytes), value = number(bytes), high = number(bytes);
    same("redial_delay_ms", redial_delay_ms(policy, n, value),
         wide_delay(policy->base_ms, policy->cap_ms, n, value));
    same("redial_between_ms", redial_between_ms(n, high, value),
         wide_uniform(n, wide_max(n, high), value));
}

static void call_history(struct bytes *bytes)
{
    struct redial_budget budget;
    struct redial_policy policy = some_policy(bytes, &budget);
    uint32_t now_ms = number(bytes), capacity = small_number(bytes), percent = number(bytes);
    struct model model = model_begin(&policy, capacity, percent, now_ms);
    struct redial_call call;
    bool begun = redial_begin(&call, &policy, now_ms);
    redial_budget_init(&budget, capacity, percent);
    same("redial_begin", begun, valid(&policy));
    same("redial_policy_error is NULL", !redial_policy_error(&policy), begun);
    if (!begun)
        return;
    same_waits(bytes, &policy);
    while (bytes->at != bytes->end) {
        unsigned choice = byte(bytes);
        struct redial_policy other = policy;
        if (choice == 255)
            other = some_policy(bytes, &budget);
        if (valid(&other))   /* any valid one may replace the policy of the call */
            policy = other;
        if (choice == 254)
            resume(bytes, &call, &model, &now_ms);
        one_step(bytes, &call, &model, &now_ms);
    }
}

/* ---- a gate, on a time that does not wrap; readings are up to an hour old ---- */

static const uint64_t longest_ms = UINT64_C(24) * 24 * 3600 * 1000;

/* The end of a closing. An end at which the clock shows 0 is 1 ms later. */
static uint64_t end_of(uint64_t time_ms, uint64_t ms)
{
    uint64_t end_ms = time_ms + wide_min(ms, longest_ms);
    return ms == 0 ? 0 : end_ms + ((end_ms & UINT32_MAX) == 0);
}

static void gate_history(struct bytes *bytes)
{
    struct redial_gate gate = { 0, 0 };
    uint64_t now_ms = (UINT64_C(1) << 32) + number(bytes), end_ms = 0;
    while (bytes->at != bytes->end) {
        unsigned choice = byte(bytes);
        uint64_t time_ms = now_ms - (choice & 8 ? number(bytes) % 3600001 : 0);
        uint32_t reading = after(0, time_ms), ms = number(bytes);
        if (choice % 8 == 0) {
            redial_gate_open(&gate);
            end_ms = 0;
        } else if (choice % 8 == 1) {
            redial_gate_throttle(&gate, reading, ms);
            end_ms = wide_max(end_ms, end_of(time_ms, wide_min(wide_max(ms, 1000), 5000)));
        } else if (choice % 8 <= 3) {
            redial_gate_close(&gate, reading, ms);
            end_ms = wide_max(end_ms, end_of(time_ms, ms));
        } else if (choice % 8 == 4) {
            now_ms += choice & 16 ? ms % (UINT32_C(1) << 30) : ms % 8192;
            time_ms = now_ms;
        }
        same("redial_gate_left_ms", redial_gate_left_ms(&gate, after(0, time_ms)),
             end_ms > time_ms ? end_ms - time_ms : 0);
        if (end_ms <= time_ms)
            end_ms = 0;   /* for good, also for an older reading */
    }
}

/* ---- all of them ---- */

/* The first byte says which. */
static void any_history(struct bytes bytes)
{
    unsigned choice = byte(&bytes) % 16;
    if (choice < 2)
        gate_history(&bytes);
#ifdef PARSERS_H
    else if (choice < 6)
        parsers_history(&bytes);
#endif
    else if (choice < 11)
        run_history(bytes);
    else
        call_history(&bytes);
}

#ifdef FUZZ

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    any_history((struct bytes){ data, data + size });
    return 0;
}

#else

static void random_inputs(uint32_t count)
{
    uint32_t random = 1;
    for (; count > 0; count--) {
        uint8_t input[200];
        unsigned at;
        for (at = 0; at < sizeof input; at++) {
            random = (uint32_t)((random * UINT64_C(747796405) + 2891336453) & UINT32_MAX);
            input[at] = (uint8_t)(random >> 24);
        }
        any_history((struct bytes){ input, input + sizeof input - input[sizeof input - 1] % 100u });
    }
}

/* Or random inputs would show less than they seem to. never: a bit for each that must not come. */
static void each_came(const char *what, const unsigned long *counts, unsigned last, unsigned never)
{
    unsigned i;
    for (i = 0; i <= last; i++)
        same(what, never >> i & 1 ? counts[i] == 0 : counts[i] >= 2, true);
}

/* ---- numbers that do not fit into an int of 16 bits ---- */

static void settings_and_headers(void)
{
    static const char date[] = "Sun, 06 Nov 1994 08:49:00 GMT";
    static const struct { const char *text, *date; uint32_t retry_after_ms; } rows[] = {
        { "65536.0001", date, 65536001 }, { "4294967", date, 4294967000 },
        { "4294968", date, UINT32_MAX },
        { "Sun, 06 Nov 1994 23:59:59 GMT", date, 54659000 },
        { "Mon, 26 Dec 1994 01:51:47 GMT", date, 4294967000 },
        { "Fri, 31 Dec 9999 23:59:60 GMT", date, UINT32_MAX },
        { "Fri, 01 Mar 9996 00:00:00 GMT", "Wed, 28 Feb 9996 23:59:59 GMT", 86401000 },
    };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned i;
    redial_policy_waits(&policy, 60000, 0);
    same("base_ms from 60000", policy.base_ms, 60000);
    redial_policy_waits(&policy, -(INT64_C(1) << 40) + 7, INT64_C(1) << 40);
    same("base_ms from a negative setting", policy.base_ms, 1);
    same("cap_ms from 2^40", policy.cap_ms, UINT32_MAX);
    same("66 seconds", redial_seconds_ms(66), 66000);
    same("2^32 seconds", redial_seconds_ms((int64_t)1 << 32), UINT32_MAX - 1);
    same("no verdict: \"unknown\"", (uint8_t)*redial_verdict_name((enum redial_verdict)0x7fff),
         'u');
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        same(rows[i].text, redial_retry_after_ms(rows[i].text, rows[i].date),
             rows[i].retry_after_ms);
}

int main(void)
{
    const uint32_t count = UINT32_C(1500) * (__STDC_HOSTED__ ? 100 : 1);   /* 1: a board */
    settings_and_headers();
    random_inputs(count);
    each_came("verdicts of redial_next", decisions, REDIAL_CANCELLED, 1 << REDIAL_ATTEMPT);
    each_came("verdicts of redial_ready", answers, REDIAL_WAIT,
              1 << REDIAL_INVALID | 1 << REDIAL_DONE);
    each_came("verdicts of redial_run", ends, REDIAL_CANCELLED,
              1 << REDIAL_ATTEMPT | 1 << REDIAL_WAIT);
    each_came("runs that were held", &holds, 0, 0);
#ifdef PARSERS_H
    same("values that ask for a wait", waits > readings / 10 && waits < readings, true);
#endif
    print_number(count);
    machine_print(" passed, 0 failed\n");
    machine_end(true);
}

#endif
