/* The gate, src/gate.c. SPDX-License-Identifier: MIT */
#include "support.h"

#if defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
#define HAVE_THREADS 1
#include <pthread.h>
#endif

#define LONGEST_MS UINT32_C(0x7fffffff)
#define HALF UINT32_C(0x80000000)

static const uint32_t times[] = { 0, 1, 1000, LONGEST_MS, HALF, HALF + 1, UINT32_MAX - 1, UINT32_MAX };
static const uint32_t lengths[] = { 1, 2, 1000, 60000, LONGEST_MS / 2, LONGEST_MS - 1, LONGEST_MS };

static struct redial_gate gate;

static int begin(void **state)
{
    poison(&gate, sizeof gate);
    redial_gate_init(&gate);
    return 0;
}

static uint32_t after(uint32_t now_ms, uint64_t ms)
{
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

static uint32_t left(uint32_t now_ms)
{
    return redial_gate_left_ms(&gate, now_ms);
}

/* ---- one thread ---- */

TEST(a_gate_is_open_at_first)
{
    size_t i;
    for (i = 0; i < LENGTH(times); i++)
        assert_int_equal(left(times[i]), 0);
}

TEST(a_gate_stays_closed_for_exactly_the_given_time_across_every_wrap_of_the_clock)
{
    size_t t, l;
    for (t = 0; t < LENGTH(times); t++)
        for (l = 0; l < LENGTH(lengths); l++) {
            begin(state);
            redial_gate_close(&gate, times[t], lengths[l]);
            assert_int_equal(left(times[t]), lengths[l]);
            assert_int_equal(left(after(times[t], lengths[l] / 2)), lengths[l] - lengths[l] / 2);
            assert_int_equal(left(after(times[t], lengths[l] - 1)), 1);
            assert_int_equal(left(after(times[t], lengths[l])), 0);
            assert_int_equal(left(times[t]), 0);   /* its end was seen, so a clock that steps back finds it open */
        }
}

TEST(a_gate_may_open_at_any_reading_of_the_clock)
{
    static const uint32_t ends[] = { 0, 1, LONGEST_MS, HALF, UINT32_MAX };
    size_t e, l;
    for (e = 0; e < LENGTH(ends); e++)
        for (l = 0; l < LENGTH(lengths); l++) {
            begin(state);
            redial_gate_close(&gate, after(ends[e], UINT64_C(0x100000000) - lengths[l]), lengths[l]);
            assert_int_equal(left(after(ends[e], UINT32_MAX)), 1);
            assert_int_equal(left(ends[e]), 0);
        }
}

TEST(closing_a_gate_for_2_to_the_31_ms_or_more_is_cut_to_1_ms_less_than_that)
{
    static const uint32_t too_long[] = { HALF, HALF + 1, UINT32_MAX - 1, UINT32_MAX };
    size_t i;
    for (i = 0; i < LENGTH(too_long); i++) {
        begin(state);
        redial_gate_close(&gate, 7, too_long[i]);
        assert_int_equal(left(7), LONGEST_MS);
        assert_int_equal(left(7 + LONGEST_MS - 1), 1);
        assert_int_equal(left(7 + LONGEST_MS), 0);
    }
}

/* In gate.c, this end stands for an open gate. */
TEST(a_gate_whose_end_would_be_mistaken_for_open_is_closed_up_to_1_ms_from_it)
{
    const uint32_t open_ms = UINT32_C(0x5a5a5a5a);
    size_t l;
    for (l = 0; l < LENGTH(lengths); l++) {
        uint32_t now_ms = after(open_ms, UINT64_C(0x100000000) - lengths[l]);
        begin(state);
        redial_gate_close(&gate, now_ms, lengths[l]);
        assert_in_range(left(now_ms), lengths[l] < LONGEST_MS ? lengths[l] : LONGEST_MS - 1, lengths[l]);
        assert_int_equal(left(open_ms + 1), 0);
        assert_int_equal(left(now_ms), 0);
    }
}

TEST(closing_a_gate_for_0_ms_changes_nothing)
{
    redial_gate_close(&gate, 5, 0);
    assert_int_equal(left(5), 0);
    assert_int_equal(left(4), 0);
    redial_gate_close(&gate, 5, 100);
    redial_gate_close(&gate, 50, 0);
    assert_int_equal(left(50), 55);
}

TEST(the_later_end_of_two_closings_counts)
{
    redial_gate_close(&gate, 0, 100);
    redial_gate_close(&gate, 10, 50);
    assert_int_equal(left(10), 90);
    redial_gate_close(&gate, 20, 80);
    assert_int_equal(left(20), 80);
    redial_gate_close(&gate, 30, 71);
    assert_int_equal(left(30), 71);
    redial_gate_close(&gate, 40, 1000);
    assert_int_equal(left(40), 1000);
}

/* This happens if another thread read the clock earlier, and closes the gate after this one. */
TEST(a_closing_with_an_older_reading_of_the_clock_does_not_undo_a_later_end)
{
    redial_gate_close(&gate, 1001, 60000);
    redial_gate_close(&gate, 1000, 1);
    assert_int_equal(left(1001), 60000);
}

/* Another thread may have read the clock before the gate was closed. 65535 ms are LATE_MS in gate.c: an older reading
   is taken for one from after the end. */
TEST(a_look_up_to_65535_ms_older_than_the_closing_passes_and_leaves_the_gate_closed)
{
    redial_gate_close(&gate, 100000, 1000);
    assert_int_equal(left(100000 - 65535), 0);
    assert_int_equal(left(100000), 1000);
    assert_int_equal(left(100000 - 65536), 0);
    assert_int_equal(left(100000), 0);
}

TEST(closing_a_gate_for_0_ms_with_an_old_reading_of_the_clock_changes_nothing)
{
    redial_gate_close(&gate, 100000, 1000);
    redial_gate_close(&gate, 100000 - 65536, 0);
    assert_int_equal(left(100000), 1000);
}

TEST(a_gate_whose_end_moves_is_closed_from_its_first_closing_on)
{
    redial_gate_close(&gate, 0, LONGEST_MS - 1);
    redial_gate_close(&gate, 1, LONGEST_MS - 1);
    assert_int_equal(left(0), LONGEST_MS - 1);   /* 1 ms more is left, but nobody asked for such a long wait */
}

TEST(a_gate_opens_at_once_and_can_then_be_closed_for_less)
{
    redial_gate_open(&gate);
    assert_int_equal(left(0), 0);
    redial_gate_close(&gate, 0, 60000);
    redial_gate_open(&gate);
    assert_int_equal(left(0), 0);
    redial_gate_close(&gate, 100, 1000);
    assert_int_equal(left(100), 1000);
    assert_int_equal(left(1100), 0);
}

TEST(init_resets_a_used_gate)
{
    redial_gate_close(&gate, 0, 60000);
    redial_gate_init(&gate);
    assert_int_equal(left(0), 0);
    redial_gate_close(&gate, 0, 10);
    assert_int_equal(left(0), 10);
}

TEST(closing_a_zeroed_gate_has_no_effect)
{
    memset(&gate, 0, sizeof gate);
    assert_int_equal(left(0), 0);
    redial_gate_close(&gate, 0, 1000);
    assert_int_equal(left(0), 0);
    redial_gate_open(&gate);
    assert_int_equal(left(0), 0);
}

/* ---- a gate that is seldom looked at ---- */

/* gap_ms is the time between two looks, and between the closing and the first one. */
static void check_that_it_stays_open(uint32_t closed_at_ms, uint32_t ms, uint64_t gap_ms)
{
    uint64_t passed_ms;
    redial_gate_init(&gate);
    redial_gate_close(&gate, closed_at_ms, ms);
    for (passed_ms = gap_ms; passed_ms < UINT64_C(20000000000); passed_ms += gap_ms) {
        uint64_t left_ms = passed_ms < ms ? ms - passed_ms : 0;
        if (left(after(closed_at_ms, passed_ms)) != left_ms)
            fail_msg("closed at %lu for %lu ms, looked at every %lu ms", (unsigned long)closed_at_ms,
                     (unsigned long)ms, (unsigned long)gap_ms);
    }
}

TEST(a_gate_that_is_looked_at_every_2_to_the_31_ms_stays_open_after_its_end)
{
    static const uint32_t gaps[] = { 30000000, LONGEST_MS / 2, LONGEST_MS / 2 + 1, LONGEST_MS - 1, LONGEST_MS, HALF };
    size_t t, l, g;
    for (t = 0; t < LENGTH(times); t++)
        for (l = 0; l < LENGTH(lengths); l++)
            for (g = 0; g < LENGTH(gaps); g++)
                check_that_it_stays_open(times[t], lengths[l], gaps[g]);
}

/* 2^31 ms after the end, the clock cannot tell whether it is past or ahead. A look then must open the gate, too. */
TEST(one_look_2_to_the_31_ms_after_its_end_keeps_a_gate_open)
{
    size_t l;
    for (l = 0; l < LENGTH(lengths); l++) {
        begin(state);
        redial_gate_close(&gate, 0, lengths[l]);
        assert_int_equal(left(lengths[l] + HALF), 0);
        assert_int_equal(left(0), 0);
    }
}

/* A gate that was first closed for a long time, and then for ms. */
static void check_accident(uint32_t ms, uint64_t unseen_ms)
{
    uint32_t now_ms = after(LONGEST_MS, unseen_ms), left_ms;
    redial_gate_init(&gate);
    redial_gate_close(&gate, 0, LONGEST_MS);
    redial_gate_close(&gate, LONGEST_MS, ms);
    left_ms = left(now_ms);
    assert_true(left_ms <= ms);
    assert_int_equal(left(after(now_ms, left_ms)), 0);
    assert_int_equal(left(now_ms), 0);
}

TEST(a_gate_that_nobody_looked_at_looks_closed_for_no_longer_than_its_last_closing)
{
    const uint64_t round = UINT64_C(0x100000000);
    size_t l;
    uint64_t random = 11;
    int i;
    for (l = 0; l < LENGTH(lengths); l++) {
        check_accident(lengths[l], HALF + UINT64_C(1));
        check_accident(lengths[l], round - 1);
        check_accident(lengths[l], round);
        check_accident(lengths[l], round + lengths[l] - 1);
        check_accident(lengths[l], round + lengths[l]);
        for (i = 0; i < 1000; i++)
            check_accident(lengths[l], lengths[l] + (uint64_t)random32(&random) * 3);
    }
}

/* From its first closing to its end this gate is closed for 2^31 ms. A start so far back would not tell the end from
   one that is long past. */
TEST(a_gate_that_nobody_looked_at_after_two_long_closings_is_open)
{
    redial_gate_close(&gate, 0, LONGEST_MS);
    redial_gate_close(&gate, LONGEST_MS - 1, 2);
    assert_int_equal(left(after(HALF, HALF + UINT64_C(1))), 0);
}

/* ---- random histories, compared with a clock and an end of 64 bits ---- */

static uint32_t of_any_size(uint64_t *random)
{
    uint32_t bits = random32(random);
    return random32(random) >> (bits & 31);
}

static void check_history(uint64_t seed)
{
    uint64_t random = seed, now_ms = random32(&random), end_ms = now_ms;
    int step;
    redial_gate_init(&gate);
    for (step = 0; step < 200; step++) {
        uint32_t now = (uint32_t)(now_ms & UINT32_MAX), ms = of_any_size(&random);
        switch (random32(&random) % 4) {
        case 0:
            redial_gate_close(&gate, now, ms);
            ms = ms < LONGEST_MS ? ms : LONGEST_MS;
            end_ms = end_ms > now_ms + ms ? end_ms : now_ms + ms;
            break;
        case 1:
            redial_gate_open(&gate);
            end_ms = now_ms;
            break;
        default:
            break;
        }
        if (left(now) != (end_ms > now_ms ? end_ms - now_ms : 0))
            fail_msg("seed %lu, step %d", (unsigned long)seed, step);
        ms = of_any_size(&random);
        now_ms += random32(&random) % 4 == 0 && end_ms > now_ms ? end_ms - now_ms + ms % 3 - 1 : ms % (HALF + 1);
    }
}

TEST(random_histories_agree_with_a_clock_that_never_wraps)
{
    uint64_t seed;
    for (seed = 1; seed <= 3000; seed++)
        check_history(seed);
}

/* ---- many threads ---- */

#ifdef HAVE_THREADS

#define NOW (UINT32_MAX - 10)
#define MOST_MS 1000
enum { THREADS = 6, STEPS = 20000 };

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;   /* locked until all threads wait for it */

struct worker {
    pthread_t thread;
    bool opens;
    uint32_t least_ms;   /* what is left is never less */
    uint64_t random;
    unsigned long mistakes;
};

/* Only the first thread may use cmocka's assertions, so the workers count. */
static void *work(void *arg)
{
    struct worker *self = arg;
    unsigned i;
    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    for (i = 0; i < STEPS; i++) {
        uint32_t left_ms;
        if (i % 4 == 0)
            redial_gate_close(&gate, NOW, 1 + random32(&self->random) % MOST_MS);
        if (self->opens && i % 8 == 2)
            redial_gate_open(&gate);
        left_ms = left(NOW);
        self->mistakes += left_ms < self->least_ms || left_ms > MOST_MS;
    }
    redial_gate_close(&gate, NOW, MOST_MS);
    return NULL;
}

/* All read the same time. Each closes the gate for the longest time before it ends. */
static void work_together(bool some_open, uint32_t least_ms)
{
    struct worker workers[THREADS];
    unsigned long mistakes = 0;
    uint32_t i;
    pthread_mutex_lock(&start);
    for (i = 0; i < THREADS; i++) {
        struct worker worker = { .opens = some_open && i % 2, .least_ms = least_ms, .random = i + 1 };
        workers[i] = worker;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    pthread_mutex_unlock(&start);
    for (i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        mistakes += workers[i].mistakes;
    }
    assert_int_equal(mistakes, 0);
}

TEST(threads_that_close_a_gate_only_move_its_end_forward)
{
    redial_gate_close(&gate, NOW, MOST_MS / 2);
    work_together(false, MOST_MS / 2);
    assert_int_equal(left(NOW), MOST_MS);
}

TEST(threads_that_close_and_open_a_gate_never_see_more_time_left_than_was_asked_for)
{
    work_together(true, 0);
    redial_gate_open(&gate);
    assert_int_equal(left(0), 0);
    redial_gate_close(&gate, 0, 7);
    assert_int_equal(left(0), 7);
}

#endif

int main(void)
{
    return run_all_with(begin, NULL, NULL, NULL);
}
