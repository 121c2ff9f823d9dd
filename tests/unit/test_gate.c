/* The gate, src/gate.c: its promises to one thread after another, and among many.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"

#if defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
#define HAVE_THREADS 1
#include <pthread.h>
#endif

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)
#define LONGEST_MS (24 * DAY_MS)
#define HALF INT64_C(0x80000000)   /* half of a wrap of the clock */

/* The time of every test begins at 0, and the clock shows this then. A closing of 1 ms, an hour, a
   day or 24 days from the last four ends when the clock shows 0, which means "open" in gate.c. */
static const uint32_t clocks[] = { 1000, 0, 0x7fffffff, UINT32_MAX - 500,
                                   UINT32_MAX, UINT32_MAX - 3600000 + 1, UINT32_MAX - 86400000 + 1,
                                   UINT32_MAX - 2073600000 + 1 };
static const int64_t lengths[] = { 1, 2, 1000, HOUR_MS, DAY_MS, LONGEST_MS - 1, LONGEST_MS };

static struct redial_gate gate;
static uint32_t clock_ms = 1000;   /* what the clock shows at time 0 */
static int64_t end_ms;      /* of the closing by reset_and_close */

static uint32_t reading(int64_t time_ms)
{
    return (uint32_t)((clock_ms + time_ms) & UINT32_MAX);
}

static void close_at(int64_t time_ms, int64_t ms)
{
    redial_gate_close(&gate, reading(time_ms), (uint32_t)ms);
}

static int64_t left_at(int64_t time_ms)
{
    return redial_gate_left_ms(&gate, reading(time_ms));
}

static void reset_and_close(int64_t ms)
{
    gate = (struct redial_gate){ 0 };
    close_at(0, ms);
    end_ms = reading(ms) == 0 ? ms + 1 : ms;
}

/* Calls check after a closing at time 0, for each clock and length. */
static void after_each_closing(void (*check)(void))
{
    for (size_t c = 0; c < LENGTH(clocks); c++)
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            clock_ms = clocks[c];
            reset_and_close(lengths[l]);
            check();
        }
    clock_ms = 1000;
}

static int open_gate(void **state)
{
    gate = (struct redial_gate){ 0 };
    return 0;
}

/* ---- one closing ---- */

static void check_until_the_end(void)
{
    assert_int_equal(left_at(0), end_ms);
    assert_int_equal(left_at(end_ms / 2), end_ms - end_ms / 2);
    assert_int_equal(left_at(end_ms - 1), 1);
    assert_int_equal(left_at(end_ms), 0);
}

TEST(a_gate_is_closed_for_exactly_the_given_time_across_a_wrap_of_the_clock)
{
    after_each_closing(check_until_the_end);
}

static void check_late_threads(void)
{
    assert_int_equal(left_at(-1), end_ms + 1);
    assert_int_equal(left_at(-HOUR_MS), end_ms + HOUR_MS);
    assert_int_equal(left_at(-HOUR_MS - 2), 0);
    assert_int_equal(left_at(end_ms - HALF), 0);
    assert_int_equal(left_at(0), end_ms);   /* and none of them changed what others find */
}

TEST(a_reading_up_to_an_hour_older_than_the_closing_waits_for_the_same_end)
{
    after_each_closing(check_late_threads);
}

static void check_late_readings(void)
{
    static const int64_t after_the_end[] = { 0, 1, HOUR_MS, DAY_MS, HALF - 1 };
    const struct redial_gate closed = gate;
    for (size_t i = 0; i < LENGTH(after_the_end); i++) {
        gate = closed;
        assert_int_equal(left_at(end_ms + after_the_end[i]), 0);
        assert_int_equal(left_at(0), 0);
    }
}

TEST(a_reading_at_the_end_or_later_opens_the_gate_for_good)
{
    after_each_closing(check_late_readings);
}

TEST(a_zero_initialised_gate_is_open_whatever_the_clock_shows)
{
    static const uint32_t readings[] = { 0, 1, 1000, 0x7fffffff, 0x80000000, UINT32_MAX - 1000,
                                         UINT32_MAX };
    for (size_t i = 0; i < LENGTH(readings); i++) {
        assert_int_equal(redial_gate_left_ms(&gate, readings[i]), 0);
        redial_gate_close(&gate, readings[i], 0);
        assert_int_equal(redial_gate_left_ms(&gate, readings[i]), 0);
        redial_gate_open(&gate);
        assert_int_equal(redial_gate_left_ms(&gate, readings[i]), 0);
    }
}

TEST(a_closing_of_no_time_changes_nothing_and_the_longest_has_a_limit)
{
    reset_and_close(100);
    close_at(50, 0);
    close_at(-DAY_MS, 0);
    assert_int_equal(left_at(50), 50);
    reset_and_close(LONGEST_MS + 1);
    assert_int_equal(left_at(0), LONGEST_MS);
    reset_and_close(UINT32_MAX);
    assert_int_equal(left_at(0), LONGEST_MS);
}

TEST(a_gate_opens_at_once_and_can_then_be_closed_for_less)
{
    reset_and_close(LONGEST_MS);
    redial_gate_open(&gate);
    assert_int_equal(left_at(0), 0);
    close_at(100, 1000);
    assert_int_equal(left_at(100), 1000);
}

