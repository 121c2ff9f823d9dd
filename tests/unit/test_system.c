/* redial_system() against the real clock, signals, threads and processes of POSIX. SPDX-License-Identifier: MIT

   These are the only tests that take time. None depends on how late a busy machine lets a process run: what is
   asserted is a least time, or the best of many. Exact behaviour is the subject of test_system_scripted.c. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"
#include "uniform.h"

#define NS_PER_MS 1000000
#define LONG_MS 60000   /* a test that waits this long has failed */

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

/* ---- an env with hooks ---- */

struct hooks {
    unsigned asked, cancel_at;   /* 0: never */
    uint64_t asked_ns[32];
    unsigned waits;
    struct redial_event event;
};

static bool ask(const struct redial_env *env)
{
    struct hooks *hooks = env->user;
    if (hooks->asked < sizeof hooks->asked_ns / sizeof *hooks->asked_ns)
        hooks->asked_ns[hooks->asked] = clock_ns();
    return ++hooks->asked == hooks->cancel_at;
}

static void listen_to_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct hooks *hooks = env->user;
    hooks->waits++;
    hooks->event = *event;
}

static struct redial_env with_hooks(struct hooks *hooks, unsigned cancel_at)
{
    struct redial_env env = *redial_system();
    memset(hooks, 0, sizeof *hooks);
    hooks->cancel_at = cancel_at;
    env.cancelled = ask;
    env.on_wait = listen_to_wait;
    env.user = hooks;
    return env;
}

/* ---- the clock ---- */

TEST(redial_system_always_returns_the_same_env_without_hooks)
{
    const struct redial_env *env = redial_system();
    assert_ptr_equal(env, redial_system());
    assert_true(env->now_ms && env->wait_ms && env->random);
    assert_false(env->cancelled || env->on_wait);
}

TEST(the_clock_is_the_monotonic_one_in_whole_ms)
{
    const struct redial_env *env = redial_system();
    unsigned i;
    for (i = 0; i < 10000; i++) {
        uint32_t before = clock_ms(), now = env->now_ms(env), after = clock_ms();
        assert_true(now - before <= after - before);   /* between the two, even if the clock wraps */
    }
}

/* ---- waiting ---- */

static void wait_and_compare(const struct redial_env *env, uint32_t ms)
{
    uint32_t now = env->now_ms(env);
    uint64_t ns = clock_ns();
    bool whole = env->wait_ms(env, ms);
    assert_true(clock_ns() - ns >= (uint64_t)ms * NS_PER_MS);
    assert_true(env->now_ms(env) - now >= ms);
    assert_true(whole);
}

TEST(a_wait_never_ends_early)
{
    uint32_t ms;
    for (ms = 0; ms <= 50; ms++)
        wait_and_compare(redial_system(), ms);
}

TEST(a_wait_that_could_be_cancelled_never_ends_early)
{
    struct hooks hooks;
    struct redial_env env = with_hooks(&hooks, 0);
    uint32_t ms;
    for (ms = 0; ms <= 50; ms++)
        wait_and_compare(&env, ms);
    assert_true(hooks.asked > 0);
}

TEST(a_wait_of_0_ms_returns_at_once)
{
    const struct redial_env *env = redial_system();
    uint64_t best = UINT64_MAX;
    unsigned i;
    for (i = 0; i < 100; i++) {
        uint64_t ns = clock_ns();
        assert_true(env->wait_ms(env, 0));
        ns = clock_ns() - ns;
        if (ns < best)
            best = ns;
    }
    assert_true(best < NS_PER_MS);
}

/* ---- signals ---- */

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals = signals + 1;
}

