/* redial_run: what it calls, in which order, and what its report, its events and its attempts say.
   tests/model shows that the loop functions do the same.
   SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome unavailable = { REDIAL_KIND_RETRY, 503, 0, 0 };
static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };

/* ---- what is refused ---- */

/* No member of the report is forgotten, and no hook is called but the clock. */
TEST(a_run_needs_a_valid_policy_an_env_with_three_hooks_and_an_operation)
{
    struct scripted run = scripted(&unavailable, 1);
    const struct redial_env *env = env_of(&run);
    struct redial_policy refused = plain_policy();
    struct redial_env no_clock = *env, no_wait = *env, no_random = *env;
    const struct {
        const struct redial_policy *policy;
        const struct redial_env *env;
        redial_operation *operation;
    } table[] = {
        { NULL, env, scripted_attempt }, { &refused, env, scripted_attempt },
        { &run.policy, NULL, scripted_attempt }, { &run.policy, &no_clock, scripted_attempt },
        { &run.policy, &no_wait, scripted_attempt }, { &run.policy, &no_random, scripted_attempt },
        { &run.policy, env, NULL },
    };
    refused.base_ms = 0;
    no_clock.now_ms = NULL;
    no_wait.wait_ms = NULL;
    no_random.random = NULL;
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_report report;
        struct redial_call call, begun_well = begun(&run.policy, 0);
        poison(&report, sizeof report);
        assert_int_equal(redial_run(table[i].policy, table[i].env, table[i].operation, &run,
                                    &report), REDIAL_INVALID);
        assert_report(report, REDIAL_INVALID, 0, 0, 0, 0);
        assert_outcome(report.last, outcome_of(REDIAL_KIND_INVALID, 0, 0, 0));
        assert_int_equal(redial_run(table[i].policy, table[i].env, table[i].operation, &run, NULL),
                         REDIAL_INVALID);
        if (!table[i].operation)
            continue;
        poison(&call, sizeof call);
        assert_step(redial_loop_begin(&call, table[i].policy, table[i].env), REDIAL_INVALID, 0);
        assert_step(redial_loop_next(&call, env, unavailable), REDIAL_INVALID, 0);
        if (table[i].env != env)
            assert_step(redial_loop_next(&begun_well, table[i].env, unavailable), REDIAL_INVALID,
                        0);
    }
    assert_step(redial_loop_begin(NULL, &run.policy, env), REDIAL_INVALID, 0);
    assert_step(redial_loop_next(NULL, env, unavailable), REDIAL_INVALID, 0);
    assert_null(strpbrk(run.trace, "chorew"));
}

/* ---- the order of the calls ---- */

/* Only a hook before the attempt costs another reading of the clock. The time that it takes is no
   wait. A wait begins with the attempt's end, so the time of `cancelled` after it is one. */
