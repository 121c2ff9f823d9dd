/* Fuzz target: redial_next, redial_timeout_ms and the budget against the model, over any history.
   SPDX-License-Identifier: MIT */
#include "any_policy.h"

static uint32_t some_time(struct bytes *bytes, uint32_t now_ms, uint32_t delay_ms)
{
    unsigned choice = byte(bytes);
    uint64_t ms = choice < 64 ? delay_ms : choice < 128 ? choice : number(bytes);
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

static void one_step(struct bytes *bytes, struct redial_call *call, struct model *model, uint32_t *now_ms)
{
    struct redial_outcome outcome = some_outcome(bytes);
    uint32_t random = number(bytes);
    struct redial_step step = redial_next(call, outcome, *now_ms, random);
    struct redial_step wanted = model_next(model, outcome, *now_ms, random);
    must(step.verdict == wanted.verdict);
    must(step.delay_ms == wanted.delay_ms);
    if (model->policy->budget)
        must(redial_budget_tokens(model->policy->budget) == model->cents / 100);
    *now_ms = some_time(bytes, *now_ms, step.delay_ms);
    must(redial_timeout_ms(call, *now_ms) == model_time_left(model, *now_ms));
}

static void nothing_works(struct bytes *bytes, struct redial_call *call, uint32_t now_ms)
{
    struct redial_step step = redial_next(call, some_outcome(bytes), now_ms, number(bytes));
    must(step.verdict == REDIAL_INVALID && step.delay_ms == 0);
    must(redial_timeout_ms(call, now_ms) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = { data, data + size };
    struct redial_budget budget;
    struct redial_policy policy = some_policy(&bytes, &budget);
    uint32_t now_ms = number(&bytes);
    struct model model = some_model(&bytes, &policy, &budget, now_ms);
    struct redial_call call;
    bool begun = redial_begin(&call, &policy, now_ms);
    must(begun == valid(&policy));
    must(begun == (redial_policy_check(&policy) == REDIAL_POLICY_OK));
    if (!begun)
        nothing_works(&bytes, &call, now_ms);
    else if (byte(&bytes) & 1)   /* after a long history */
        model.retries = call.retries_ = number(&bytes);
    while (begun && bytes.at != bytes.end)
        one_step(&bytes, &call, &model, &now_ms);
    return 0;
}