TEST(a_throttle_closes_for_what_the_server_asked_for_within_1_and_5_seconds)
{
    static const struct { uint32_t asked_ms, left_ms; } rows[] = {
        { 0, 1000 }, { 1, 1000 }, { 999, 1000 }, { 1000, 1000 }, { 1001, 1001 }, { 4999, 4999 },
        { 5000, 5000 }, { 5001, 5000 }, { UINT32_MAX, 5000 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        gate = (struct redial_gate){ 0 };
        redial_gate_throttle(&gate, reading(7), rows[i].asked_ms);
        assert_int_equal(left_at(7), rows[i].left_ms);
    }
    reset_and_close(DAY_MS);
    redial_gate_throttle(&gate, reading(0), 0);   /* the later end wins */
    assert_int_equal(left_at(0), DAY_MS);
}

/* ---- several closings ---- */

TEST(the_later_end_wins_even_if_its_closing_has_a_reading_an_hour_older)
{
    reset_and_close(100);
    close_at(10, 50);
    assert_int_equal(left_at(20), 80);
    close_at(20, 81);
    assert_int_equal(left_at(20), 81);
    close_at(101, 1000);
    assert_int_equal(left_at(101), 1000);
    for (size_t l = 0; l < LENGTH(lengths); l++) {
        reset_and_close(lengths[l]);
        close_at(-HOUR_MS, 1);
        assert_int_equal(left_at(0), lengths[l]);
        close_at(-HOUR_MS, HOUR_MS + lengths[l] / 2);
        assert_int_equal(left_at(0), lengths[l]);
    }
}

/* ---- callers that share a quota: the two steps of the header, in virtual time ---- */

enum { CALLERS = 50, QUOTA = 20, BURST = 20000, TRIP_MS = 40 };   /* QUOTA: requests a second */

static struct caller {
    struct redial_call call;
    uint32_t answered_ms;   /* when the answer comes; 0: no request is under way */
    bool ended;
} callers[CALLERS];

static unsigned left;   /* what the server takes now, in thousandths of a request */
static unsigned requests, served;

static struct redial_outcome answer(uint32_t now_ms, bool second_step)
{
    struct redial_outcome outcome = redial_http(left < 1000 ? 429 : 200, 1000, "GET");
    requests++;
    if (outcome.kind == REDIAL_KIND_DONE) {
        left -= 1000;
        served++;
        return outcome;
    }
    redial_gate_throttle(&gate, now_ms, outcome.retry_after_ms);
    outcome.kind = second_step ? REDIAL_KIND_HELD : outcome.kind;
    return outcome;
}

/* Each pass of a loop asks whether the caller may send, or whether its answer has come. */
static void pass(struct caller *caller, uint32_t now_ms, bool second_step, uint64_t *seed)
{
    struct redial_outcome outcome = redial_held(redial_gate_left_ms(&gate, now_ms));
    if (caller->answered_ms == 0) {
        if (redial_ready(&caller->call, now_ms).verdict != REDIAL_ATTEMPT)
            return;
        if (outcome.retry_after_ms == 0)
            caller->answered_ms = now_ms + TRIP_MS;
    }
    if (caller->answered_ms > now_ms)
        return;
    if (caller->answered_ms == now_ms)
        outcome = answer(now_ms, second_step);
    caller->answered_ms = 0;
    caller->ended =
        redial_next(&caller->call, now_ms, outcome, random32(seed)).verdict != REDIAL_WAIT;
}

static void share_the_quota(bool second_step, uint64_t seed)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_budget budget;
    gate = (struct redial_gate){ 0 };
    requests = served = 0;
    left = BURST;
    redial_budget_init(&budget, 10, 10);
    policy.budget = &budget;
    policy.max_elapsed_ms = 60000;
    memset(callers, 0, sizeof callers);
    for (unsigned i = 0; i < CALLERS; i++)
        assert_true(redial_begin(&callers[i].call, &policy, 0));
    for (uint32_t now_ms = 0; now_ms < policy.max_elapsed_ms; now_ms++) {
        left = left + QUOTA < BURST ? left + QUOTA : BURST;
        for (unsigned i = 0; i < CALLERS; i++)
            if (!callers[i].ended)
                pass(&callers[i], now_ms, second_step, &seed);
    }
}

/* Without the second step, the 429s take all tokens of the budget. */
TEST(the_second_step_serves_all_callers_with_few_requests_and_a_small_budget)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        share_the_quota(true, seed);
        assert_int_equal(served, CALLERS);
        assert_true(requests < 200);
        share_the_quota(false, seed);
        assert_true(served <= 35 && requests <= 70);
    }
}

/* ---- many threads ---- */

#ifdef HAVE_THREADS

enum { THREADS = 6, STEPS = 20000, LEAST_MS = 500, MOST_MS = 1000 };

/* Only the first thread may use cmocka's assertions, so the others count. */
static void *work(void *mistakes)
{
    for (int i = 0; i < STEPS; i++) {
        int64_t left_ms = left_at(-1);
        *(unsigned *)mistakes += left_ms <= LEAST_MS || left_ms > MOST_MS + 1;
        close_at(0, 1 + i % MOST_MS);
    }
    return NULL;
}

TEST(threads_that_close_a_gate_only_move_its_end_forward)
{
    pthread_t threads[THREADS];
    unsigned mistakes[THREADS] = { 0 };
    reset_and_close(LEAST_MS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &mistakes[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(mistakes[i], 0);
    }
    assert_int_equal(left_at(0), MOST_MS);
}

#endif

int main(void)
{
    return run_all_with(open_gate, NULL, NULL, NULL);
}
