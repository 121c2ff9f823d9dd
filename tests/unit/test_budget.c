/* The retry budget, src/budget.c, through the decisions that take from it and fill it.
   tests/model compares whole histories with a model. test_race.c shows that threads
   gain and lose nothing at any of its accesses. SPDX-License-Identifier: MIT */
#include "../common/support.h"

#if defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
#define HAVE_THREADS 1
#include <pthread.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#define HAVE_PROCESSES 1
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#endif

/* By a policy whose retries nothing but the budget limits. */
static enum redial_verdict decide(struct redial_budget *budget, struct redial_outcome outcome)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call;
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.budget = budget;
    redial_begin(&call, &policy, 0);
    return redial_next(&call, 0, outcome, 0).verdict;
}

static bool retry(struct redial_budget *budget)
{
    return decide(budget, redial_retry(0, 0)) == REDIAL_WAIT;
}

static void succeed(struct redial_budget *budget)
{
    (void)decide(budget, redial_done());
}

static struct redial_budget budget_of(uint32_t capacity, uint32_t percent)
{
    struct redial_budget budget;
    poison(&budget, sizeof budget);
    redial_budget_init(&budget, capacity, percent);
    return budget;
}

/* ---- one thread: exact ---- */

TEST(ten_percent_grants_one_retry_for_ten_successes)
{
    struct redial_budget budget = budget_of(2, 10);
    assert_int_equal(redial_budget_tokens(&budget), 2);
    assert_true(retry(&budget) && retry(&budget));
    for (int i = 1; i <= 9; i++) {
        assert_false(retry(&budget));
        succeed(&budget);
    }
    assert_false(retry(&budget));
    succeed(&budget);
    assert_true(retry(&budget));
    assert_false(retry(&budget));
}

/* README names this price of a budget. */
TEST(of_a_thousand_calls_that_fail_at_once_980_end_with_a_budget_of_20)
{
    struct redial_budget budget = budget_of(20, 10);
    int ended = 0;
    for (int i = 0; i < 1000; i++)
        ended += decide(&budget, redial_retry(503, 0)) == REDIAL_BUDGET_EMPTY;
    assert_int_equal(ended, 980);
}

/* ---- many processes ---- */

#ifdef HAVE_PROCESSES

TEST(forked_processes_share_the_tokens_of_a_budget_and_a_closed_gate)
{
    struct { struct redial_budget budget; struct redial_gate gate; } *both;
    pid_t children[4];
    int status, granted = 0;
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(both != MAP_FAILED);
    redial_budget_init(&both->budget, 6, 0);
    for (size_t i = 0; i < LENGTH(children); i++)
        if ((children[i] = fork()) == 0) {
            redial_gate_close(&both->gate, 1000, 500);
            while (retry(&both->budget))
                granted++;
            _exit(granted);
        }
    for (size_t i = 0; i < LENGTH(children); i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        granted += WEXITSTATUS(status);
    }
    assert_int_equal(granted, 6);
    assert_int_equal(redial_gate_left_ms(&both->gate, 1100), 400);
    munmap(both, sizeof *both);
}

#endif

/* ---- many threads ---- */

#ifdef HAVE_THREADS

enum { THREADS = 8, STEPS = 20000 };

static struct redial_budget shared;

/* Every step is a retry, and every second one a success as well. */
static void *work(void *granted)
{
    for (unsigned i = 0; i < STEPS; i++) {
        *(unsigned *)granted += retry(&shared);
        if (i % 2 == 0)
            succeed(&shared);
    }
    return NULL;
}

/* How many retries were granted. */
static uint64_t work_together(void)
{
    pthread_t threads[THREADS];
    unsigned granted[THREADS] = { 0 };
    uint64_t all = 0;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &granted[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        all += granted[i];
    }
    return all;
}

/* A small budget is often empty and often full. A large one is neither, because the threads take
   more than they earn: nothing is lost there. */
TEST(threads_never_overdraw_or_overfill_a_budget_or_lose_a_token_below_full)
{
    static const uint32_t capacities[] = { 1, 100, UINT32_MAX }, percents[] = { 0, 33, 150 };
    const uint64_t successes = THREADS * STEPS / 2;
    for (size_t i = 0; i < LENGTH(capacities) * LENGTH(percents); i++) {
        uint32_t capacity = capacities[i / LENGTH(percents)];
        uint32_t percent = percents[i % LENGTH(percents)];
        uint64_t all = capacity + successes * percent / 100, left_and_taken;
        unsigned first;
        redial_budget_init(&shared, capacity, percent);
        for (first = 0; first < 4 * THREADS && retry(&shared); first++) { }
        left_and_taken = first + work_together();
        left_and_taken += redial_budget_tokens(&shared);
        assert_true(redial_budget_tokens(&shared) <= capacity);
        assert_true(left_and_taken <= all);
        assert_true(left_and_taken == all || (percent && capacity < UINT32_MAX));
    }
}

#endif

int main(void)
{
    return run_all();
}
