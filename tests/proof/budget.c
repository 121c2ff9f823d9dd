/* src/budget.c among other threads. SPDX-License-Identifier: MIT

   Before each atomic operation the other threads may have done whatever they are able to: any
   number of tokens up to the capacity, any hundredths below 100. Each write of ours must keep to
   that, so no thread ever leaves it. A swap that has failed twice is not looked at further: the
   third try begins as the second did. */
#include "proof.h"

static struct redial_budget budget;
static bool alone;                                /* no other thread */
/* Swaps that failed; that took; that made a token; that added. */
static unsigned failures, grants, carries, refills;
static uint64_t added, carried;                   /* what the swaps added, in tokens */

static bool is_sound(void)
{
    return budget.tokens_ <= budget.capacity_ && budget.cents_ < 100;
}

static void others_run(void)
{
    if (alone)
        return;
    budget.tokens_ = nondet_u32();
    budget.cents_ = nondet_u32();
    assume(is_sound());
}

static uint32_t watched_load(const uint32_t *word)
{
    others_run();
    prove(word == &budget.tokens_ || word == &budget.cents_);
    return *word;
}

static void watched_store(uint32_t *word, uint32_t now)
{
    others_run();
    *word = now;
    prove(word == &budget.cents_ && is_sound());
}

static void count(const uint32_t *word, uint64_t had, uint64_t now)
{
    if (word == &budget.cents_) {
        prove(now == (had + budget.earn_cents_) % 100);
        carried += (had + budget.earn_cents_) / 100;
        carries++;
    } else if (now < had) {
        prove(now + 1 == had);
        grants++;
    } else {
        added += now - had;
        refills++;
    }
}

static bool watched_swap(uint32_t *word, uint32_t *had, uint32_t now)
{
    others_run();
    if (*word != *had) {
        assume(++failures <= 2);
        *had = *word;
        return false;
    }
    count(word, *word, now);
    *word = now;
    prove(is_sound());
    return true;
}

#define __atomic_load_n(word, order) watched_load(word)
#define __atomic_store_n(word, now, order) watched_store(word, now)
#define __atomic_compare_exchange_n(word, had, now, weak, order, otherwise) \
    watched_swap(word, had, now)
#include "../../src/budget.c"

static void any_budget(bool no_other_thread)
{
    budget.take_ = redial_take_;
    budget.earn_ = redial_earn_;
    budget.tokens_ = nondet_u32();
    budget.cents_ = nondet_u32();
    budget.capacity_ = nondet_u32();
    budget.earn_tokens_ = nondet_u32();
    budget.earn_cents_ = nondet_u32();
    assume(is_sound());
    /* As a new one: see below. */
    assume(budget.earn_tokens_ <= UINT32_MAX / 100 && budget.earn_cents_ < 100);
    alone = no_other_thread;
    /* A full one keeps no hundredths. */
    assume(!alone || budget.tokens_ < budget.capacity_ || budget.cents_ == 0);
    failures = grants = carries = refills = 0;
    added = carried = 0;
}

void new_budget_is_full_and_knows_its_percent(void)
{
    uint32_t capacity = nondet_u32(), percent = nondet_u32();
    redial_budget_init(&budget, capacity, percent);
    prove(budget.tokens_ == capacity && budget.capacity_ == capacity && budget.cents_ == 0);
    prove(is_sound());
    prove(budget.earn_tokens_ == percent / 100 && budget.earn_cents_ == percent % 100);
    prove(budget.take_ == redial_take_ && budget.earn_ == redial_earn_);
    reached();
}

void granted_is_one_token_whatever_others_do(void)
{
    bool granted;
    any_budget(false);
    granted = budget.take_(&budget);
    prove(grants == (granted ? 1 : 0) && refills == 0 && carries == 0);
    reached();
}

void success_adds_no_more_than_it_earns_whatever_others_do(void)
{
    any_budget(false);
    budget.earn_(&budget);
    prove(grants == 0 && carries <= 1 && refills <= 1);
    prove(added <= budget.earn_tokens_ + carried);
    reached();
}

/* ---- one thread: exact to the hundredth, for every capacity and percent ---- */

void success_alone_earns_exact_hundredths(void)
{
    uint64_t tokens, cents;
    any_budget(true);
    cents = (uint64_t)budget.cents_ + budget.earn_cents_;
    tokens = (uint64_t)budget.tokens_ + budget.earn_tokens_ + (cents > 99);
    cents -= cents > 99 ? 100 : 0;
    budget.earn_(&budget);
    if (tokens < budget.capacity_)
        prove(budget.tokens_ == tokens && budget.cents_ == cents);
    else
        prove(budget.tokens_ == budget.capacity_ && budget.cents_ == 0);
    reached();
}

void taking_alone_costs_exactly_one_token(void)
{
    uint32_t tokens, cents;
    bool granted;
    any_budget(true);
    tokens = budget.tokens_;
    cents = budget.cents_;
    granted = budget.take_(&budget);
    prove(granted == (tokens > 0));
    prove(budget.tokens_ == tokens - granted && budget.cents_ == cents);
    prove(redial_budget_tokens(&budget) == budget.tokens_);
    reached();
}
