/* examples/curl/curl_get against a real nginx and a scripted peer. SPDX-License-Identifier: MIT */
#include "curl_fixture.h"

static void get(uint16_t port, const char *path, const char *more)
{
    const struct request request = { port, path, more, NULL };
    start(&request);
    child_finish(&child);
}

/* The peer gives these answers, and all are asked for. */
static void get_answers(const struct step *steps, unsigned count, const char *more)
{
    assert_true(recording_server_start(&peer, steps, count));
    get(peer.port, "/", more);
    assert_int_equal(recording_server_stop(&peer), count);
}

/* An example with these words alone. */
static void get_words(const char *option, const char *value)
{
    const char *const line[] = { PROGRAM, option, value, NULL };
    poison(&child, sizeof child);
    child_start(&child, dir, line);
    child_finish(&child);
}

/* ---- nginx as a real service is set up ---- */

/* A machine that pauses for longer than the limit's period gets no refusal. So the test repeats the requests until one
   is refused. */
static void get_until_refused(const char *path, const char *refusal)
{
    unsigned tries = 0;
    do {
        get(nginx_port, path, "--base 100ms --retries 20");
        assert_done();
    } while (!says(refusal) && ++tries < 50);
    assert_says(refusal);
}

TEST(a_client_over_its_rate_limit_gets_through_after_429)
{
    get_until_refused("/limited", "HTTP status (429): retry 1 in 100 ms\n");
    assert_true(number_after("waited: ") >= 100);
}

TEST(a_retry_after_in_seconds_is_waited_for)
{
    get_until_refused("/later", "HTTP status (503): retry 1 in 1000 ms, the server asked for 1000 ms\n");
    assert_true(number_after("waited: ") >= 1000);
}

TEST(a_retry_after_that_is_too_long_ends_the_call)
{
    get(nginx_port, "/next-century", "");
    assert_given_up("wait_too_long; attempts: 1;");
    assert_says("a wait of 4294967295 ms was refused");
}

TEST(a_retry_after_in_the_past_leaves_our_own_wait)
{
    get(nginx_port, "/last-century", "--retries 2");
    assert_given_up("exhausted; attempts: 3;");
    assert_says("(503): retry 2 in 40 ms\n");
}

TEST(a_retry_after_date_counts_from_the_date_of_its_response)
{
    static const char *const dates[][2] = {   /* now, and a second later, by clocks that are wrong */
        { "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT" },
        { "Fri, 31 Dec 2123 23:59:59 GMT", "Sat, 01 Jan 2124 00:00:00 GMT" },
    };
    for (unsigned i = 0; i < LENGTH(dates); i++) {
        char answer[256];
        const struct step steps[] = { { answer, CLOSE, 0 }, { OK, CLOSE, 0 } };
        snprintf(answer, sizeof answer,
                 "HTTP/1.1 503 Later\r\nDate: %s\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n",
                 dates[i][0], dates[i][1]);
        assert_true(recording_server_start(&peer, steps, 2));
        get(i ? nginx_port : peer.port, "/backend", "");
        assert_int_equal(recording_server_stop(&peer), 2);
        assert_done();
        assert_says("retry 1 in 1000 ms, the server asked for 1000 ms\n");
        assert_true(number_after("waited: ") >= 1000);
    }
}

TEST(two_retry_after_headers_are_ignored)
{
    static const struct step steps[] = {
        { "HTTP/1.1 503 Later\r\nRetry-After: 5\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", CLOSE, 0 },
        { OK, CLOSE, 0 },
    };
    get_answers(steps, 2, "");
    assert_done();
    assert_says("(503): retry 1 in 20 ms\n");
}

TEST(a_redirect_is_followed)
{
    get(nginx_port, "/moved", "");
    assert_done();
    assert_says("attempts: 1;");
}

TEST(a_loop_of_redirects_is_not_tried_again)
{
    get(nginx_port, "/loop", "");
    assert_given_up("failed; attempts: 1;");
    assert_says("(47)");
}

