/* examples/google as its user runs it: words, the token, exit statuses, what is printed. PROGRAM is
   the program. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "google_fixture.h"

#include <fnmatch.h>

static struct server server;

/* out is what it prints; err is a pattern of fnmatch. Waits are those of the program, so only one
   row has one. */
static const struct {
    const char *words, *first, *second;
    int status;
    const char *out, *err;
} rows[] = {
    { "get shop x cart", ANSWER("429 x", "{\"error\": {\"message\": \"Slow down.\"}}"),
      OK("{\"name\": \"cart\", \"state\": \"READY\"}"), 0, "cart\tREADY\n",
      "429 Slow down.; the next request is in [12]??? ms\ndone after 2 requests, HTTP 200\n" },
    { "create shop x cart", OK(OPERATION), OK(OPERATION_DONE), 0, "cart\tREADY\n",
      "done after 2 requests, HTTP 200\n" },
    { "get shop nowhere cart", NOT_FOUND, NULL, 1, "",
      "failed after 1 requests, HTTP 404: It says why.\n" },
    { "report 1234", ANSWER("503 x\r\nRetry-After: 3600", "{}"), NULL, 1, "",
      "wait_too_long after 1 requests, HTTP 503, a wait of 3600000 ms was refused\n" },
    { "get ../x x cart", NULL, NULL, 2, "", "google: names are letters*\n" },
    { "get shop x", NULL, NULL, 2, "", "usage: *" },
    { "--token=" TOKEN, NULL, NULL, 2, "", "usage: *" },
};

TEST(a_result_goes_to_stdout_what_happened_to_stderr_and_the_status_tells)
{
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answers[] = { { rows[i].first }, { rows[i].second, .always = true } };
        char endpoint[64];
        assert_true(server_start(&server, answers, 2));
        snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u", (unsigned)server.port);
        setenv("GOOGLE_ENDPOINT", endpoint, 1);
        program_start_words(PROGRAM, "%s", rows[i].words);
        program_end();
        assert_int_equal(server_stop(&server) > 0, rows[i].first != NULL);
        if (fnmatch(rows[i].err, program.err.bytes, 0) != 0)
            fail_msg("%s: this is not like %s:\n%s", rows[i].words, rows[i].err, program.err.bytes);
        assert_string_equal(program.out.bytes, rows[i].out);
        assert_status(rows[i].status);
        assert_null(strstr(program.err.bytes, TOKEN));
    }
}

int main(void)
{
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
