/* redial_run: what it asks before each attempt, and a gate that is closed then. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };
static const struct redial_outcome nothing = { REDIAL_KIND_INVALID, 0, 0, 0 };

/* An environment without jitter. The test says for how long the gate is closed at each look. */
struct gated {
    struct world world;
    struct redial_policy policy;
    struct traced_gate gate;
};

static void gated_init(struct gated *gated, const struct redial_outcome *outcomes, unsigned outcome_count,
                       const uint32_t *left_ms, unsigned look_count)
{
    world_init(&gated->world, outcomes, outcome_count);
    traced_gate_init(&gated->gate, &gated->world, left_ms, look_count);
    gated->policy = plain_policy();
    gated->policy.gate = &gated->gate.gate;
}

/* ---- what is asked ---- */

static void cancelled_the_time_and_the_gate_are_checked_once_in_this_order_before_each_attempt(void **state)
{
    static const uint32_t open_ms[] = { 0 };
    struct gated gated;
    (void)state;
    gated_init(&gated, &failing, 1, open_ms, 1);
    gated.policy.max_retries = 2;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_EXHAUSTED, 3, 3000, 3000, 0);
    assert_string_equal(gated.world.trace, "n" "cg" "oncrewn" "cg" "oncrewn" "cg" "oncr");
    assert_int_equal(gated.gate.looked_at_ms[0], 0);
    assert_int_equal(gated.gate.looked_at_ms[1], 1000);
    assert_int_equal(gated.gate.looked_at_ms[2], 3000);
}

static void a_cancelled_run_checks_neither_the_time_nor_the_gate(void **state)
{
    static const uint32_t closed_ms[] = { UINT32_MAX };
    struct gated gated;
    (void)state;
    gated_init(&gated, &failing, 1, closed_ms, 1);
    gated.world.cancel_at_question = 1;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_CANCELLED, 0, 0, 0, 0);
    assert_string_equal(gated.world.trace, "nc");
}

static void without_time_left_the_gate_is_not_checked_and_no_refused_wait_is_reported(void **state)
{
    static const uint32_t left_ms[] = { 0, UINT32_MAX };
    struct gated gated;
    (void)state;
    gated_init(&gated, &failing, 1, left_ms, 2);
    gated.policy.max_elapsed_ms = 2000;
    gated.world.late_ms = 1000;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_TIMED_OUT, 1, 2000, 2000, 0);
    assert_string_equal(gated.world.trace, "n" "cg" "oncrewn" "c");
}

/* ---- a closed gate ---- */

static void a_closed_gate_holds_the_first_attempt_and_after_the_wait_all_is_checked_again(void **state)
{
    static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };
    static const uint32_t left_ms[] = { 5000, 2000, 1, 0 }, waited_ms[] = { 5000, 2000, 500 };
    struct gated gated;
    unsigned i;
    (void)state;
    gated_init(&gated, &done, 1, left_ms, 4);
    gated.policy.max_elapsed_ms = 60000;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_DONE, 1, 7500, 7500, 0);
    assert_string_equal(gated.world.trace, "n" "cg" "crewn" "cg" "crewn" "cg" "crewn" "cg" "on");
    for (i = 0; i < 3; i++) {   /* never less than half of base_ms; n stays 0 */
        assert_int_equal(gated.world.waited_ms[i], waited_ms[i]);
        assert_report(gated.world.reported[i], REDIAL_INVALID, 0, i == 0 ? 0 : i == 1 ? 5000 : 7000,
                      i == 0 ? 0 : i == 1 ? 5000 : 7000, 0);
        assert_outcome(gated.world.reported[i].last, nothing);
    }
    assert_int_equal(gated.world.attempt[0].number, 1);
    assert_int_equal(gated.world.attempt[0].timeout_ms, 52500);
}

