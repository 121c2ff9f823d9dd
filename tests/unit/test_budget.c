/* The retry budget, src/budget.c, through the decisions that take from it and fill it. SPDX-License-Identifier: MIT */
#include "support.h"

#if defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
#define HAVE_THREADS 1
#include <pthread.h>
#endif

/* ---- what a budget is for ---- */

/* A policy whose retries nothing but the budget limits. */
static struct redial_policy policy_with(struct redial_budget *budget)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.budget = budget;
    return policy;
}

static enum redial_verdict decide(struct redial_budget *budget, struct redial_outcome outcome)
{
    struct redial_policy policy = policy_with(budget);
    struct redial_call call;
    redial_begin(&call, &policy, 0);
    return redial_next(&call, outcome, 0, 0).verdict;
}

static bool retry(struct redial_budget *budget)
{
    return decide(budget, redial_retry(0)) == REDIAL_RETRY;
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

/* ---- the same in hundredths of a token, which fit in 64 bits ---- */

struct model {
    uint64_t hundredths, full, percent;
};

static struct model model_of(uint32_t capacity, uint32_t percent)
{
    struct model model = { (uint64_t)capacity * 100, (uint64_t)capacity * 100, percent };
    return model;
}

static bool model_retry(struct model *model)
{
    if (model->hundredths < 100)
        return false;
    model->hundredths -= 100;
    return true;
}

static void model_succeed(struct model *model)
{
    model->hundredths += model->percent;
    if (model->hundredths > model->full)
        model->hundredths = model->full;
}

static const uint32_t capacities[] = { 0, 1, 2, 3, 10, 100, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
static const uint32_t percents[] = { 0, 1, 7, 10, 33, 50, 99, 100, 101, 150, 199, 200, 250, 1000, UINT32_MAX - 1,
                                     UINT32_MAX };

/* ---- one thread: exact ---- */

TEST(init_resets_a_used_budget)
{
    struct redial_budget budget = budget_of(2, 50);
    assert_true(retry(&budget) && retry(&budget));
    succeed(&budget);
    redial_budget_init(&budget, 1, 50);
    assert_true(retry(&budget));
    succeed(&budget);
    assert_int_equal(redial_budget_tokens(&budget), 0);   /* the half token of before is gone */
    succeed(&budget);
    assert_int_equal(redial_budget_tokens(&budget), 1);
}

TEST(ten_percent_grants_one_retry_for_ten_successes)
{
    struct redial_budget budget = budget_of(2, 10);
    int i;
    while (retry(&budget))
        ;
    for (i = 1; i <= 9; i++) {
        succeed(&budget);
        assert_false(retry(&budget));
    }
    succeed(&budget);
    assert_true(retry(&budget));
    assert_false(retry(&budget));
}

/* bias: how many of 8 steps are retries. */
static void check_history(uint32_t capacity, uint32_t percent, unsigned bias, uint64_t seed)
{
    struct redial_budget budget = budget_of(capacity, percent);
    struct model model = model_of(capacity, percent);
    uint64_t random = seed, retries = 0, successes = 0;
    int step;
    for (step = 0; step < 600; step++) {
        bool same = true;
        if (random32(&random) % 8 < bias) {
            bool granted = retry(&budget);
            same = granted == model_retry(&model);
            retries += granted;
        } else {
            succeed(&budget);
            model_succeed(&model);
            successes++;
        }
        if (!same || redial_budget_tokens(&budget) != model.hundredths / 100
            || retries > capacity + successes * percent / 100)
            fail_msg("capacity %lu, percent %lu, bias %u, step %d of seed %lu", (unsigned long)capacity,
                     (unsigned long)percent, bias, step, (unsigned long)seed);
    }
}

TEST(random_histories_are_exact_to_a_hundredth_of_a_token_and_within_the_bound)
{
    size_t c, p;
    unsigned bias;
    uint64_t seed = 1;
    for (c = 0; c < LENGTH(capacities); c++)
        for (p = 0; p < LENGTH(percents); p++)
            for (bias = 1; bias < 8; bias++)
                check_history(capacities[c], percents[p], bias, seed++);
}

/* ---- many threads ---- */

#ifdef HAVE_THREADS

enum { THREADS = 8, STEPS = 20000 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;   /* locked until all threads wait for it */

struct worker {
    pthread_t thread;
    struct redial_budget *budget;
    uint32_t capacity;
    unsigned every;      /* every step is a retry, and one of this many is a success as well; 0: none is */
    unsigned long granted, successes, too_many;
};

/* Only the first thread may use cmocka's assertions, so the workers count. */
static void *work(void *arg)
{
    struct worker *self = arg;
    unsigned i;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    for (i = 0; i < STEPS; i++) {
        self->granted += retry(self->budget);
        self->too_many += redial_budget_tokens(self->budget) > self->capacity;
        if (self->every && i % self->every == 0) {
            succeed(self->budget);
            self->successes++;
            self->too_many += redial_budget_tokens(self->budget) > self->capacity;
        }
    }
    return NULL;
}

/* The sums over all workers. */
static struct worker work_together(struct redial_budget *budget, uint32_t capacity, unsigned every)
{
    struct worker workers[THREADS], sum = { .budget = budget };
    size_t i;
    pthread_mutex_lock(&gate);
    for (i = 0; i < THREADS; i++) {
        struct worker worker = { .budget = budget, .capacity = capacity, .every = every };
        workers[i] = worker;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    pthread_mutex_unlock(&gate);
    for (i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        sum.granted += workers[i].granted;
        sum.successes += workers[i].successes;
        sum.too_many += workers[i].too_many;
    }
    assert_int_equal(sum.too_many, 0);
    return sum;
}

TEST(threads_that_never_succeed_share_exactly_capacity_retries)
{
    const uint32_t capacity = THREADS * STEPS / 2;
    struct redial_budget budget = budget_of(capacity, 100);
    assert_int_equal(work_together(&budget, capacity, 0).granted, capacity);
    assert_int_equal(redial_budget_tokens(&budget), 0);
}

/* The budget is never empty, and never full because the threads take more than they earn. So every change counts. */
TEST(threads_lose_and_gain_nothing_between_empty_and_full)
{
    static const uint32_t some[] = { 37, 99, 100, 250 };
    size_t i;
    for (i = 0; i < LENGTH(some); i++) {
        struct redial_budget budget = budget_of(UINT32_MAX, some[i]);
        uint64_t hundredths = UINT32_MAX * UINT64_C(100);
        struct worker sum;
        int first;
        for (first = 0; first < 4 * THREADS; first++)
            assert_true(retry(&budget));
        sum = work_together(&budget, UINT32_MAX, 3);
        assert_int_equal(sum.granted, THREADS * STEPS);
        hundredths -= ((uint64_t)first + sum.granted) * 100;
        hundredths += (uint64_t)sum.successes * some[i];
        assert_int_equal(redial_budget_tokens(&budget), hundredths / 100);
    }
}

/* The budget is small, so it is often empty and often full. */
TEST(threads_neither_overdraw_nor_overfill_a_budget)
{
    static const uint32_t few[] = { 1, 5, 100 }, some[] = { 1, 33, 100, 250 };
    size_t c, p;
    for (c = 0; c < LENGTH(few); c++)
        for (p = 0; p < LENGTH(some); p++) {
            struct redial_budget budget = budget_of(few[c], some[p]);
            struct worker sum = work_together(&budget, few[c], 2);
            uint64_t left = redial_budget_tokens(&budget);
            assert_true(left <= few[c]);
            assert_true(sum.granted >= few[c]);
            assert_true(sum.granted + left <= few[c] + (uint64_t)sum.successes * some[p] / 100);
        }
}

#endif

int main(void)
{
    return run_all();
}
