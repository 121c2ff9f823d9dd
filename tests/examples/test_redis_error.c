/* examples/redis/redis_error: which error replies are retried. The texts are those of Redis 7.0.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"
#include "../../examples/redis/redis_error.h"

/* An error word counts only if it is whole, at the beginning, and in the right case. */
static const struct {
    const char *text;
    enum redis_advice advice;
} rows[] = {
    { "LOADING Redis is loading the dataset in memory", REDIS_ADVICE_RETRY },
    { "BUSY Redis is busy running a module command.", REDIS_ADVICE_RETRY },
    { "TRYAGAIN Multiple keys request during rehashing of slot", REDIS_ADVICE_RETRY },
    { "CLUSTERDOWN Hash slot not served", REDIS_ADVICE_RETRY },
    { "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      REDIS_ADVICE_RETRY },
    { "NOREPLICAS Not enough good replicas to write.", REDIS_ADVICE_RETRY },
    { "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to "
      "disk.", REDIS_ADVICE_RETRY },
    { "ERR max number of clients reached", REDIS_ADVICE_RECONNECT },
    { "READONLY You can't write against a read only replica.", REDIS_ADVICE_RECONNECT },
    { "MOVED 3999 127.0.0.1:6381", REDIS_ADVICE_REDIRECT },
    { "ASK 3999 127.0.0.1:6381", REDIS_ADVICE_REDIRECT },
    { "NOPERM this user has no permissions to run the 'ping' command", REDIS_ADVICE_FAIL },
    { "EXECABORT Transaction discarded because of: LOADING Redis is loading the dataset",
      REDIS_ADVICE_FAIL },
    { "BUSYKEY Target key name already exists.", REDIS_ADVICE_FAIL },
    { "ERR max number of clientsX", REDIS_ADVICE_FAIL },
    { "LOADIN", REDIS_ADVICE_FAIL },
    { "loading", REDIS_ADVICE_FAIL },
    { NULL, REDIS_ADVICE_FAIL },
};

TEST(retry_and_reconnect_are_worth_another_attempt_and_nothing_else_is)
{
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_outcome outcome = redis_error_outcome(rows[i].text);
        enum redial_kind kind = rows[i].advice <= REDIS_ADVICE_RECONNECT ? REDIAL_KIND_RETRY
                                                                         : REDIAL_KIND_FAIL;
        if (outcome.code != (int)rows[i].advice || outcome.kind != kind)
            fail_msg("%s: %d, not %d", rows[i].text, outcome.code, (int)rows[i].advice);
    }
}

TEST(a_text_is_cut_to_its_place_and_disturbs_no_terminal)
{
    char text[9];
    poison(text, sizeof text);
    redis_error_copy(text, 8, "ERR\x1b[3\x7f more");
    assert_string_equal(text, "ERR.[3.");
    assert_int_equal(text[8], (char)0xA5);
    redis_error_copy(text, 8, NULL);
    assert_string_equal(text, "");
}

TEST(a_password_that_a_reply_repeats_between_any_quotation_marks_is_hidden)
{
    char texts[][32] = { "ERR of 'AUTH' 'secret' ", "ERR of `AUTH` `secret`, ",
                         "ERR of \"AUTH\" \"secret\"" };
    for (unsigned i = 0; i < LENGTH(texts); i++) {
        redis_error_hide_quoted(texts[i]);
        assert_string_equal(texts[i], "ERR of ");
    }
}

int main(void)
{
    return run_all();
}
