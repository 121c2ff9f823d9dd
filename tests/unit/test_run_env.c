/* The loop: copied environments, runs within runs, jumps out of it, and runs again. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

/* ---- an env is copied ---- */

struct listener {
    const struct redial_env *env;
    unsigned told, asked;
};

static void listen(const struct redial_env *env, const struct redial_event *event)
{
    struct listener *listener = (struct listener *)env->ctx;
    assert_ptr_equal(env, listener->env);
    assert_int_equal(event->retry, ++listener->told);
}

static bool never(const struct redial_env *env)
{
    struct listener *listener = (struct listener *)env->ctx;
    assert_ptr_equal(env, listener->env);
    listener->asked++;
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
    copy.ctx = &listener;
    listener.env = &copy;
    listener.told = listener.asked = 0;
    poison(&report, sizeof report);
    redial_run(&policy, &copy, world_attempt, &world, &report);
    assert_report(report, REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_int_equal(listener.told, 5);
    assert_int_equal(listener.asked, 12);
    assert_int_equal(fake.waits, 5);   /* the copy still moves the first one's world */
    assert_int_equal(fake.now_ms, 31000);
}

static void nothing_of_the_env_or_the_policy_is_written(void **state)
{
    struct redial_policy policy = plain_policy(), policy_before;
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
    char key[8];   /* an idempotency key: made once, sent with every attempt */
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

static void every_retry_draws_for_itself(void **state)
{
    static const uint32_t draws[] = { 0, HIGHEST, UINT32_C(0x80000000), 0, HIGHEST, 0, 0 };
    static const uint32_t waits[] = { 1000, 3000, 4500, 8000, 17000 };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.draws = draws;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 33500, 33500, 0);
    assert_memory_equal(world.waited_ms, waits, sizeof waits);
    world_init(&world, &failing, 1);   /* the policy remembers nothing of it */
    world.draws = draws + 1;
    world_run(&world, &policy);
    assert_int_equal(world.waited_ms[0], 2000);
}

/* ---- once more ---- */

static void the_same_policy_and_env_give_the_same_run_again(void **state)
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

/* ---- runs within runs ---- */

struct nest {
    struct redial_fake fake;
    struct redial_policy policy;
    unsigned depth, runs;
};

static void assert_run_in_a_world_of_its_own(const struct redial_policy *policy)
{
    struct redial_fake fake;
    struct redial_report report;
    struct world world;
    world_init(&world, &failing, 1);
    redial_fake_init(&fake);
    poison(&report, sizeof report);
    redial_run(policy, &fake.env, world_attempt, &world, &report);
    assert_report(report, REDIAL_EXHAUSTED, 3, 3000, 3000, 0);
}

static struct redial_outcome nesting(void *user, const struct redial_attempt *attempt)
{
    struct nest *nest = (struct nest *)user;
    struct redial_report report;
    (void)attempt;
    nest->runs++;
    assert_run_in_a_world_of_its_own(&nest->policy);
    if (nest->depth == 0)
        return redial_retry(0);
    nest->depth--;
    poison(&report, sizeof report);
    redial_run(&nest->policy, &nest->fake.env, nesting, nest, &report);   /* in the same world */
    nest->depth++;
    assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
    assert_int_equal(report.attempts, 3);
    return redial_retry((int)nest->depth);
}

static void an_operation_may_run_another(void **state)
{
    struct redial_report report;
    struct nest nest;
    (void)state;
    redial_fake_init(&nest.fake);
    nest.policy = plain_policy();
    nest.policy.max_retries = 2;
    nest.depth = 2;
    nest.runs = 0;
    poison(&report, sizeof report);
    redial_run(&nest.policy, &nest.fake.env, nesting, &nest, &report);
    assert_report(report, REDIAL_EXHAUSTED, 3, 39000, 3000, 0);   /* the nested ones' time is the attempts' */
    assert_outcome(report.last, redial_retry(2));
    assert_int_equal(nest.runs, 3 + 9 + 27);
    assert_int_equal(nest.fake.waits, 2 + 6 + 18);
}

static void run_another(const struct redial_env *env, const struct redial_event *event)
{
    struct nest *nest = (struct nest *)env->ctx;
    (void)event;
    nest->runs++;
    assert_run_in_a_world_of_its_own(&nest->policy);
}

static bool run_another_before_answering(const struct redial_env *env)
{
    struct nest *nest = (struct nest *)env->ctx;
    nest->runs++;
    assert_run_in_a_world_of_its_own(&nest->policy);
    return false;
}

static void a_hook_may_run_another(void **state)
{
    struct redial_report report;
    struct world world;
    struct nest nest;
    (void)state;
    redial_fake_init(&nest.fake);
    nest.fake.env.on_wait = run_another;
    nest.fake.env.cancelled = run_another_before_answering;
    nest.fake.env.ctx = &nest;
    nest.policy = plain_policy();
    nest.policy.max_retries = 2;
    nest.runs = 0;
    world_init(&world, &failing, 1);
    poison(&report, sizeof report);
    redial_run(&nest.policy, &nest.fake.env, world_attempt, &world, &report);
    assert_report(report, REDIAL_EXHAUSTED, 3, 3000, 3000, 0);
    assert_int_equal(nest.runs, 2 + 6);
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

static void a_jump_out_of_the_operation_leaves_nothing_behind(void **state)
{
    static struct world world;   /* static: a jump must not spoil them */
    static struct purse purse;
    static struct redial_policy policy;
    static unsigned rounds;
    (void)state;
    policy = plain_policy();
    purse_init(&purse, 100);
    policy.budget = &purse.budget;
    for (rounds = 1; rounds <= 5; rounds++) {
        world_init(&world, &failing, 1);
        if (setjmp(outside) == 0) {
            redial_run(&policy, &world.env, jumping, &world, NULL);
            fail_msg("%s", "the run returned");
        }
        assert_int_equal(world.attempts, 2);
        assert_purse(&purse, 100 - 2 * rounds, 2 * rounds, 0);
    }
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copied_env_may_have_hooks_of_its_own),
        cmocka_unit_test(nothing_of_the_env_or_the_policy_is_written),
        cmocka_unit_test(every_attempt_gets_the_same_user_pointer),
        cmocka_unit_test(every_retry_draws_for_itself),
        cmocka_unit_test(the_same_policy_and_env_give_the_same_run_again),
        cmocka_unit_test(an_operation_may_run_another),
        cmocka_unit_test(a_hook_may_run_another),
        cmocka_unit_test(a_jump_out_of_the_operation_leaves_nothing_behind)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
