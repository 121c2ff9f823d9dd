/* redial_system() against the real clock and processes.
   SPDX-License-Identifier: MIT

   These are the only tests that take time. None depends on how late a busy machine lets a process
   run: what is asserted is a least time. Exact behaviour, with signals and with `cancelled`, is the
   subject of test_system_scripted.c. */
#include <stdbool.h>
#include <time.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "../common/support.h"

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

#ifndef _WIN32

enum { CHILDREN = 8 };

static void draw(uint32_t random[2])
{
    random[0] = redial_system()->random(redial_system());
    random[1] = redial_system()->random(redial_system());
}

/* The parent draws first, so that children which copied its state would draw alike. */
TEST(processes_get_different_random_bits)
{
    uint32_t drawn[CHILDREN + 1][2];
    draw(drawn[CHILDREN]);
    for (unsigned i = 0; i < CHILDREN; i++) {
        const ssize_t size = sizeof drawn[i];
        int ends[2];
        pid_t child;
        assert_int_equal(pipe(ends), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            draw(drawn[i]);
            _exit(write(ends[1], drawn[i], (size_t)size) != size);
        }
        assert_true(read(ends[0], drawn[i], (size_t)size) == size);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(ends[0]);
        close(ends[1]);
    }
    for (unsigned i = 0; i <= CHILDREN; i++)
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(drawn[i], drawn[j], sizeof drawn[i]);
}

#endif

int main(void)
{
    return run_all();
}
