/* Fuzz target: compares the decision, the budget and the functions of a call with the model, over
   any history. SPDX-License-Identifier: MIT */
#include "../common/any_policy.h"
#include "fuzz.h"

static unsigned long verdicts[REDIAL_CANCELLED + 1];   /* how often each came */

static void resume(struct redial_call *call, struct model *model, uint32_t retries,
                   uint32_t elapsed_ms, uint32_t now_ms)
{
    must(redial_resume(call, model->policy, retries, elapsed_ms, now_ms));
    model_resume(model, model->policy, retries, elapsed_ms, now_ms);
}

static void same_state(const struct redial_call *call, const struct model *model, uint32_t now_ms)
{
    must(redial_retries(call) == model->retries);
    must(redial_elapsed_ms(call, now_ms) == model_elapsed_ms(model, now_ms));
    struct redial_step ready = redial_ready(call, now_ms);
    must(ready.verdict == REDIAL_WAIT || ready.timeout_ms == model_timeout_ms(model, now_ms));
    if (model->policy->budget)
        must(redial_budget_tokens(model->policy->budget) == model->cents / 100);
}

static void one_step(struct bytes *bytes, struct redial_call *call, struct model *model,
                     uint32_t *now_ms)
{
    struct redial_outcome outcome = some_outcome(bytes);
    uint32_t random = number(bytes);
    struct redial_step step = redial_next(call, *now_ms, outcome, random);
    struct redial_step expected = model_next(model, outcome, *now_ms, random);
    if (step.verdict != expected.verdict || step.delay_ms != expected.delay_ms
        || step.timeout_ms != 0) {
        fprintf(stderr, "redial_next: %s, %lu ms; the model: %s, %lu ms\n",
                redial_verdict_name(step.verdict), (unsigned long)step.delay_ms,
                redial_verdict_name(expected.verdict), (unsigned long)expected.delay_ms);
        abort();
    }
    verdicts[step.verdict]++;
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

static void nothing_works(struct bytes *bytes, struct redial_call *call, uint32_t now_ms)
{
    struct redial_step step = redial_next(call, now_ms, some_outcome(bytes), number(bytes));
    must(step.verdict == REDIAL_INVALID && step.delay_ms == 0 && step.timeout_ms == 0);
    must(redial_ready(call, now_ms).timeout_ms == 0);
}

/* Any valid policy may replace the policy of the call. */
static void change_policy(struct bytes *bytes, struct redial_policy *policy,
                          struct redial_budget *budget)
{
    struct redial_policy changed = some_policy(bytes, budget);
    if (valid(&changed))
        *policy = changed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = { data, data + size };
    struct redial_budget budget;
    struct redial_policy policy = some_policy(&bytes, &budget);
    uint32_t now_ms = number(&bytes), capacity = number(&bytes), percent = number(&bytes);
    struct model model = some_model(&policy, capacity, percent, now_ms);
    struct redial_call call;
    bool begun = redial_begin(&call, &policy, now_ms);
    redial_budget_init(&budget, capacity, percent);
    must(begun == valid(&policy));
    must(begun == (!redial_policy_error(&policy)));
    must(begun == redial_resume(&call, &policy, 0, 0, now_ms));
    if (!begun)
        nothing_works(&bytes, &call, now_ms);
    else if (byte(&bytes) & 1) {   /* after a long history */
        uint32_t retries = number(&bytes);
        resume(&call, &model, retries, number(&bytes), now_ms);
    }
    while (begun && bytes.at != bytes.end) {
        unsigned choice = byte(&bytes);
        if (choice == 254)
            restart(&bytes, &call, &model, &now_ms);
        if (choice == 255)
            change_policy(&bytes, &policy, &budget);
        one_step(&bytes, &call, &model, &now_ms);
    }
    return 0;
}
