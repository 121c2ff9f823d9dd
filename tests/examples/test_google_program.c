/* examples/google as its user runs it: options, the token, exit statuses, what is printed. PROGRAM is the program.
   SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/stat.h>

#include "child.h"
#include "google_fixture.h"

static char dir[] = "/tmp/redial-google-XXXXXX";
static struct child child;

/* The options come in pairs, after --endpoint, and end with a NULL. */
static void start_program(const char *const *options)
{
    const char *line[24] = { PROGRAM, "--endpoint", endpoint };
    for (unsigned k = 0; options[k]; k++)
        line[k + 3] = options[k];
    poison(&child, sizeof child);
    child_start(&child, dir, line);
    child_finish(&child);
    assert_null(strstr(child.out, TOKEN));
    assert_null(strstr(child.err, TOKEN));
}

/* The program makes a request for each of the steps. */
#define ANSWERED_PROGRAM(...) do { \
    assert_true(recording_server_start(&peer, steps, LENGTH(steps))); \
    PROGRAM_WITH(__VA_ARGS__); \
    assert_int_equal(recording_server_stop(&peer), LENGTH(steps)); \
} while (0)
#define PROGRAM_WITH(...) start_program((const char *const[]){ __VA_ARGS__, NULL })

#define assert_says(text) assert_contains(child.err, text)

static void assert_refused(const char *text)
{
    assert_says(text);
    assert_ptr_equal(strchr(child.err, '\n'), child.err + strlen(child.err) - 1);
    assert_int_equal(child.exit_status, 2);
}

TEST(a_list_goes_to_stdout_and_the_report_to_stderr)
{
    static const struct step steps[] = {
        SAY(UNAVAILABLE),
        SAY(OK("{\"instances\": [{\"name\": \"projects/shop/locations/x/instances/cart\", \"state\": \"READY\"}]}")) };
    ANSWERED_PROGRAM("--call", "redis-list", "--project", "shop", "--location", "x", "--base", "20ms", "--mode", "none");
    assert_string_equal(child.out, "projects/shop/locations/x/instances/cart\tREADY\n");
    assert_says("HTTP 503 UNAVAILABLE: retry 1 in 0.020 s\n");
    assert_says("verdict:  done: it succeeded\nlast:     HTTP 200\n");
    assert_int_equal(child.exit_status, 0);
}

TEST(a_list_that_lacks_a_location_says_so_and_ends_with_1)
{
    static const struct step steps[] = { SAY(OK("{\"unreachable\": [\"us\\u001beast1\"]}")) };
    ANSWERED_PROGRAM("--call", "valkey-list", "--project", "shop", "--location", "-");
    assert_says("did not answer: us east1\n");
    assert_int_equal(child.exit_status, 1);
}

TEST(a_creation_prints_each_poll_and_the_instance)
{
    static const struct step steps[] = {
        SAY(OK("{\"name\": \"projects/shop/locations/x/operations/1\"}")),
        SAY(OK("{\"name\": \"projects/shop/locations/x/operations/1\", \"done\": true, \"response\": "
            "{\"name\": \"cart\", \"state\": \"ACTIVE\"}}")) };
    ANSWERED_PROGRAM("--call", "valkey-create", "--project", "shop", "--location", "x", "--instance", "cart",
                     "--base", "20ms", "--mode", "none");
    assert_says("not ready yet: asking again in 0.020 s\n");
    assert_string_equal(child.out, "cart\tACTIVE\n");
    assert_int_equal(child.exit_status, 0);
}

TEST(a_report_prints_its_path)
{
    static const struct step steps[] = {
        SAY(OK("{}")), SAY(OK("{\"key\": {\"reportId\": \"7\"}}")),
        SAY(OK("{\"metadata\": {\"status\": {\"state\": \"DONE\"}, "
            "\"googleCloudStoragePath\": \"https://s/r.csv\"}}")) };
    ANSWERED_PROGRAM("--call", "bid-manager-run", "--query", "1234", "--base", "20ms", "--mode", "none");
    assert_string_equal(child.out, "https://s/r.csv\n");
    assert_int_equal(child.exit_status, 0);
}

TEST(a_failure_ends_with_1_and_prints_nothing_to_stdout)
{
    static const struct step steps[] = { SAY(NOT_FOUND) };
    ANSWERED_PROGRAM("--call", "redis-list", "--project", "shop", "--location", "nowhere");
    assert_says("verdict:  failed: a retry would not change it\n"
                "last:     HTTP 404 NOT_FOUND: Resource was not found.\n");
    assert_string_equal(child.out, "");
    assert_int_equal(child.exit_status, 1);
}

TEST(help_is_answered_without_a_token)
{
    unsetenv("GOOGLE_OAUTH_ACCESS_TOKEN");
    PROGRAM_WITH("--help");
    assert_int_equal(child.exit_status, 0);
    assert_non_null(strstr(child.out, "--endpoint URL"));
    assert_non_null(strstr(child.out, "polls and waits together; 0: no limit [15m]"));
    assert_non_null(strstr(child.out, "GOOGLE_OAUTH_ACCESS_TOKEN"));
    PROGRAM_WITH("--project", "shop", "--location", "x");
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    assert_refused("GOOGLE_OAUTH_ACCESS_TOKEN: must be set");
}

TEST(a_wrong_command_line_is_refused_in_one_line)
{
    PROGRAM_WITH("--no-such", "1");
    assert_refused("--no-such: no such option");
    PROGRAM_WITH("--token=" TOKEN);
    assert_refused("--token: no such option");
    PROGRAM_WITH("--call", "redis-delete");
    assert_refused("--call redis-delete: must be redis-list, redis-create, valkey-list, valkey-create or "
                   "bid-manager-run");
    PROGRAM_WITH("--location", "x");
    assert_refused("--project: must be given");
    PROGRAM_WITH("--project", "../x", "--location", "x");
    assert_refused("--project: must be letters");
    PROGRAM_WITH("--call", "redis-create", "--project", "shop", "--location", "x");
    assert_refused("--instance: must be given");
    PROGRAM_WITH("--call", "bid-manager-run", "--query", "12x");
    assert_refused("--query: must be a number");
    PROGRAM_WITH("--project", "shop", "--location", "x", "--base", "64s");
    assert_refused("--base 64s --cap 32s");
    PROGRAM_WITH("--project", "shop", "--location", "x", "--endpoint", "http://example.com");
    assert_refused("--endpoint: must be https");
}

static int make_dir(void **state)
{
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN, 1);
    return mkdtemp(dir) ? start_server(state) : -1;
}

static int remove_dir(void **state)
{
    return remove_folder(dir) == 0 ? stop_server(state) : -1;
}

int main(void)
{
    return run_all_with(NULL, NULL, make_dir, remove_dir);
}
