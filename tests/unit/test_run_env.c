/* redial_run: copied environments, what attempts share, runs within runs, jumps out of it.
   SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

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

static void a_copied_env_may_have_hooks_of_its_own(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct redial_fake fake;
    struct redial_env copy;
    struct listener listener;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    redial_fake_init(&fake);
    copy = fake.env;
    copy.on_wait = listen;
    copy.cancelled = never;
    copy.user = &listener;
    listener.env = &copy;
    listener.events = listener.questions = 0;
    poison(&report, sizeof report);
    redial_run(&policy, &copy, world_attempt, &world, &report);
    assert_report(report, REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_int_equal(listener.events, 5);
    assert_int_equal(listener.questions, 12);
    assert_int_equal(fake.waits, 5);   /* the copy still belongs to the fake */
    assert_int_equal(fake.now_ms, 31000);
}

static void the_env_and_the_policy_are_only_read(void **state)
{
    static struct redial_policy policy = REDIAL_POLICY_DEFAULT;   /* static, so that its padding is 0 */
    struct redial_policy policy_before;
    struct redial_env before;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    memcpy(&policy_before, &policy, sizeof policy);
    memcpy(&before, &world.env, sizeof before);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_memory_equal(&policy, &policy_before, sizeof policy);
    assert_memory_equal(&world.env, &before, sizeof before);
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

static void every_attempt_gets_the_same_user_pointer(void **state)
{
    struct order order = { "key-1", 0 };
    struct redial_policy policy = plain_policy();
    struct redial_fake fake;
    (void)state;
    redial_fake_init(&fake);
    assert_int_equal(redial_run(&policy, &fake.env, send_order, &order, NULL), REDIAL_EXHAUSTED);
    assert_int_equal(order.attempts, 6);
}

static void random_bits_are_drawn_anew_for_every_retry(void **state)
{
    static const uint32_t random[] = { 0, HIGHEST, UINT32_C(0x80000000), 0, HIGHEST, 0, 0 };
    static const uint32_t waits[] = { 1000, 3000, 4500, 8000, 17000 };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.random = random;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 33500, 33500, 0);
    assert_memory_equal(world.waited_ms, waits, sizeof waits);
    world_init(&world, &failing, 1);   /* the policy keeps nothing of the first run */
    world.random = random + 1;
    world_run(&world, &policy);
    assert_int_equal(world.waited_ms[0], 2000);
}

static void the_same_policy_and_env_give_the_same_run_each_time(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    unsigned run;
    (void)state;
    policy.max_elapsed_ms = 20000;
    redial_fake_init(&fake);
    fake.random = UINT32_C(0x80000000);
    for (run = 1; run <= 10; run++) {
        struct redial_report report;
        struct world world;
        world_init(&world, &failing, 1);
        poison(&report, sizeof report);
        redial_run(&policy, &fake.env, world_attempt, &world, &report);
        assert_report(report, REDIAL_TIMED_OUT, 5, 17000, 17000, 16500);
        assert_outcome(report.last, failing);
        assert_int_equal(fake.waits, 4 * run);
        assert_int_equal(fake.now_ms, 17000 * run);
        assert_int_equal(world.attempt[0].number, 1);
        assert_int_equal(world.attempt[0].timeout_ms, 20000);
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

static void operations_and_hooks_may_start_another_run(void **state)
{
    struct nest nest;
    (void)state;
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
    struct world *world = (struct world *)user;
    if (attempt->number == 3)
        longjmp(outside, 1);
    return world_attempt(world, attempt);
}

static void a_jump_out_of_the_operation_leaves_the_report_up_to_date(void **state)
{
    static struct world world;   /* static, so that the jump leaves them as they are */
    static struct purse purse;
    static struct redial_policy policy;
    static struct redial_report report;
    static unsigned rounds;
    (void)state;
    policy = plain_policy();
    purse_init(&purse, 100);
    policy.budget = &purse.budget;
    for (rounds = 1; rounds <= 5; rounds++) {
        world_init(&world, &failing, 1);
        world.attempt_ms = 100;
        poison(&report, sizeof report);
        if (setjmp(outside) == 0) {
            redial_run(&policy, &world.env, jumping, &world, &report);
            fail_msg("%s", "the run returned");
        }
        assert_report(report, REDIAL_INVALID, 3, 3200, 3000, 0);   /* up to the third attempt */
        assert_outcome(report.last, failing);
        assert_purse(&purse, 100 - 2 * rounds, 2 * rounds, 0);
    }
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copied_env_may_have_hooks_of_its_own),
        cmocka_unit_test(the_env_and_the_policy_are_only_read),
        cmocka_unit_test(every_attempt_gets_the_same_user_pointer),
        cmocka_unit_test(random_bits_are_drawn_anew_for_every_retry),
        cmocka_unit_test(the_same_policy_and_env_give_the_same_run_each_time),
        cmocka_unit_test(operations_and_hooks_may_start_another_run),
        cmocka_unit_test(a_jump_out_of_the_operation_leaves_the_report_up_to_date)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
