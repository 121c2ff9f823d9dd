/* redial_system() against the real clock, threads and processes.
   SPDX-License-Identifier: MIT

   These are the only tests that take time. None depends on how late a busy machine lets a process
   run: what is asserted is a least time. Exact behaviour, with signals and with `cancelled`, is the
   subject of test_system_scripted.c. */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "../common/support.h"
#include "uniform.h"

#define NS_PER_MS 1000000

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint32_t clock_ms(void)
{
    return (uint32_t)(clock_ns() / NS_PER_MS);
}

/* ---- the clock and the waits ---- */

TEST(the_clock_is_the_monotonic_one_in_whole_ms)
{
    for (unsigned i = 0; i < 10000; i++) {
        uint32_t before = clock_ms(), now = real_now_ms(), after = clock_ms();
        /* between the two, even if the clock wraps */
        assert_true(now - before <= after - before);
    }
}

static bool never(const struct redial_env *env)
{
    return false;
}

/* Also in the steps of a wait that can be cancelled. */
static void assert_waits_are_whole(uint32_t ms)
{
    struct redial_env env = *redial_system();
    const struct redial_env *envs[] = { redial_system(), &env };
    env.cancelled = never;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t now = real_now_ms();
        uint64_t ns = clock_ns();
        assert_true(envs[i]->wait_ms(envs[i], ms));
        assert_true(clock_ns() - ns >= (uint64_t)ms * NS_PER_MS);
        assert_true(real_now_ms() - now >= ms);
    }
}

TEST(a_wait_never_ends_early)
{
    for (uint32_t ms = 0; ms <= 50; ms++)
        assert_waits_are_whole(ms);
}

/* ---- randomness ---- */

#define OTHERS 8
#define DRAWS 5

/* the last one is of the first thread of the first process */
static uint32_t sequences[OTHERS + 1][DRAWS];

static uint32_t draw(void)
{
    return redial_system()->random(redial_system());
}

static void *draw_sequence(void *sequence)
{
    uint32_t *next = sequence;
    for (unsigned i = 0; i < DRAWS; i++)
        next[i] = draw();
    return NULL;
}

static void assert_pairwise_different(void)
{
    for (unsigned i = 0; i <= OTHERS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(sequences[i], sequences[j], sizeof sequences[i]);
}

TEST(the_random_bits_are_uniform)
{
    assert_uniform(draw, 65536);
}

TEST(threads_get_different_random_bits)
{
    pthread_t threads[OTHERS];
    draw_sequence(sequences[OTHERS]);
    for (unsigned i = 0; i < OTHERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_sequence, sequences[i]), 0);
    for (unsigned i = 0; i < OTHERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_pairwise_different();
}

#ifndef _WIN32

/* The parent draws first, so that children which copied its state would draw alike. */
TEST(child_processes_get_different_random_bits)
{
    draw_sequence(sequences[OTHERS]);
    for (unsigned i = 0; i < OTHERS; i++) {
        const ssize_t size = sizeof sequences[i];
        int ends[2];
        pid_t child;
        assert_int_equal(pipe(ends), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            draw_sequence(sequences[i]);
            _exit(write(ends[1], sequences[i], (size_t)size) != size);
        }
        assert_true(read(ends[0], sequences[i], (size_t)size) == size);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(ends[0]);
        close(ends[1]);
    }
    assert_pairwise_different();
}

#endif

int main(void)
{
    return run_all();
}
