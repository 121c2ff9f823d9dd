/* redial_system() against the real clock and processes.
   SPDX-License-Identifier: MIT

   These are the only tests that take time. None depends on how late a busy machine lets a process
   run: what is asserted is a least time. Exact behaviour, with signals and with `cancelled`, is the
   subject of test_system_scripted.c. */
#include <stdbool.h>
#include <time.h>
#ifndef _WIN32
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
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

/* The parent draws first, so that children which copied its state would draw alike. */
TEST(processes_get_different_random_bits)
{
    enum { PROCESSES = 9 };   /* the last one is the parent */
    const struct redial_env *env = redial_system();
    uint32_t (*drawn)[2] = mmap(NULL, PROCESSES * sizeof *drawn, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(drawn != MAP_FAILED);
    for (int i = PROCESSES - 1; i >= 0; i--) {
        pid_t child = i < PROCESSES - 1 ? fork() : 0;
        assert_true(child >= 0);
        if (child > 0) {
            assert_int_equal(waitpid(child, NULL, 0), child);
            continue;
        }
        drawn[i][0] = env->random(env);
        drawn[i][1] = env->random(env);
        if (i < PROCESSES - 1)
            _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(drawn[i], drawn[j], sizeof *drawn);
    munmap(drawn, PROCESSES * sizeof *drawn);
}

#endif

int main(void)
{
    return run_all();
}