TEST(hooks_are_called_in_the_documented_order_and_may_take_time)
{
    static const uint32_t never[] = { 0 };
    static const struct {
        bool cancelled;
        const uint32_t *held_ms;
        const char *trace;
        uint32_t elapsed_ms, waited_ms, timeout_ms;   /* timeout_ms: of the last attempt */
    } rows[] = {
        { false, NULL, "n" "onrewn" "onrewn" "on", 3000, 3000, 7000 },
        { true, NULL, "n" "cn" "oncrewn" "cn" "oncrewn" "cn" "on", 3010, 3004, 6990 },
        { false, never, "n" "hn" "onrewn" "hn" "onrewn" "hn" "on", 3006, 3000, 6994 },
        { true, never, "n" "chn" "oncrewn" "chn" "oncrewn" "chn" "on", 3016, 3004, 6984 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct scripted run = SCRIPTED(unavailable, redial_retry(7, 0), redial_done());
        run.env.cancelled = rows[i].cancelled ? scripted_cancelled : NULL;
        run.held_ms = rows[i].held_ms;
        run.hook_ms = 2;
        run.policy.max_elapsed_ms = 10000;
        assert_report(scripted_run(&run), REDIAL_DONE, 3, rows[i].elapsed_ms, rows[i].waited_ms, 0);
        assert_string_equal(run.trace, rows[i].trace);
        assert_int_equal(run.attempt[2].timeout_ms, rows[i].timeout_ms);
    }
}

/* ---- the other verdicts ---- */

/* What services document, without jitter. None of them waits after the last request. */
TEST(the_error_is_reported_after_the_last_retry)
{
    static const struct { int status; uint32_t cap_ms, retries, waited_ms; } rows[] = {
        { 429, 32000, 12, 31000 + 7 * 32000 },   /* Memorystore for Redis */
        { 500, 64000, 12, 63000 + 6 * 64000 },   /* Memorystore for Valkey */
        { 503, UINT32_MAX, 5, 31000 },           /* Bid Manager */
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct scripted run = SCRIPTED(redial_http(rows[i].status, 0, "GET"));
        struct redial_report report;
        run.policy.cap_ms = rows[i].cap_ms;
        run.policy.max_retries = rows[i].retries;
        report = scripted_run(&run);
        assert_report(report, REDIAL_EXHAUSTED, rows[i].retries + 1, rows[i].waited_ms,
                      rows[i].waited_ms, 0);
        assert_int_equal(report.last.code, rows[i].status);
        assert_int_equal(run.waits, rows[i].retries);
    }
}

/* ---- what attempts and events say ---- */

TEST(an_event_has_the_wait_and_its_reason)
{
    static const uint32_t random[] = { UINT32_C(0x80000000), HIGHEST, 0, 0, 0, 0 };
    static const uint32_t retries[] = { 1, 2, 3, 0, 0, 1 };
    static const uint32_t delays[] = { 1500, 7000, 4000, 1000, 7000, 1000 };
    static const uint32_t elapsed[] = { 100, 1700, 8800, 12900, 14000, 21100 };
    struct scripted run = SCRIPTED(redial_http(503, 0, "GET"), redial_http(429, 5000, "GET"),
                                   disconnected(-104, 3), redial_pending(0), redial_held(7000),
                                   redial_http(0, 0, "GET"), redial_done());
    run.policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    run.policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    run.random = random;
    run.attempt_ms = 100;
    assert_report(scripted_run(&run), REDIAL_DONE, 7, 22200, 21500, 0);
    assert_int_equal(run.events, 6);
    for (unsigned i = 0; i < 6; i++) {
        /* a poll or a hold is none */
        assert_int_equal(run.event[i].retry, retries[i]);
        assert_int_equal(run.event[i].delay_ms, delays[i]);
        assert_int_equal(run.waited_ms[i], delays[i]);
        assert_int_equal(run.event[i].elapsed_ms, elapsed[i]);
        assert_outcome(run.event[i].outcome, run.outcomes[i]);
    }
}

/* ---- cancellation: "oncrewncn" is a retry, and cancelled is asked twice for each attempt ---- */

TEST(a_run_can_be_cancelled_each_time_that_it_asks_and_takes_no_token_then)
{
    static const char whole[] = "ncn" "oncrewncn" "oncrewncn" "oncr";
    static const uint32_t waited_ms[] = { 0, 0, 0, 1000, 1000, 3000, 3000 };
    for (unsigned question = 1; question <= 6; question++) {
        struct redial_budget budget;
        struct scripted run = scripted(&unavailable, 1);
        run.policy.max_retries = 2;
        run.cancel_at_question = question;
        give_budget(&run.policy, &budget, 2);
        assert_report(scripted_run(&run), REDIAL_CANCELLED, question / 2, waited_ms[question],
                      waited_ms[question], 0);
        assert_memory_equal(run.trace, whole, run.length);
        assert_int_equal(run.trace[run.length - 1], 'c');
        assert_int_equal(redial_budget_tokens(&budget), 2 - (question - 1) / 2);
    }
}

/* An attempt during which the run is cancelled. */
static struct redial_outcome cancelling(void *user, const struct redial_attempt *attempt)
{
    ((struct scripted *)user)->cancel_at_question = 1;
    return scripted_attempt(user, attempt);
}

TEST(a_final_outcome_stands_although_the_run_was_cancelled_and_any_other_does_not)
{
    const struct { struct redial_outcome outcome; enum redial_verdict verdict; } table[] = {
        { redial_done(), REDIAL_DONE }, { redial_http(204, 9, "GET"), REDIAL_DONE },
        { redial_fail(1), REDIAL_FAILED }, { redial_http(404, 9, "GET"), REDIAL_FAILED },
        { redial_unsure(1), REDIAL_UNSURE }, { redial_http(503, 9, "POST"), REDIAL_UNSURE },
        { redial_cancelled(1), REDIAL_CANCELLED },
        { outcome_of(REDIAL_KIND_INVALID, 1, 9, 9), REDIAL_INVALID },
        { redial_retry(1, 0), REDIAL_CANCELLED },
        { redial_http(503, 300001, "GET"), REDIAL_CANCELLED },
        { redial_pending(0), REDIAL_CANCELLED }, { redial_held(0), REDIAL_CANCELLED }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct scripted run = scripted(&table[i].outcome, 1);
        run.policy.max_retries = 0;
        run.policy.max_elapsed_ms = REDIAL_NO_LIMIT;
        run.operation = cancelling;
        assert_report(scripted_run(&run), table[i].verdict, 1, 0, 0, 0);
        assert_int_equal(run.events, 0);
        assert_null(strchr(run.trace, 'r'));   /* and no random bits were drawn */
    }
}

/* ---- time ---- */

TEST(the_times_of_the_report_saturate)
{
    struct scripted run = scripted(&unavailable, 1);
    run.policy.max_retries = 3;
    run.policy.base_ms = run.policy.cap_ms = UINT32_MAX / 2;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 4, UINT32_MAX, UINT32_MAX, 0);
}