static void a_wait_at_the_gate_calls_on_wait_and_is_neither_an_attempt_nor_a_retry(void **state)
{
    static const uint32_t left_ms[] = { 0, 7000, 0, 8000, 9000, 0 };
    static const uint32_t retries[] = { 1, 1, 2, 2, 2 }, delays_ms[] = { 1000, 7000, 2000, 8000, 9000 };
    struct purse purse;
    struct gated gated;
    unsigned i;
    (void)state;
    purse_init(&purse, 5);
    gated_init(&gated, &failing, 1, left_ms, 6);
    gated.policy.max_retries = 2;
    gated.policy.budget = &purse.budget;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_EXHAUSTED, 3, 27000, 27000, 0);
    assert_purse(&purse, 3, 2, 0);
    assert_int_equal(gated.world.events, 5);
    for (i = 0; i < 5; i++) {
        bool at_gate = delays_ms[i] >= 7000;
        assert_int_equal(gated.world.event[i].retry, retries[i]);
        assert_int_equal(gated.world.event[i].delay_ms, delays_ms[i]);
        assert_int_equal(gated.world.waited_ms[i], delays_ms[i]);
        assert_outcome(gated.world.event[i].outcome, at_gate ? redial_postponed(delays_ms[i]) : failing);
        assert_int_equal(gated.world.reported[i].attempts, retries[i]);
        assert_outcome(gated.world.reported[i].last, failing);
    }
}

static void each_caller_waits_a_random_time_longer_than_the_gate_is_closed(void **state)
{
    static const struct { uint32_t random, waited_ms; } table[] = { { 0, 5000 }, { UINT32_C(0x80000000), 5500 },
                                                                    { HIGHEST, 6000 } };
    static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };
    static const uint32_t left_ms[] = { 5000, 0 };
    enum redial_jitter jitter;
    unsigned i;
    (void)state;
    for (jitter = REDIAL_JITTER_ADDED; jitter < REDIAL_JITTER_NONE; jitter++)
        for (i = 0; i < LENGTH(table); i++) {
            struct gated gated;
            gated_init(&gated, &done, 1, left_ms, 2);
            gated.policy.jitter = jitter;
            gated.world.random = &table[i].random;
            assert_report(world_run(&gated.world, &gated.policy), REDIAL_DONE, 1, table[i].waited_ms,
                          table[i].waited_ms, 0);
        }
}

static void a_closed_gate_may_end_the_run_before_or_after_an_attempt(void **state)
{
    static const struct { uint32_t left_ms, max_retry_after_ms, max_wait_ms; enum redial_verdict verdict; } table[] = {
        { 9001, 9000, 0, REDIAL_WAIT_TOO_LONG },
        { 32001, 0, 0, REDIAL_WAIT_TOO_LONG },
        { 9000, 9000, 9000, REDIAL_TIMED_OUT },
        { UINT32_MAX - 1000, UINT32_MAX, 9000, REDIAL_TIMED_OUT }
    };
    unsigned i;
    uint32_t attempts;
    (void)state;
    for (i = 0; i < LENGTH(table); i++)
        for (attempts = 0; attempts <= 1; attempts++) {
            const uint32_t left_ms[] = { attempts ? 0 : table[i].left_ms, table[i].left_ms };
            const uint32_t waited_ms = 1000 * attempts;
            struct redial_report report;
            struct gated gated;
            gated_init(&gated, &failing, 1, left_ms, 2);
            gated.policy.max_retry_after_ms = table[i].max_retry_after_ms;
            gated.policy.max_elapsed_ms = table[i].max_wait_ms ? waited_ms + table[i].max_wait_ms : 0;
            report = world_run(&gated.world, &gated.policy);
            assert_report(report, table[i].verdict, attempts, waited_ms, waited_ms, table[i].left_ms);
            assert_outcome(report.last, attempts ? failing : nothing);
            assert_string_equal(gated.world.trace, attempts ? "n" "cg" "oncrewn" "cg" "cr" : "n" "cg" "cr");
        }
}

static void a_run_at_a_closed_gate_can_be_cancelled_at_each_check_and_in_the_wait(void **state)
{
    static const char *const traces[] = { "n" "c", "n" "cg" "c", "n" "cg" "crewn" "c", "n" "cg" "crewn" "cg" "c" };
    static const uint32_t closed_ms[] = { 5000 };
    struct gated gated;
    unsigned question;
    (void)state;
    for (question = 1; question <= LENGTH(traces); question++) {
        uint32_t waited_ms = question > 2 ? 5000 : 0;
        gated_init(&gated, &failing, 1, closed_ms, 1);
        gated.world.cancel_at_question = question;
        assert_report(world_run(&gated.world, &gated.policy), REDIAL_CANCELLED, 0, waited_ms, waited_ms, 0);
        assert_string_equal(gated.world.trace, traces[question - 1]);
    }
    gated_init(&gated, &failing, 1, closed_ms, 1);
    gated.world.cut_wait = 1;
    gated.world.cut_ms = 300;
    assert_report(world_run(&gated.world, &gated.policy), REDIAL_CANCELLED, 0, 300, 300, 0);
    assert_string_equal(gated.world.trace, "n" "cg" "crewn");
}

