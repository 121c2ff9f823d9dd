/* redial_run: copied environments, what attempts share, runs within runs, jumps out of it.
   SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

/* ---- an env is copied ---- */

struct listener {
    const struct redial_env *env;
    unsigned events, questions;
};

static void listen(const struct redial_env *env, const struct redial_event *event)
{
    struct listener *listener = (struct listener *)env->user;
    assert_ptr_equal(env, listener->env);
    assert_int_equal(event->retry, ++listener->events);
}

static bool never(const struct redial_env *env)
{
    struct listener *listener = (struct listener *)env->user;
    assert_ptr_equal(env, listener->env);
    listener->questions++;
    return false;
}

TEST(a_copied_env_may_have_hooks_of_its_own)
{
    struct redial_fake fake;
    struct redial_env copy;
    struct listener listener;
    struct scripted run = always_failing();
    redial_fake_init(&fake);
    copy = fake.env;
    copy.on_wait = listen;
    copy.cancelled = never;
    copy.user = &listener;
    listener.env = &copy;
    listener.events = listener.questions = 0;
    assert_report(run_in(&run, &copy, scripted_attempt), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_int_equal(listener.events, 5);
    assert_int_equal(listener.questions, 12);
    assert_int_equal(fake.waits, 5);   /* the copy still belongs to the fake */
    assert_int_equal(fake.now_ms, 31000);
}

TEST(the_env_and_the_policy_are_only_read)
{
    static struct redial_policy policy = REDIAL_POLICY_DEFAULT;   /* static, so that its padding is 0 */
    struct redial_policy policy_before;
    struct redial_env before;
    struct scripted run = always_failing();
    memcpy(&policy_before, &policy, sizeof policy);
    memcpy(&before, env_of(&run), sizeof before);
    assert_int_equal(redial_run(&policy, env_of(&run), scripted_attempt, &run, NULL), REDIAL_EXHAUSTED);
    assert_memory_equal(&policy, &policy_before, sizeof policy);
    assert_memory_equal(&run.env, &before, sizeof before);
}

/* ---- what every attempt shares ---- */

struct order {
    char key[8];   /* an idempotency key, made once and sent with every attempt */
    unsigned attempts;
};

static struct redial_outcome send_order(void *user, const struct redial_attempt *attempt)
{
    struct order *order = (struct order *)user;
    assert_int_equal(attempt->number, ++order->attempts);
    assert_string_equal(order->key, "key-1");
    return redial_http(503, 0);
}

TEST(every_attempt_gets_the_same_user_pointer)
{
    struct order order = { "key-1", 0 };
    struct redial_policy policy = plain_policy();
    struct redial_fake fake;
    redial_fake_init(&fake);
    assert_int_equal(redial_run(&policy, &fake.env, send_order, &order, NULL), REDIAL_EXHAUSTED);
    assert_int_equal(order.attempts, 6);
}

TEST(random_bits_are_drawn_anew_for_every_retry)
{
    static const uint32_t random[] = { 0, HIGHEST, UINT32_C(0x80000000), 0, HIGHEST, 0, 0 };
    static const uint32_t waits[] = { 1000, 3000, 4500, 8000, 17000 };
    struct scripted run = always_failing();
    run.policy = redial_policy_default();
    run.random = random;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 6, 33500, 33500, 0);
    assert_memory_equal(run.waited_ms, waits, sizeof waits);
    run = again(&run);   /* the policy keeps nothing of the first run */
    run.random = random + 1;
    scripted_run(&run);
    assert_int_equal(run.waited_ms[0], 2000);
}