/* ---- hold_ms, which holds an attempt ---- */

TEST(a_hold_keeps_back_the_first_attempt_and_after_its_wait_all_is_asked_again)
{
    static const uint32_t held_ms[] = { 5000, 2000, 1, 0 };
    static const uint32_t elapsed_ms[] = { 0, 5000, 7000 };
    struct scripted run = scripted(&done, 1);
    run.held_ms = held_ms;
    run.policy.jitter_ms = 0;
    run.policy.max_elapsed_ms = 60000;
    assert_report(scripted_run(&run), REDIAL_DONE, 1, 7001, 7001, 0);
    assert_string_equal(run.trace, "n" "chn" "crewn" "chn" "crewn" "chn" "crewn" "chn" "on");
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(run.waited_ms[i], held_ms[i]);
        assert_int_equal(run.event[i].elapsed_ms, elapsed_ms[i]);
    }
    assert_int_equal(run.attempt[0].number, 1);
    assert_int_equal(run.attempt[0].timeout_ms, 52999);
}

TEST(a_hold_is_refused_as_a_wait_is_and_counts_as_no_attempt)
{
    static const struct {
        uint32_t held_ms, max_elapsed_ms;
        enum redial_verdict verdict;
        uint32_t refused_wait_ms;
    } rows[] = {
        { 5000, 5000, REDIAL_TIMED_OUT, 5000 }, { 5000, 5001, REDIAL_DONE, 0 },
        { 300000, 0, REDIAL_DONE, 0 }, { 300001, 0, REDIAL_WAIT_TOO_LONG, 300001 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const uint32_t held_ms[] = { rows[i].held_ms, 0 };
        bool waits = rows[i].verdict == REDIAL_DONE;
        struct scripted run = scripted(&done, 1);
        struct redial_report report;
        run.held_ms = held_ms;
        run.policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        report = scripted_run(&run);
        assert_report(report, rows[i].verdict, waits, waits ? held_ms[0] : 0,
                      waits ? held_ms[0] : 0, rows[i].refused_wait_ms);
        assert_int_equal(report.last.kind, waits ? REDIAL_KIND_DONE : REDIAL_KIND_INVALID);
    }
}

/* ---- a loop that begins elsewhere ---- */

/* Its first attempts were made elsewhere. */
TEST(a_resumed_call_goes_on_with_its_retries_and_its_time_even_after_a_refusal)
{
    struct scripted run = scripted(&unavailable, 1);
    struct redial_call call;
    run.policy.max_retries = 4;
    run.policy.max_elapsed_ms = 60000;
    call = resumed(&run.policy, 3, 40000, run.now_ms);
    run.now_ms += 2000;
    assert_step(redial_loop_next(&call, env_of(&run), redial_held(300001)), REDIAL_WAIT_TOO_LONG,
                300001);
    assert_whole_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_ATTEMPT, 0, 10000);
    assert_int_equal(run.event[0].retry, 4);
    assert_int_equal(run.event[0].elapsed_ms, 42000);
    assert_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_EXHAUSTED, 0);
}

int main(void)
{
    return run_all();
}