TEST(a_status_that_stays_is_not_tried_again)
{
    get(nginx_port, "/missing", "");
    assert_given_up("failed; attempts: 1;");
    assert_says("last: HTTP status (404)");
}

/* ---- what breaks on the way ---- */

TEST(a_port_where_nobody_listens_is_tried_to_the_last_retry)
{
    get(closed_port, "/", "--retries 2");
    assert_given_up("exhausted; attempts: 3;");
    assert_says("(7): retry 2 in 40 ms\n");
}

/* Each first answer is followed by a whole one: first from the peer itself, then through nginx. */
static void assert_retried(const char *broken, enum then then, const char *more, const char *line)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct step steps[] = { { broken, then, 0 }, { OK, CLOSE, 0 } };
        assert_true(recording_server_start(&peer, steps, 2));
        get(i ? nginx_port : peer.port, "/backend", more);
        assert_int_equal(recording_server_stop(&peer), 2);
        assert_done();
        if (i == 0 || then == HANG)   /* nginx makes a 502 of most of them */
            assert_says(line);
    }
}

TEST(a_body_cut_in_the_middle_is_fetched_anew_and_whole)
{
    assert_retried("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", CLOSE, "", "(18): retry 1 in 20 ms\n");
}

TEST(a_header_cut_short_is_no_success)
{
    static const char *const cuts[] = { "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Len",
                                        "HTTP/1.1 200 OK\r\nServer: x\r\n", "HTTP/1.1 200 OK\r\n",
                                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSer" };
    for (unsigned i = 0; i < LENGTH(cuts); i++)
        assert_retried(cuts[i], CLOSE, "", "(18): retry 1 in 20 ms\n");
}

TEST(a_body_cut_between_its_chunks_is_fetched_anew)
{
    assert_retried("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nbroken\r\n", CLOSE,
                   "", "(18): retry 1 in 20 ms\n");
}

TEST(an_error_page_is_not_part_of_the_body)
{
    assert_retried(UNAVAILABLE, CLOSE, "", "HTTP status (503): retry 1 in 20 ms\n");
}

TEST(a_reset_connection_is_tried_again)
{
    assert_retried("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", RESET, "", "(56): retry 1 in 20 ms\n");
}

TEST(a_server_that_stops_answering_is_tried_again)
{
    assert_retried("", HANG, "--attempt 2s", "(28): retry 1 in 20 ms\n");
}

TEST(a_body_longer_than_the_limit_fails_for_good)
{
    static const struct step step = { OK, CLOSE, 0 };
    get_answers(&step, 1, "--max-body 4");
    assert_given_up("failed; attempts: 1;");
    assert_says("(23)");
    get_answers(&step, 1, "--max-body 5");
    assert_done();
}

TEST(only_the_beginning_of_an_error_page_is_printed_and_nothing_that_disturbs_a_terminal)
{
    static char answer[2000] = "HTTP/1.1 404 No\r\nContent-Length: 1000\r\n\r\n\033[2J";
    const struct step step = { answer, CLOSE, 0 };
    size_t used = strlen(answer);
    memset(answer + used, 'x', 1000 - 4);
    get_answers(&step, 1, "");
    assert_given_up("failed; attempts: 1;");
    assert_says("\n.[2Jxxx");
    assert_says("xxx... (1000 bytes in all)\n");
    assert_true(strlen(child.err) < 700);
}

TEST(a_connection_closed_without_an_answer_is_tried_again)
{
    get(nginx_port, "/silent", "--retries 1");
    assert_given_up("exhausted; attempts: 2;");
    assert_says("(52): retry 1 in 20 ms\n");
}

TEST(a_handshake_that_fails_is_tried_again)
{
    char https[64];
    snprintf(https, sizeof https, "--retries=1 --url=https://127.0.0.1:%u/", (unsigned)nginx_port);
    get(nginx_port, "/", https);
    assert_given_up("exhausted; attempts: 2;");
    assert_says("(35): retry 1 in 20 ms\n");
}

TEST(an_answer_that_is_no_http_is_not_tried_again)
{
    static const char *const answers[] = { "220 mail.example ESMTP\r\n",
                                           "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99999 No\r\n\r\n" };
    for (unsigned i = 0; i < LENGTH(answers); i++) {
        const struct step step = { answers[i], CLOSE, 0 };
        get_answers(&step, 1, "");
        assert_given_up("failed; attempts: 1;");
    }
}

TEST(an_attempt_is_cut_off_when_the_time_of_the_call_is_up)
{
    static const struct step silent = { "", HANG, 0 };
    get_answers(&silent, 1, "--attempt 50s --limit 500ms");
    assert_given_up("timed_out; attempts: 1;");
    assert_says("(28)");
    assert_true(number_after("time: ") >= 400);   /* libcurl rounds */
    assert_true(number_after("time: ") < 20000);
    assert_says("waited: 0 ms;");
}

/* ---- Ctrl-C ---- */

/* From the signal to the end of the process. 2 s, because the machine may be busy. */
static void interrupt(const char *what)
{
    uint32_t since = real_now_ms();
    kill(child.pid, SIGINT);
    child_finish(&child);
    since = real_now_ms() - since;
    print_message("           Ctrl-C in %s took %d ms\n", what, (int)since);
    assert_given_up("cancelled; attempts: 1;");
    assert_true(since < 2000);
}

#define PATIENCE 4000   /* of the pauses: 20 s at least */

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
}