/* ---- real gates ---- */

/* It closes the gate for 10 s when the server answers 429. */
struct client {
    struct redial_gate *gate;
    struct world *world;
};

static struct redial_outcome send_request(void *user, const struct redial_attempt *attempt)
{
    struct client *client = (struct client *)user;
    struct redial_outcome outcome = world_attempt(client->world, attempt);
    if (outcome.code == 429)
        redial_gate_close(client->gate, attempt->env->now_ms(attempt->env), 10000);
    return outcome;
}

static void a_gate_that_the_operation_closes_holds_its_next_attempt(void **state)
{
    static const struct redial_outcome quota[] = { { REDIAL_KIND_HTTP, 429, 0, 0 }, { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct redial_gate gate;
    struct world world;
    struct client client = { &gate, &world };
    (void)state;
    poison(&gate, sizeof gate);
    redial_gate_init(&gate);
    policy.gate = &gate;
    world_init(&world, quota, 2);
    world.now_ms = UINT32_MAX - 3000;   /* the clock wraps while the gate is closed */
    world.attempt_ms = 100;
    poison(&report, sizeof report);
    redial_run(&policy, &world.env, send_request, &client, &report);
    assert_report(report, REDIAL_DONE, 2, 10200, 10000, 0);
    assert_string_equal(world.trace, "n" "c" "onncrewn" "c" "crewn" "c" "on");
    assert_int_equal(world.waited_ms[0], 1000);
    assert_int_equal(world.waited_ms[1], 9000);
    assert_outcome(world.event[1].outcome, redial_postponed(9000));
}

static void a_gate_holds_the_first_attempts_of_all_callers_until_it_ends_or_is_opened(void **state)
{
    static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };
    static const struct { uint32_t now_ms, waited_ms; } table[] = { { 0, 10000 }, { 4000, 6000 }, { 9400, 600 },
                                                                    { 9600, 500 }, { 10000, 0 }, { 5000, 0 } };
    struct redial_policy policy = plain_policy();
    struct redial_gate gate;
    unsigned i;
    (void)state;
    redial_gate_init(&gate);
    policy.gate = &gate;
    for (i = 0; i < LENGTH(table); i++) {
        struct world world;
        redial_gate_close(&gate, 0, 10000);
        if (i == 5)
            redial_gate_open(&gate);
        world_init(&world, &done, 1);
        world.now_ms = table[i].now_ms;
        assert_report(world_run(&world, &policy), REDIAL_DONE, 1, table[i].waited_ms, table[i].waited_ms, 0);
    }
}

static void an_open_gate_and_a_zeroed_one_hold_nobody(void **state)
{
    static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };
    static const struct redial_gate zeroed;
    struct redial_gate gates[2];
    unsigned i;
    (void)state;
    gates[0] = zeroed;
    redial_gate_init(&gates[1]);
    for (i = 0; i < 2; i++) {
        struct redial_policy policy = plain_policy();
        struct world world;
        policy.gate = &gates[i];
        world_init(&world, &done, 1);
        assert_report(world_run(&world, &policy), REDIAL_DONE, 1, 0, 0, 0);
        assert_string_equal(world.trace, "ncon");
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancelled_the_time_and_the_gate_are_checked_once_in_this_order_before_each_attempt),
        cmocka_unit_test(a_cancelled_run_checks_neither_the_time_nor_the_gate),
        cmocka_unit_test(without_time_left_the_gate_is_not_checked_and_no_refused_wait_is_reported),
        cmocka_unit_test(a_closed_gate_holds_the_first_attempt_and_after_the_wait_all_is_checked_again),
        cmocka_unit_test(a_wait_at_the_gate_calls_on_wait_and_is_neither_an_attempt_nor_a_retry),
        cmocka_unit_test(each_caller_waits_a_random_time_longer_than_the_gate_is_closed),
        cmocka_unit_test(a_closed_gate_may_end_the_run_before_or_after_an_attempt),
        cmocka_unit_test(a_run_at_a_closed_gate_can_be_cancelled_at_each_check_and_in_the_wait),
        cmocka_unit_test(a_gate_that_the_operation_closes_holds_its_next_attempt),
        cmocka_unit_test(a_gate_holds_the_first_attempts_of_all_callers_until_it_ends_or_is_opened),
        cmocka_unit_test(an_open_gate_and_a_zeroed_one_hold_nobody)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