static void start_signals(suseconds_t first_us, suseconds_t every_us)
{
    struct sigaction action;
    struct itimerval timer = { { 0, every_us }, { 0, first_us } };
    memset(&action, 0, sizeof action);
    action.sa_handler = count_signal;   /* no SA_RESTART */
    signals = 0;
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static int stop_signals(void **state)
{
    struct itimerval none = { { 0, 0 }, { 0, 0 } };
    setitimer(ITIMER_REAL, &none, NULL);
    return signal(SIGALRM, SIG_IGN) == SIG_ERR;   /* a pending one would end the program by default */
}

/* A signal is lost while the last one is pending, so the test waits until enough have come. */
static void wait_in_a_storm(const struct redial_env *env)
{
    start_signals(1000, 1000);
    while (signals < 20)
        wait_and_compare(env, 40);
}

TEST(many_signals_shorten_no_wait)
{
    wait_in_a_storm(redial_system());
}

TEST(many_signals_shorten_no_wait_that_could_be_cancelled)
{
    struct hooks hooks;
    struct redial_env env = with_hooks(&hooks, 0);
    wait_in_a_storm(&env);
    assert_true(hooks.asked > 0);
}

static bool signalled(const struct redial_env *env)
{
    (void)env;
    return signals > 0;
}

TEST(a_signal_may_end_a_wait_through_cancelled)
{
    struct redial_env env = *redial_system();
    uint64_t ns = clock_ns();
    env.cancelled = signalled;
    start_signals(30000, 0);
    assert_false(env.wait_ms(&env, LONG_MS));
    assert_true(clock_ns() - ns < (uint64_t)LONG_MS / 2 * NS_PER_MS);
}

/* ---- cancelling ---- */

TEST(a_wait_asks_cancelled_within_50_ms_and_ends_when_told)
{
    struct hooks hooks;
    struct redial_env env = with_hooks(&hooks, 20);
    uint64_t least = UINT64_MAX;
    unsigned i;
    assert_false(env.wait_ms(&env, LONG_MS));
    assert_int_equal(hooks.asked, 20);
    assert_true(clock_ns() - hooks.asked_ns[0] < (uint64_t)LONG_MS / 2 * NS_PER_MS);
    for (i = 1; i < hooks.asked; i++)
        if (hooks.asked_ns[i] - hooks.asked_ns[i - 1] < least)
            least = hooks.asked_ns[i] - hooks.asked_ns[i - 1];
    assert_true(least <= 50 * NS_PER_MS);   /* a busy machine only adds time, so the least counts */
    assert_true(least >= 5 * NS_PER_MS);    /* it sleeps in between */
}

static struct redial_outcome unreachable(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_retry(7);
}

TEST(a_copy_of_the_system_with_hooks_runs_a_call)
{
    const struct redial_policy policy = { .base_ms = 2, .cap_ms = 4, .max_retries = 3, .jitter = REDIAL_JITTER_NONE };
    struct hooks hooks;
    struct redial_env env = with_hooks(&hooks, 0);
    struct redial_report report;
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, &env, unreachable, NULL, &report), REDIAL_EXHAUSTED);
    assert_int_equal(report.attempts, 4);
    assert_int_equal(hooks.waits, 3);
    assert_int_equal(hooks.event.retry, 3);
    assert_int_equal(hooks.event.delay_ms, 4);
    assert_int_equal(hooks.event.outcome.code, 7);
    assert_true(report.waited_ms >= 2 + 4 + 4);
}

TEST(a_run_is_cancelled_in_the_middle_of_a_wait)
{
    const struct redial_policy policy = { .base_ms = LONG_MS, .cap_ms = LONG_MS, .max_retries = 3,
                                          .jitter = REDIAL_JITTER_NONE };
    struct hooks hooks;
    struct redial_env env = with_hooks(&hooks, 4);   /* before the attempt, after it, and twice in the wait */
    struct redial_report report;
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, &env, unreachable, NULL, &report), REDIAL_CANCELLED);
    assert_int_equal(report.attempts, 1);
    assert_int_equal(hooks.asked, 4);
    assert_true(report.waited_ms > 0 && report.waited_ms < LONG_MS / 2);
}

/* ---- randomness ---- */

static uint32_t draw(void)
{
    return redial_system()->random(redial_system());
}

TEST(the_random_bits_are_uniform)
{
    assert_uniform(draw, 65536);
}

TEST(forked_children_and_threads_get_different_random_bits)
{
    assert_differs_between_processes(draw);
    assert_differs_between_threads(draw);
}

int main(void)
{
    return run_all_with(NULL, stop_signals, NULL, NULL);
}