TEST(the_same_policy_and_env_give_the_same_run_each_time)
{
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.random = UINT32_C(0x80000000);
    for (unsigned round = 1; round <= 10; round++) {
        struct redial_report report;
        struct scripted run = always_failing();
        run.policy = redial_policy_default();
        run.policy.max_elapsed_ms = 20000;
        report = run_in(&run, &fake.env, scripted_attempt);
        assert_report(report, REDIAL_TIMED_OUT, 5, 17000, 17000, 16500);
        assert_outcome(report.last, unavailable);
        assert_int_equal(fake.waits, 4 * round);
        assert_int_equal(fake.now_ms, 17000 * round);
        assert_int_equal(run.attempt[0].number, 1);
        assert_int_equal(run.attempt[0].timeout_ms, 20000);
    }
}

/* ---- runs within runs, with one env and no report: a state that two runs shared would be mixed up ---- */

struct nest {
    struct redial_fake fake;
    struct redial_policy policy;
    unsigned depth, runs;   /* the levels still to come; the runs begun so far */
};

struct level {
    struct nest *nest;
    unsigned attempts;
};

static struct redial_outcome nesting(void *user, const struct redial_attempt *attempt);

static void run_another(struct nest *nest)
{
    struct level level;
    if (nest->depth == 0)
        return;
    level.nest = nest;
    level.attempts = 0;
    nest->depth--;
    nest->runs++;
    assert_int_equal(redial_run(&nest->policy, &nest->fake.env, nesting, &level, NULL), REDIAL_EXHAUSTED);
    assert_int_equal(level.attempts, 3);
    nest->depth++;
}

static struct redial_outcome nesting(void *user, const struct redial_attempt *attempt)
{
    struct level *level = (struct level *)user;
    level->attempts++;
    run_another(level->nest);
    assert_int_equal(attempt->number, level->attempts);
    return redial_retry((int)level->attempts);
}

static void nesting_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct redial_event before = *event;
    run_another((struct nest *)env->user);
    assert_int_equal(event->retry, before.retry);
    assert_int_equal(event->delay_ms, before.delay_ms);
    assert_int_equal(event->elapsed_ms, before.elapsed_ms);
    assert_outcome(event->outcome, before.outcome);
}

static bool nesting_cancelled(const struct redial_env *env)
{
    run_another((struct nest *)env->user);
    return false;
}

TEST(operations_and_hooks_may_start_another_run)
{
    struct nest nest;
    redial_fake_init(&nest.fake);
    nest.fake.env.cancelled = nesting_cancelled;
    nest.fake.env.on_wait = nesting_on_wait;
    nest.fake.env.user = &nest;
    nest.policy = plain_policy();
    nest.policy.max_retries = 2;
    nest.depth = 3;
    nest.runs = 0;
    run_another(&nest);
    assert_int_equal(nest.runs, 1 + 11 + 11 * 11);   /* each has 3 attempts, 2 waits and 6 questions */
    assert_int_equal(nest.fake.waits, 2 * nest.runs);
}

/* ---- jumps out of it ---- */

static jmp_buf outside;

static struct redial_outcome jumping(void *user, const struct redial_attempt *attempt)
{
    struct scripted *run = (struct scripted *)user;
    if (attempt->number == 3)
        longjmp(outside, 1);
    return scripted_attempt(run, attempt);
}

TEST(a_jump_out_of_the_operation_leaves_the_report_up_to_date)
{
    static struct scripted run;   /* static, so that the jump leaves them as they are */
    static struct counting_budget counting;
    static struct redial_report report;
    static unsigned rounds;
    run = always_failing();
    counting_budget_init(&counting, 100, &run.policy);
    for (rounds = 1; rounds <= 5; rounds++) {
        run = again(&run);
        run.attempt_ms = 100;
        poison(&report, sizeof report);
        if (setjmp(outside) == 0) {
            redial_run(&run.policy, env_of(&run), jumping, &run, &report);
            fail_msg("%s", "the run returned");
        }
        assert_report(report, REDIAL_INVALID, 3, 3200, 3000, 0);   /* up to the third attempt */
        assert_outcome(report.last, unavailable);
        assert_counts(&counting, 100 - 2 * rounds, 2 * rounds, 0);
    }
    run = again(&run);
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
}

int main(void)
{
    return run_all();
}