TEST(ctrl_c_ends_a_wait)
{
    const struct request request = { closed_port, "/", "--base 30s", NULL };
    start(&request);
    for (unsigned i = 0; i < PATIENCE && !says("retry 1 in 30000 ms\n"); i++) {
        pause_a_little();
        child_read(child.err_file, child.err, sizeof child.err);
    }
    interrupt("a wait");
}

static void interrupt_transfer(const char *begun, const char *what)
{
    const struct request request = { peer.port, "/", "--attempt 50s", NULL };
    const struct step step = { begun, HANG, 0 };
    assert_true(recording_server_start(&peer, &step, 1));
    start(&request);
    for (unsigned i = 0; i < PATIENCE && atomic_load(&peer.answered) == 0; i++)
        pause_a_little();
    interrupt(what);
    assert_int_equal(recording_server_stop(&peer), 1);
}

TEST(ctrl_c_ends_a_transfer_that_has_no_answer)
{
    interrupt_transfer("", "a transfer without an answer");
}

TEST(ctrl_c_ends_a_transfer_in_its_body)
{
    interrupt_transfer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", "the middle of a body");
}

/* ---- the command lines ---- */

TEST(a_bad_word_is_named_with_its_rule)
{
    static const char *const lines[][3] = {
        { "--base", "0", "--base 0: must be a time from 1ms to 32s, in seconds or with the unit ms, s, m or h" },
        { "--jitter", "1001ms", "--jitter 1001ms: must be a time from 1ms to 1s" },
        { "--retries", "-1", "--retries -1: must be a whole number from 0 to 4294967294, or unlimited" },
        { "--attempt", "2147483648ms", "--attempt 2147483648ms: must be a time from 1ms to 596h" },
        { "--limit", "1d", "--limit 1d: must be a time from 0 to 1193h" },
        { "--base", "1ms", "--url: must be given" },
    };
    for (unsigned i = 0; i < LENGTH(lines); i++) {
        get_words(lines[i][0], lines[i][1]);
        assert_refused(lines[i][2]);
    }
}

TEST(a_url_that_is_not_http_fails_for_good)
{
    static const char *const urls[] = { "file:///etc/hostname", "ftp://127.0.0.1/", "http://[", "" };
    for (unsigned i = 0; i < LENGTH(urls); i++) {
        get_words("--url", urls[i]);
        assert_given_up("failed; attempts: 1;");
    }
}

int main(void)
{
    return run_all_with(NULL, NULL, start_servers, stop_servers);
}
