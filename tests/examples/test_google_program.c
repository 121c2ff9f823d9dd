/* examples/google as its user runs it: options, the token, exit statuses, what is printed. PROGRAM is the program.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "google_fixture.h"

#include <fnmatch.h>

#define QUOTA_EXCEEDED "{\"error\": {\"message\": \"Quota exceeded.\", \"status\": \"RESOURCE_EXHAUSTED\", " \
                       "\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": " \
                       "\"RATE_LIMIT_EXCEEDED\", \"metadata\": {\"quota_limit\": \"ReadsPerMinutePerProject\"}}]}}"

static struct server server;

/* Runs the program, whose options are separated by blanks, against a server. The second answer is for all requests
   after the first one. */
static void run(const char *options, const char *first, const char *second)
{
    const struct answer answers[] = { { first }, { second, .always = true } };
    assert_true(server_start(&server, answers, 2));
    program_start_words(PROGRAM, "--endpoint http://127.0.0.1:%u --base 20ms --mode none %s", (unsigned)server.port,
                        options);
    program_end();
    assert_int_equal(server_stop(&server) > 0, first != NULL);
    assert_null(strstr(program.out.bytes, TOKEN));
    assert_null(strstr(program.err.bytes, TOKEN));
}

/* err is a pattern of fnmatch. A wrong command line is refused in one line. */
static void assert_ended(int status, const char *out, const char *err)
{
    if (fnmatch(err, program.err.bytes, 0) != 0)
        fail_msg("this is not like %s:\n%s", err, program.err.bytes);
    assert_string_equal(program.out.bytes, out);
    assert_status(status);
    if (status == 2)
        assert_ptr_equal(strchr(program.err.bytes, '\n'), program.err.bytes + program.err.length - 1);
}

TEST(a_result_goes_to_stdout_and_what_happened_to_stderr_and_the_status_says_whether_it_worked)
{
    static const struct {
        const char *options, *first, *second;
        int status;
        const char *out, *err;
    } rows[] = {
        { "--call redis-list --project shop --location x", UNAVAILABLE,
          OK("{\"instances\": [{\"name\": \"cart\", \"state\": \"READY\"}]}"), 0, "cart\tREADY\n",
          "HTTP 503 UNAVAILABLE: retry 1 in 0.020 s\nverdict:  done\nlast:     HTTP 200\n*" },
        { "--call valkey-create --project shop --location x --instance cart", OK(OPERATION), OK(OPERATION_DONE), 0,
          "cart\tREADY\n", "not ready yet: asking again in 0.020 s\nverdict:  done\n*" },
        { "--call bid-manager-run --query 1234", OK("{}"),
          OK("{\"key\": {\"reportId\": \"7\"}, \"metadata\": {\"status\": {\"state\": \"DONE\"}, "
             "\"googleCloudStoragePath\": \"https://s/r.csv\"}}"), 0, "https://s/r.csv\n", "*verdict:  done\n*" },
        /* a list that lacks a location */
        { "--call valkey-list --project shop --location -", OK("{\"unreachable\": [\"us\\u001beast1\"]}"), NULL, 1, "",
          "*did not answer: us?east1\n" },
        { "--call redis-list --project shop --location nowhere", NOT_FOUND, NULL, 1, "",
          "verdict:  failed\nlast:     HTTP 404 NOT_FOUND: It says why.\n*" },
        { "--call redis-create --project shop --location x --instance cart --retries 1", NO_ANSWER,
          ANSWER("429 x", QUOTA_EXCEEDED), 1, "",
          "no answer, Server returned nothing (no headers, no data) (libcurl 52): retry 1 in 0.020 s\n"
          "verdict:  exhausted\n"
          "last:     HTTP 429 RESOURCE_EXHAUSTED, RATE_LIMIT_EXCEEDED (ReadsPerMinutePerProject): Quota exceeded.\n"
          "request:  GET http://127.0.0.1:*/v1/projects/shop/locations/x/instances/cart\n"
          "attempts: 2; requests: 2\ntime:     * s, of which waiting * s\nended:    20*-*-*T*:*:*Z\n"
          "beware:   a POST got no clear answer and may have been done: check before you repeat it\n" },
        { "--call redis-create --project shop --location x --instance cart --base 30s --limit 20s", OK(OPERATION), NULL,
          1, "", "verdict:  timed_out\nlast:     not ready yet\n*; a wait of 30.000 s was refused\n*" },
        /* wrong command lines */
        { "--token=" TOKEN, NULL, NULL, 2, "", "*--token: no such option*\n" },
        { "--location x", NULL, NULL, 2, "", "*--project: must be given\n" },
        { "--project ../x --location x", NULL, NULL, 2, "", "*--project: must be letters*\n" },
        { "--call redis-create --project shop --location x", NULL, NULL, 2, "", "*--instance: must be given\n" },
        { "--call bid-manager-run --query 12x", NULL, NULL, 2, "", "*--query: must be a number\n" },
        { "--project shop --location x --endpoint http://example.com", NULL, NULL, 2, "",
          "*--endpoint: must be https*\n" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        print_message("%s\n", rows[i].options);
        run(rows[i].options, rows[i].first, rows[i].second);
        assert_ended(rows[i].status, rows[i].out, rows[i].err);
    }
}

TEST(without_a_token_only_help_is_answered)
{
    unsetenv("GOOGLE_OAUTH_ACCESS_TOKEN");
    run("--help", NULL, NULL);
    assert_contains(program.out.bytes, "the longest wait that the server may ask for [5m]");
    assert_status(0);
    run("--project shop --location x", NULL, NULL);
    assert_ended(2, "", "*GOOGLE_OAUTH_ACCESS_TOKEN: must be set\n");
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
}

int main(void)
{
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
