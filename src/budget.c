/* The retry budget: a token bucket that threads share without a lock. SPDX-License-Identifier: MIT

   Whole tokens and hundredths are two words, so that a 32-bit compare-and-swap does and any capacity fits.
   A hundredth is carried into a token once, by the thread whose swap made the carry; what a race may lose
   is a fraction of a token, never gain one. Nothing else is published through these words, so the order of
   memory does not matter. */
#include "redial.h"

#ifdef _MSC_VER
#include <intrin.h>
static uint32_t load(const uint32_t *word)
{
    return *(const volatile uint32_t *)word;
}
static void store(uint32_t *word, uint32_t now)
{
    *(volatile uint32_t *)word = now;
}
static bool swap(uint32_t *word, uint32_t *had, uint32_t now)
{
    uint32_t was = (uint32_t)_InterlockedCompareExchange((volatile long *)word, (long)now, (long)*had);
    bool swapped = was == *had;
    *had = was;
    return swapped;
}
#else
static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static void store(uint32_t *word, uint32_t now)
{
    __atomic_store_n(word, now, __ATOMIC_RELAXED);
}
/* Puts now where *had was. Another value there: *had tells it, and nothing is changed. */
static bool swap(uint32_t *word, uint32_t *had, uint32_t now)
{
    return __atomic_compare_exchange_n(word, had, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#endif

static bool take(struct redial_budget *budget)
{
    uint32_t had = load(&budget->tokens_);
    while (had > 0)
        if (swap(&budget->tokens_, &had, had - 1))
            return true;
    return false;
}

/* Adds hundredths; whether they made another whole token. */
static bool earn_cents(struct redial_budget *budget)
{
    uint32_t had = load(&budget->cents_), cents;
    do
        cents = had + budget->earn_cents_;
    while (!swap(&budget->cents_, &had, cents < 100 ? cents : cents - 100));
    return cents >= 100;
}

static void earn(struct redial_budget *budget)
{
    uint32_t had = load(&budget->tokens_), earned, room;
    if (had == budget->capacity_)   /* the usual case: threads share a line that nobody writes */
        return;
    earned = budget->earn_tokens_ + earn_cents(budget);
    do
        room = budget->capacity_ - had;
    while (!swap(&budget->tokens_, &had, had + (earned < room ? earned : room)));
    if (earned >= room)
        store(&budget->cents_, 0);   /* full: what is left over is spilled */
}

void redial_budget_init(struct redial_budget *budget, uint32_t capacity, uint32_t percent)
{
    budget->take_ = take;
    budget->earn_ = earn;
    budget->tokens_ = capacity;
    budget->cents_ = 0;
    budget->capacity_ = capacity;
    budget->earn_tokens_ = percent / 100;
    budget->earn_cents_ = percent % 100;
}

uint32_t redial_budget_tokens(const struct redial_budget *budget)
{
    return load(&budget->tokens_);
}
