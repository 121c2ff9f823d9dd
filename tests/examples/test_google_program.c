/* examples/google as its user runs it: options, the token, exit statuses, what is printed. PROGRAM is the program.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "google_fixture.h"

static struct server server;

/* Runs the program, whose options are separated by blanks, against a server. The second answer is for all requests
   after the first one. */
static void run(const char *options, const char *first, const char *second)
{
    const struct answer answers[] = { { first }, { second, .always = true } };
    const char *line[24] = { PROGRAM };
    char words[256], *word;
    unsigned count = 1;
    assert_true(server_start(&server, answers, 2));
    snprintf(words, sizeof words, "--endpoint http://127.0.0.1:%u --base 20ms --mode none %s", (unsigned)server.port,
             options);
    for (word = strtok(words, " "); word; word = strtok(NULL, " "))
        line[count++] = word;
    program_run(line);
    assert_int_equal(server_stop(&server) > 0, first != NULL);
    assert_null(strstr(program.out.bytes, TOKEN));
    assert_null(strstr(program.err.bytes, TOKEN));
}

static void assert_ended(int status, const char *out, const char *err)
{
    assert_contains(program.err.bytes, err);
    assert_string_equal(program.out.bytes, out);
    assert_status(status);
}

TEST(a_list_goes_to_stdout_and_the_report_to_stderr)
{
    run("--call redis-list --project shop --location x", UNAVAILABLE,
        OK("{\"instances\": [{\"name\": \"cart\", \"state\": \"READY\"}]}"));
    assert_contains(program.err.bytes, "HTTP 503 UNAVAILABLE: retry 1 in 0.020 s\n");
    assert_ended(0, "cart\tREADY\n", "verdict:  done\nlast:     HTTP 200\n");
}

TEST(a_list_that_lacks_a_location_says_so_and_ends_with_1)
{
    run("--call valkey-list --project shop --location -", OK("{\"unreachable\": [\"us\\u001beast1\"]}"), NULL);
    assert_ended(1, "", "did not answer: us?east1\n");
}

TEST(a_creation_prints_each_poll_and_the_instance)
{
    run("--call valkey-create --project shop --location x --instance cart", OK(OPERATION), OK(OPERATION_DONE));
    assert_ended(0, "cart\tREADY\n", "not ready yet: asking again in 0.020 s\n");
}

TEST(a_report_prints_its_path)
{
    run("--call bid-manager-run --query 1234", OK("{}"),
        OK("{\"key\": {\"reportId\": \"7\"}, \"metadata\": {\"status\": {\"state\": \"DONE\"}, "
           "\"googleCloudStoragePath\": \"https://s/r.csv\"}}"));
    assert_ended(0, "https://s/r.csv\n", "verdict:  done");
}

TEST(a_failure_ends_with_1_and_prints_nothing_to_stdout)
{
    run("--call redis-list --project shop --location nowhere", NOT_FOUND, NULL);
    assert_ended(1, "", "verdict:  failed\nlast:     HTTP 404 NOT_FOUND: It says why.\n");
}

TEST(help_is_answered_without_a_token)
{
    unsetenv("GOOGLE_OAUTH_ACCESS_TOKEN");
    run("--help", NULL, NULL);
    assert_contains(program.out.bytes, "--endpoint URL");
    assert_contains(program.out.bytes, "the longest wait that the server may ask for [5m]");
    assert_status(0);
    run("--project shop --location x", NULL, NULL);
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    assert_ended(2, "", "GOOGLE_OAUTH_ACCESS_TOKEN: must be set\n");
}

TEST(a_wrong_command_line_is_refused_in_one_line)
{
    static const char *const lines[][2] = {
        { "--token=" TOKEN, "--token: no such option" },
        { "--location x", "--project: must be given" },
        { "--project ../x --location x", "--project: must be letters" },
        { "--call redis-create --project shop --location x", "--instance: must be given" },
        { "--call bid-manager-run --query 12x", "--query: must be a number" },
        { "--project shop --location x --endpoint http://example.com", "--endpoint: must be https" },
    };
    for (unsigned i = 0; i < LENGTH(lines); i++) {
        run(lines[i][0], NULL, NULL);
        assert_ended(2, "", lines[i][1]);
        assert_ptr_equal(strchr(program.err.bytes, '\n'), program.err.bytes + program.err.length - 1);
    }
}

int main(void)
{
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
