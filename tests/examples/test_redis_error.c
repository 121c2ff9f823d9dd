/* examples/redis/redis_error: which error replies are retried. The texts are those of Redis 7.0.
   SPDX-License-Identifier: MIT */
#include "../unit/support.h"
#include "../../examples/redis/redis_error.h"

static const struct {
    const char *text;
    enum redis_advice advice;
} rows[] = {
    { "LOADING Redis is loading the dataset in memory", REDIS_ADVICE_RETRY },
    { "LOADING", REDIS_ADVICE_RETRY },
    { "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", REDIS_ADVICE_RETRY },
    { "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.", REDIS_ADVICE_RETRY },
    { "BUSY Redis is busy running a module command.", REDIS_ADVICE_RETRY },
    { "TRYAGAIN Multiple keys request during rehashing of slot", REDIS_ADVICE_RETRY },
    { "CLUSTERDOWN Hash slot not served", REDIS_ADVICE_RETRY },
    { "CLUSTERDOWN The cluster is down", REDIS_ADVICE_RETRY },
    { "CLUSTERDOWN The cluster is down and only accepts read commands", REDIS_ADVICE_RETRY },
    { "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", REDIS_ADVICE_RETRY },
    { "MASTERDOWN Link with MASTER is down, replica-serve-stale-data is set to 'no' and 'allow-stale' flag is not set "
      "on the script.", REDIS_ADVICE_RETRY },

    { "ERR max number of clients reached", REDIS_ADVICE_RECONNECT },
    { "ERR max number of clients + cluster connections reached", REDIS_ADVICE_RECONNECT },
    { "READONLY You can't write against a read only replica.", REDIS_ADVICE_RECONNECT },
    { "READONLY Can not run script with write flag on readonly replica", REDIS_ADVICE_RECONNECT },

    { "MOVED 3999 127.0.0.1:6381", REDIS_ADVICE_REDIRECT },
    { "ASK 3999 127.0.0.1:6381", REDIS_ADVICE_REDIRECT },

    { "NOAUTH Authentication required.", REDIS_ADVICE_FAIL },
    { "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> "
      "option can be used to authenticate the client and select the RESP protocol version at the same time",
      REDIS_ADVICE_FAIL },
    { "WRONGPASS invalid username-password pair or user is disabled.", REDIS_ADVICE_FAIL },
    { "NOPERM this user has no permissions to run the 'publish' command", REDIS_ADVICE_FAIL },
    { "NOPERM this user has no permissions to access one of the keys used as arguments", REDIS_ADVICE_FAIL },
    { "NOPERM this user has no permissions to access one of the channels used as arguments", REDIS_ADVICE_FAIL },
    { "OOM command not allowed when used memory > 'maxmemory'.", REDIS_ADVICE_FAIL },
    { "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'", REDIS_ADVICE_FAIL },
    { "BUSYKEY Target key name already exists.", REDIS_ADVICE_FAIL },
    { "BUSYGROUP Consumer Group name already exists", REDIS_ADVICE_FAIL },
    { "CROSSSLOT Keys in request don't hash to the same slot", REDIS_ADVICE_FAIL },
    { "DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the "
      "default user.", REDIS_ADVICE_FAIL },
    { "ERR no such key", REDIS_ADVICE_FAIL },
    { "ERR syntax error", REDIS_ADVICE_FAIL },
    { "ERR index out of range", REDIS_ADVICE_FAIL },
    { "ERR operation not permitted", REDIS_ADVICE_FAIL },
    { "ERR source and destination objects are the same", REDIS_ADVICE_FAIL },
    { "ERR value is not an integer or out of range", REDIS_ADVICE_FAIL },
    { "ERR unknown command 'LOADING', with args beginning with: ", REDIS_ADVICE_FAIL },
    { "ERR AUTH <password> called without any password configured for the default user. Are you sure your "
      "configuration is correct?", REDIS_ADVICE_FAIL },
    { "EXECABORT Transaction discarded because of previous errors.", REDIS_ADVICE_FAIL },
    { "EXECABORT Transaction discarded because of: LOADING Redis is loading the dataset in memory", REDIS_ADVICE_FAIL },
    { "INPROG Failover already in progress", REDIS_ADVICE_FAIL },
    { "INVALIDOBJ Corrupted HLL object detected", REDIS_ADVICE_FAIL },
    { "IOERR error or timeout connecting to the client", REDIS_ADVICE_FAIL },
    { "MISCONF Errors writing to the AOF file: No space left on device", REDIS_ADVICE_FAIL },
    { "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
      REDIS_ADVICE_FAIL },
    { "NOGOODSLAVE No suitable replica to promote", REDIS_ADVICE_FAIL },
    { "NOGROUP No such consumer group 'a' for key name 'b'", REDIS_ADVICE_FAIL },
    { "NOMASTERLINK Can't SYNC while not connected with my master", REDIS_ADVICE_FAIL },
    { "NOPROTO unsupported protocol version", REDIS_ADVICE_FAIL },
    { "NOQUORUM 1 usable Sentinels. ", REDIS_ADVICE_FAIL },
    { "NOREPLICAS Not enough good replicas to write.", REDIS_ADVICE_FAIL },
    { "NOSCRIPT No matching script. Please use EVAL.", REDIS_ADVICE_FAIL },
    { "NOTBUSY No scripts in execution right now.", REDIS_ADVICE_FAIL },
    { "UNBLOCKED client unblocked via CLIENT UNBLOCK", REDIS_ADVICE_FAIL },
    { "UNKILLABLE Sorry the script already executed write commands against the dataset.", REDIS_ADVICE_FAIL },
    { "WRONGTYPE Operation against a key holding the wrong kind of value", REDIS_ADVICE_FAIL },

    /* An error word counts only if it is whole, at the beginning, and in the right case. */
    { "LOADINGS", REDIS_ADVICE_FAIL },
    { "LOADIN", REDIS_ADVICE_FAIL },
    { "loading", REDIS_ADVICE_FAIL },
    { " LOADING", REDIS_ADVICE_FAIL },
    { "-LOADING", REDIS_ADVICE_FAIL },
    { "ASKING", REDIS_ADVICE_FAIL },
    { "ERR max number of clientsX", REDIS_ADVICE_FAIL },
    { "ERR max number", REDIS_ADVICE_FAIL },
    { "ERR", REDIS_ADVICE_FAIL },
    { "", REDIS_ADVICE_FAIL },
    { NULL, REDIS_ADVICE_FAIL },
};

