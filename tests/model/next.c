/* Random histories of a call and of a gate: redial_next, redial_ready, the waits, the budget and
   the gate do what the model does. SPDX-License-Identifier: MIT */
#include "inputs.h"

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

static void resume(struct redial_call *call, struct model *model, uint32_t retries,
                   uint32_t elapsed_ms, uint32_t now_ms)
{
    same("redial_resume", redial_resume(call, model->policy, retries, elapsed_ms, now_ms), true);
    model_resume(model, model->policy, retries, elapsed_ms, now_ms);
    same_state(call, model, now_ms);
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

/* Another process continues the call, with another clock. */
static void restart(struct bytes *bytes, struct redial_call *call, struct model *model,
                    uint32_t *now_ms)
{
    uint32_t retries = redial_retries(call), elapsed_ms = redial_elapsed_ms(call, *now_ms);
    *now_ms = number(bytes);
    resume(call, model, retries, elapsed_ms, *now_ms);
}

static void same_waits(struct bytes *bytes, const struct redial_policy *policy)
{
    uint32_t n = small_number(bytes), value = number(bytes), high = number(bytes);
    same("redial_delay_ms", redial_delay_ms(policy, n, value),
         wide_delay(policy->base_ms, policy->cap_ms, n, value));
    same("redial_random_delay_ms", redial_random_delay_ms(policy, n, value),
         wide_random_delay(policy, n, value));
    same("redial_between_ms", redial_between_ms(n, high, value),
         wide_uniform(n, wide_max(n, high), value));
}

/* Any valid policy may replace the policy of the call. */
static void change_policy(struct bytes *bytes, struct redial_policy *policy,
                          struct redial_budget *budget)
{
    struct redial_policy changed = some_policy(bytes, budget);
    if (valid(&changed))
        *policy = changed;
}

static void nothing_works(struct bytes *bytes, struct redial_call *call, uint32_t now_ms)
{
    struct redial_step invalid = answer(REDIAL_INVALID, 0, 0);
    same_step("redial_next", redial_next(call, now_ms, some_outcome(bytes), number(bytes)),
              invalid);
    same_step("redial_ready", redial_ready(call, now_ms), invalid);
}

static void call_history(struct bytes *bytes)
{
    struct redial_budget budget;
    struct redial_policy policy = some_policy(bytes, &budget);
    uint32_t now_ms = number(bytes), capacity = small_number(bytes), percent = number(bytes);
    struct model model = some_model(&policy, capacity, percent, now_ms);
    struct redial_call call;
    bool begun = redial_begin(&call, &policy, now_ms);
    redial_budget_init(&budget, capacity, percent);
    same("redial_begin", begun, valid(&policy));
    same("redial_policy_error is NULL", !redial_policy_error(&policy), begun);
    if (!begun) {
        nothing_works(bytes, &call, now_ms);
        return;
    }
    same_waits(bytes, &policy);
    while (bytes->at != bytes->end) {
        unsigned choice = byte(bytes);
        if (choice == 253)   /* after a long history */
            resume(&call, &model, number(bytes), number(bytes), now_ms);
        if (choice == 254)
            restart(bytes, &call, &model, &now_ms);
        if (choice == 255)
            change_policy(bytes, &policy, &budget);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = { data, data + size };
    if (byte(&bytes) % 8 == 0)
        gate_history(&bytes);
    else
        call_history(&bytes);
    return 0;
}
