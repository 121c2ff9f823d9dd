/* The retry budget: a token bucket that threads share without a lock. SPDX-License-Identifier: MIT

   Whole tokens and hundredths of a token are two words. So any capacity fits, and a 32-bit
   compare-and-swap suffices. The thread whose swap brings the hundredths to 100 adds the whole
   token, so it is added once. A race may lose a fraction of a token, but never gains one. */
#include "atomic.h"

static bool redial_take_(struct redial_budget *budget)
{
    uint32_t had = redial_load_(&budget->tokens_);
    while (had > 0)
        if (redial_swap_(&budget->tokens_, &had, had - 1))
            return true;
    return false;
}

/* Adds the hundredths that a success earns. True: they completed a whole token. */
static bool redial_earn_cents_(struct redial_budget *budget)
{
    uint32_t had = redial_load_(&budget->cents_), cents;
    do
        cents = had + budget->earn_cents_;
    while (!redial_swap_(&budget->cents_, &had, cents < 100 ? cents : cents - 100));
    return cents >= 100;
}

static void redial_earn_(struct redial_budget *budget)
{
    uint32_t had = redial_load_(&budget->tokens_), earned, room;
    /* The usual case. Without a write, threads can share the cache line. */
    if (had == budget->capacity_)
        return;
    earned = budget->earn_tokens_ + redial_earn_cents_(budget);
    do
        room = budget->capacity_ - had;
    while (!redial_swap_(&budget->tokens_, &had, had + (earned < room ? earned : room)));
    if (earned >= room)
        redial_store_(&budget->cents_, 0); /* a full budget keeps no hundredths */
}

void redial_budget_init(struct redial_budget *budget, uint32_t capacity, uint32_t percent)
{
    budget->take_ = redial_take_;
    budget->earn_ = redial_earn_;
    budget->tokens_ = capacity;
    budget->cents_ = 0;
    budget->capacity_ = capacity;
    budget->earn_tokens_ = percent / 100;
    budget->earn_cents_ = percent % 100;
}

uint32_t redial_budget_tokens(const struct redial_budget *budget)
{
    return redial_load_(&budget->tokens_);
}
