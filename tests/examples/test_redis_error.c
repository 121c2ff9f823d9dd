/* examples/redis/redis_error: which replies are retried, and how they are printed.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"
#include "../../examples/redis/redis_error.h"

/* An error word counts only if it is whole, at the beginning, and in the right case. */
TEST(a_reply_that_will_change_is_retried_and_no_other_is)
{
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
        { "MISCONF Redis is configured to save RDB snapshots", REDIS_ADVICE_RETRY },
        { "ERR max number of clients reached", REDIS_ADVICE_RECONNECT },
        { "READONLY You can't write against a read only replica.", REDIS_ADVICE_RECONNECT },
        { "MOVED 3999 127.0.0.1:6381", REDIS_ADVICE_FAIL },
        { "EXECABORT Transaction discarded because of: LOADING Redis is loading the dataset",
          REDIS_ADVICE_FAIL },
        { "BUSYKEY Target key name already exists.", REDIS_ADVICE_FAIL },
        { "ERR max number of clientsX", REDIS_ADVICE_FAIL },
        { "LOADIN", REDIS_ADVICE_FAIL },
        { "loading", REDIS_ADVICE_FAIL },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_outcome outcome = redis_error_outcome(rows[i].text);
        bool retried = rows[i].advice != REDIS_ADVICE_FAIL;
        if (outcome.code != (int)rows[i].advice
            || outcome.kind != (retried ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL))
            fail_msg("%s: %d, not %d", rows[i].text, outcome.code, (int)rows[i].advice);
    }
}

TEST(a_text_is_cut_to_its_place_disturbs_no_terminal_and_hides_what_was_quoted)
{
    static const char *const quoted[] = { "ERR of 'AUTH' 'secret'", "ERR of `AUTH`", "ERR of \"A" };
    char text[33];
    poison(text, sizeof text);
    redis_error_copy(text, 8, "ERR\x1b[3\x7f more");
    assert_string_equal(text, "ERR.[3.");
    assert_int_equal(text[8], (char)0xA5);
    for (unsigned i = 0; i < LENGTH(quoted); i++) {
        redis_error_copy(text, sizeof text, quoted[i]);
        redis_error_hide_quoted(text);
        assert_string_equal(text, "ERR of ");
    }
}

int main(void)
{
    return run_all();
}