TEST(every_reply_has_the_advice_of_the_table)
{
    for (unsigned i = 0; i < LENGTH(rows); i++)
        if (redis_error_advice(rows[i].text) != rows[i].advice)
            fail_msg("%s: %d, not %d", rows[i].text, (int)redis_error_advice(rows[i].text), (int)rows[i].advice);
}

TEST(retry_and_reconnect_are_worth_another_attempt_and_nothing_else_is)
{
    struct redial_policy policy = redial_policy_default();
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_outcome outcome = redis_error_outcome(rows[i].text);
        bool again = rows[i].advice == REDIS_ADVICE_RETRY || rows[i].advice == REDIS_ADVICE_RECONNECT;
        assert_int_equal(outcome.code, rows[i].advice);
        assert_int_equal(redial_classify(&policy, outcome), again ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL);
        assert_int_equal(outcome.retry_after_ms, 0);
        assert_int_equal(outcome.uptime_ms, 0);
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

TEST(a_password_that_a_reply_repeats_is_hidden)
{
    static const char *const replies[] = { "ERR unknown command 'AUTH', with args beginning with: 'secret' ",
                                           "ERR unknown command `AUTH`, with args beginning with: `secret`, ",
                                           "ERR unknown command \"AUTH\" \"secret\"" };
    char text[128];
    for (unsigned i = 0; i < LENGTH(replies); i++) {
        redis_error_copy(text, sizeof text, replies[i]);
        redis_error_hide_quoted(text);
        assert_string_equal(text, "ERR unknown command ");
    }
    redis_error_copy(text, sizeof text, "WRONGPASS invalid");
    redis_error_hide_quoted(text);
    assert_string_equal(text, "WRONGPASS invalid");
}

int main(void)
{
    return run_all();
}
