/* How to test your own client: whole outages take microseconds. SPDX-License-Identifier: MIT

   It shows redial_fake.h. The client takes its environment as an argument: redial_system() in the
   program, a fake in the test. Time passes only in the fake's waits, so a test checks each wait to
   the millisecond.

       cmake -B build-examples && cmake --build build-examples
       build-examples/examples/test_your_client                 (needs cmocka) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "redial_fake.h"

/* ---- your client, as it is in your program ---- */

struct reply {
    int status;
    char retry_after[40], date[40];   /* two headers; "": the reply has none */
    char body[64];
};

/* Sends one request by your HTTP library. False: no whole reply came within timeout_ms. */
typedef bool transport(void *wire, const char *path, uint32_t timeout_ms, struct reply *reply);

struct client {
    const struct redial_env *env;
    transport *send;
    void *wire;
};

/* Gets the name of user `id`. Writes it on REDIAL_DONE only. */
static struct redial_step client_get_profile(const struct client *client, unsigned id,
                                             char name[64])
{
    struct redial_policy policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    struct redial_call call;
    struct redial_step step;
    struct reply reply;
    char path[32];
    policy.max_elapsed_ms = 60000;
    policy.attempt_ms = 10000;
    snprintf(path, sizeof path, "/profile/%u", id);
    step = redial_loop_begin(&call, &policy, client->env);
    while (step.verdict == REDIAL_ATTEMPT) {
        struct redial_outcome outcome = redial_http(0, 0, "GET");
        if (client->send(client->wire, path, step.timeout_ms, &reply))
            outcome = redial_http(reply.status,
                                  redial_retry_after_ms(reply.retry_after, reply.date), "GET");
        step = redial_loop_next(&call, client->env, outcome);
    }
    if (step.verdict == REDIAL_DONE)
        memcpy(name, reply.body, sizeof reply.body);
    return step;
}

/* ---- its test ---- */

/* Replaces the network: one reply for each attempt, and the last one for all further attempts.
   Status 0: no reply until the timeout. */
struct script {
    struct redial_fake *fake;
    const struct reply *replies;
    unsigned count, sent;
    uint32_t last_timeout_ms;
};

static bool play(void *wire, const char *path, uint32_t timeout_ms, struct reply *reply)
{
    struct script *script = wire;
    const struct reply *next =
        &script->replies[script->sent < script->count ? script->sent : script->count - 1];
    assert_string_equal(path, "/profile/7");
    script->sent++;
    script->last_timeout_ms = timeout_ms;
    script->fake->now_ms += next->status ? 0 : timeout_ms;   /* only a timeout takes time */
    *reply = *next;
    return next->status != 0;
}

static struct redial_fake fake;
static struct script script;
static char name[64];

static enum redial_verdict ask(const struct reply *replies, unsigned count)
{
    struct client client = { &fake.env, play, &script };
    script = (struct script){ &fake, replies, count, 0, 0 };
    strcpy(name, "untouched");
    return client_get_profile(&client, 7, name).verdict;
}

static int fresh_client(void **state)
{
    (void)state;
    redial_fake_init(&fake);
    return 0;
}

static void an_outage_is_given_up_after_five_retries_on_the_documented_schedule(void **state)
{
    static const uint32_t shortest[] = { 1000, 2000, 4000, 8000, 16000 };
    const struct reply down = { .status = 503 };
    (void)state;
    assert_int_equal(ask(&down, 1), REDIAL_EXHAUSTED);
    assert_int_equal(fake.waits, 5);
    assert_memory_equal(fake.waited_ms, shortest, sizeof shortest);
    assert_int_equal(script.sent, 6);
    assert_string_equal(name, "untouched");
}

static void the_name_is_there_as_soon_as_the_server_is(void **state)
{
    const struct reply replies[] = { { .status = 503 },
                                     { .status = 0 },
                                     { .status = 200, .body = "Ada" } };
    (void)state;
    assert_int_equal(ask(replies, 3), REDIAL_DONE);
    assert_string_equal(name, "Ada");
    assert_int_equal(script.sent, 3);
    assert_int_equal(fake.now_ms, 1000 + 10000 + 2000);   /* wait, silence, wait */
}

static void a_user_who_does_not_exist_is_asked_for_once(void **state)
{
    const struct reply missing = { .status = 404, .body = "no such user" };
    (void)state;
    assert_int_equal(ask(&missing, 1), REDIAL_FAILED);
    assert_int_equal(script.sent, 1);
    assert_int_equal(fake.waits, 0);
    assert_string_equal(name, "untouched");
}

static void the_server_is_given_the_time_it_asks_for(void **state)
{
    const struct reply seconds[] = { { .status = 429, .retry_after = "7" }, { .status = 200 } };
    const struct reply date[] = { { .status = 503, .retry_after = "Fri, 31 Dec 1999 23:59:59 GMT",
                                    .date = "Fri, 31 Dec 1999 23:59:29 GMT" }, { .status = 200 } };
    assert_int_equal(ask(seconds, 2), REDIAL_DONE);
    assert_int_equal(fake.waited_ms[0], 7000);
    fresh_client(state);
    assert_int_equal(ask(date, 2), REDIAL_DONE);
    assert_int_equal(fake.waited_ms[0], 30000);
}

static void silence_is_given_up_within_a_minute(void **state)
{
    const struct reply silence = { .status = 0 };
    (void)state;
    assert_int_equal(ask(&silence, 1), REDIAL_TIMED_OUT);
    /* 10 + 1 + 10 + 2 + 10 + 4 + 10 + 8 s, then */
    assert_int_equal(script.sent, 5);
    assert_int_equal(script.last_timeout_ms, 5000);   /* what is left of 60 s */
    assert_int_equal(fake.now_ms, 60000);
}

static void a_user_who_cancels_in_the_third_wait_causes_no_fourth_request(void **state)
{
    const struct reply down = { .status = 503 };
    (void)state;
    fake.cancel_at_wait = 3;
    assert_int_equal(ask(&down, 1), REDIAL_CANCELLED);
    assert_int_equal(script.sent, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_outage_is_given_up_after_five_retries_on_the_documented_schedule,
                               fresh_client),
        cmocka_unit_test_setup(the_name_is_there_as_soon_as_the_server_is, fresh_client),
        cmocka_unit_test_setup(a_user_who_does_not_exist_is_asked_for_once, fresh_client),
        cmocka_unit_test_setup(the_server_is_given_the_time_it_asks_for, fresh_client),
        cmocka_unit_test_setup(silence_is_given_up_within_a_minute, fresh_client),
        cmocka_unit_test_setup(a_user_who_cancels_in_the_third_wait_causes_no_fourth_request,
                               fresh_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
