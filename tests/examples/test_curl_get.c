/* examples/curl/curl_get against a real nginx and a scripted peer. SPDX-License-Identifier: MIT */
#include "curl_fixture.h"

static void get(struct child *child, uint16_t port, const char *path, const char *more)
{
    const struct request request = { port, path, more, NULL };
    start(child, &request);
    child_finish(child);
}

/* An example with these words alone. */
static void get_words(struct child *child, const char *option, const char *value)
{
    const char *const line[] = { PROGRAM, option, value, NULL };
    poison(child, sizeof *child);
    child_start(child, dir, line);
    child_finish(child);
}

/* ---- nginx as a real service is set up ---- */

/* On a machine that stops for longer than the limit's period no request is refused: so until one was. */
static void get_until_refused(struct child *child, const char *path, const char *refusal)
{
    unsigned tries = 0;
    do {
        get(child, nginx_port, path, "--base 100 --retries 20");
        assert_done(child);
    } while (!says(child, refusal) && ++tries < 50);
    assert_says(child, refusal);
}

static void a_client_over_its_rate_limit_gets_through_after_429(void **state)
{
    struct child child;
    (void)state;
    get_until_refused(&child, "/limited", "HTTP status (429): retry 1 in 100 ms\n");
    assert_true(number_after(&child, "waited: ") >= 100);
}

static void a_retry_after_in_seconds_is_waited_for(void **state)
{
    struct child child;
    (void)state;
    get_until_refused(&child, "/later", "HTTP status (503): retry 1 in 1000 ms, the server asked for 1000 ms\n");
    assert_true(number_after(&child, "waited: ") >= 1000);
}

static void a_retry_after_that_is_too_long_ends_the_call(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/next-century", "");
    assert_given_up(&child, "wait_too_long; attempts: 1;");
    assert_says(&child, "a wait of 4294967295 ms was refused");
}

static void a_retry_after_in_the_past_leaves_our_own_wait(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/last-century", "--retries 2");
    assert_given_up(&child, "exhausted; attempts: 3;");
    assert_says(&child, "(503): retry 2 in 40 ms\n");
}

static void a_retry_after_date_counts_from_the_date_of_its_response(void **state)
{
    static const char *const dates[][2] = {   /* now, and a second later, by clocks that are wrong */
        { "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT" },
        { "Fri, 31 Dec 2123 23:59:59 GMT", "Sat, 01 Jan 2124 00:00:00 GMT" },
    };
    (void)state;
    for (unsigned i = 0; i < LENGTH(dates); i++) {
        char answer[256];
        const struct step steps[] = { { answer, CLOSE, 0 }, { OK, CLOSE, 0 } };
        struct child child;
        snprintf(answer, sizeof answer,
                 "HTTP/1.1 503 Later\r\nDate: %s\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n",
                 dates[i][0], dates[i][1]);
        assert_true(recording_server_start(&peer, steps, 2));
        get(&child, i ? nginx_port : peer.port, "/backend", "");
        assert_int_equal(recording_server_stop(&peer), 2);
        assert_done(&child);
        assert_says(&child, "retry 1 in 1000 ms, the server asked for 1000 ms\n");
        assert_true(number_after(&child, "waited: ") >= 1000);
    }
}

static void two_retry_afters_are_none(void **state)
{
    static const struct step steps[] = {
        { "HTTP/1.1 503 Later\r\nRetry-After: 5\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", CLOSE, 0 },
        { OK, CLOSE, 0 },
    };
    struct child child;
    (void)state;
    assert_true(recording_server_start(&peer, steps, 2));
    get(&child, peer.port, "/", "");
    assert_int_equal(recording_server_stop(&peer), 2);
    assert_done(&child);
    assert_says(&child, "(503): retry 1 in 20 ms\n");
}

static void a_redirect_is_followed(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/moved", "");
    assert_done(&child);
    assert_says(&child, "attempts: 1;");
}

static void a_loop_of_redirects_is_not_tried_again(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/loop", "");
    assert_given_up(&child, "failed; attempts: 1;");
    assert_says(&child, "(47)");
}

static void a_status_that_stays_is_not_tried_again(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/missing", "");
    assert_given_up(&child, "failed; attempts: 1;");
    assert_says(&child, "last: HTTP status (404)");
}

/* ---- what breaks on the way ---- */

static void a_port_where_nobody_listens_is_tried_to_the_last_retry(void **state)
{
    struct child child;
    (void)state;
    get(&child, deaf_port, "/", "--retries 2");
    assert_given_up(&child, "exhausted; attempts: 3;");
    assert_says(&child, "(7): retry 2 in 40 ms\n");
}

/* Each first answer is followed by a whole one: first from the peer itself, then through nginx. */
static void assert_retried(const struct step *broken, const char *more, const char *line)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct step steps[] = { *broken, { OK, CLOSE, 0 } };
        struct child child;
        assert_true(recording_server_start(&peer, steps, 2));
        get(&child, i ? nginx_port : peer.port, "/backend", more);
        assert_int_equal(recording_server_stop(&peer), 2);
        assert_done(&child);
        if (i == 0 || broken->then == HANG)   /* nginx makes a 502 of most of them */
            assert_says(&child, line);
    }
}

static void a_body_cut_in_the_middle_is_fetched_anew_and_whole(void **state)
{
    static const struct step cut = { "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", CLOSE, 0 };
    (void)state;
    assert_retried(&cut, "", "(18): retry 1 in 20 ms\n");
}

static void a_header_cut_short_is_no_success(void **state)
{
    static const char *const cuts[] = { "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Len",
                                        "HTTP/1.1 200 OK\r\nServer: x\r\n", "HTTP/1.1 200 OK\r\n",
                                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSer" };
    (void)state;
    for (unsigned i = 0; i < LENGTH(cuts); i++) {
        const struct step cut = { cuts[i], CLOSE, 0 };
        assert_retried(&cut, "", "(18): retry 1 in 20 ms\n");
    }
}

static void a_body_cut_between_its_chunks_is_fetched_anew(void **state)
{
    static const struct step cut = { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nbroken\r\n", CLOSE, 0 };
    (void)state;
    assert_retried(&cut, "", "(18): retry 1 in 20 ms\n");
}

static void an_error_page_is_not_part_of_the_body(void **state)
{
    static const struct step page = { UNAVAILABLE, CLOSE, 0 };
    (void)state;
    assert_retried(&page, "", "HTTP status (503): retry 1 in 20 ms\n");
}

static void a_reset_connection_is_tried_again(void **state)
{
    static const struct step reset = { "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", RESET, 0 };
    (void)state;
    assert_retried(&reset, "", "(56): retry 1 in 20 ms\n");
}

static void a_server_that_stops_answering_is_tried_again(void **state)
{
    static const struct step silent = { "", HANG, 0 };
    (void)state;
    assert_retried(&silent, "--attempt 2000", "(28): retry 1 in 20 ms\n");
}

static void a_body_longer_than_the_limit_fails_for_good(void **state)
{
    static const struct step step = { OK, CLOSE, 0 };
    struct child child;
    (void)state;
    assert_true(recording_server_start(&peer, &step, 1));
    get(&child, peer.port, "/", "--max-body 4");
    assert_int_equal(recording_server_stop(&peer), 1);
    assert_given_up(&child, "failed; attempts: 1;");
    assert_says(&child, "(23)");
    assert_true(recording_server_start(&peer, &step, 1));
    get(&child, peer.port, "/", "--max-body 5");
    assert_int_equal(recording_server_stop(&peer), 1);
    assert_done(&child);
}

static void only_the_beginning_of_an_error_page_is_printed_and_nothing_that_disturbs_a_terminal(void **state)
{
    static char answer[2000] = "HTTP/1.1 404 No\r\nContent-Length: 1000\r\n\r\n\033[2J";
    const struct step step = { answer, CLOSE, 0 };
    struct child child;
    size_t used = strlen(answer);
    (void)state;
    memset(answer + used, 'x', 1000 - 4);
    assert_true(recording_server_start(&peer, &step, 1));
    get(&child, peer.port, "/", "");
    assert_int_equal(recording_server_stop(&peer), 1);
    assert_given_up(&child, "failed; attempts: 1;");
    assert_says(&child, "\n.[2Jxxx");
    assert_says(&child, "xxx... (1000 bytes in all)\n");
    assert_true(strlen(child.err) < 700);
}

static void a_connection_closed_without_an_answer_is_tried_again(void **state)
{
    struct child child;
    (void)state;
    get(&child, nginx_port, "/silent", "--retries 1");
    assert_given_up(&child, "exhausted; attempts: 2;");
    assert_says(&child, "(52): retry 1 in 20 ms\n");
}

static void a_handshake_that_fails_is_tried_again(void **state)
{
    char https[64];
    struct child child;
    (void)state;
    snprintf(https, sizeof https, "--retries=1 --url=https://127.0.0.1:%u/", (unsigned)nginx_port);
    get(&child, nginx_port, "/", https);
    assert_given_up(&child, "exhausted; attempts: 2;");
    assert_says(&child, "(35): retry 1 in 20 ms\n");
}

static void an_answer_that_is_no_http_is_not_tried_again(void **state)
{
    static const char *const answers[] = { "220 mail.example ESMTP\r\n",
                                           "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99999 No\r\n\r\n" };
    (void)state;
    for (unsigned i = 0; i < LENGTH(answers); i++) {
        const struct step step = { answers[i], CLOSE, 0 };
        struct child child;
        assert_true(recording_server_start(&peer, &step, 1));
        get(&child, peer.port, "/", "");
        assert_int_equal(recording_server_stop(&peer), 1);
        assert_given_up(&child, "failed; attempts: 1;");
    }
}

static void an_attempt_is_cut_off_when_the_time_of_the_call_is_up(void **state)
{
    static const struct step silent = { "", HANG, 0 };
    struct child child;
    (void)state;
    assert_true(recording_server_start(&peer, &silent, 1));
    get(&child, peer.port, "/", "--attempt 50000 --limit 500");
    assert_int_equal(recording_server_stop(&peer), 1);
    assert_given_up(&child, "timed_out; attempts: 1;");
    assert_says(&child, "(28)");
    assert_true(number_after(&child, "time: ") >= 400);   /* libcurl rounds */
    assert_true(number_after(&child, "time: ") < 20000);
    assert_says(&child, "waited: 0 ms;");
}

/* ---- Ctrl-C ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* From the signal to the end of the process; 2 s is for a machine that has other things to do. */
static void interrupt(struct child *child, const char *what)
{
    int64_t since = now_ms();
    kill(child->pid, SIGINT);
    child_finish(child);
    since = now_ms() - since;
    print_message("           Ctrl-C in %s took %d ms\n", what, (int)since);
    assert_given_up(child, "cancelled; attempts: 1;");
    assert_true(since < 2000);
}

#define PATIENCE 4000   /* of the pauses: 20 s at least */

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
}

static void ctrl_c_ends_a_wait(void **state)
{
    const struct request request = { deaf_port, "/", "--base 30000", NULL };
    struct child child;
    (void)state;
    start(&child, &request);
    for (unsigned i = 0; i < PATIENCE && !says(&child, "retry 1 in 30000 ms\n"); i++) {
        pause_a_little();
        child_read(child.err_file, child.err, sizeof child.err);
    }
    interrupt(&child, "a wait");
}

static void interrupt_transfer(const char *begun, const char *what)
{
    const struct request request = { peer.port, "/", "--attempt 50000", NULL };
    const struct step step = { begun, HANG, 0 };
    struct child child;
    assert_true(recording_server_start(&peer, &step, 1));
    start(&child, &request);
    for (unsigned i = 0; i < PATIENCE && atomic_load(&peer.answered) == 0; i++)
        pause_a_little();
    interrupt(&child, what);
    assert_int_equal(recording_server_stop(&peer), 1);
}

static void ctrl_c_ends_a_transfer_that_has_no_answer(void **state)
{
    (void)state;
    interrupt_transfer("", "a transfer without an answer");
}

static void ctrl_c_ends_a_transfer_in_its_body(void **state)
{
    (void)state;
    interrupt_transfer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken", "the middle of a body");
}

/* ---- the command lines ---- */

static void a_bad_word_is_named_with_its_rule(void **state)
{
    static const char *const lines[][3] = {
        { "--base", "0", "--base 0: must be a whole number from 1 to 32000" },
        { "--jitter", "1001", "--jitter 1001: must be a whole number from 1 to 1000" },
        { "--retries", "-1", "--retries -1: must be a whole number from 0 to 4294967294, or unlimited" },
        { "--attempt", "2147483648", "--attempt 2147483648: must be a whole number from 1 to 2147483647" },
        { "--limit", "1s", "--limit 1s: must be a whole number from 0 to 4294967295" },
        { "--base", "1", "--url: must be given" },
    };
    (void)state;
    for (unsigned i = 0; i < LENGTH(lines); i++) {
        struct child child;
        get_words(&child, lines[i][0], lines[i][1]);
        assert_refused(&child, lines[i][2]);
    }
}

static void a_url_that_is_not_http_fails_for_good(void **state)
{
    static const char *const urls[] = { "file:///etc/hostname", "ftp://127.0.0.1/", "http://[", "" };
    (void)state;
    for (unsigned i = 0; i < LENGTH(urls); i++) {
        struct child child;
        get_words(&child, "--url", urls[i]);
        assert_given_up(&child, "failed; attempts: 1;");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_over_its_rate_limit_gets_through_after_429),
        cmocka_unit_test(a_retry_after_in_seconds_is_waited_for),
        cmocka_unit_test(a_retry_after_that_is_too_long_ends_the_call),
        cmocka_unit_test(a_retry_after_in_the_past_leaves_our_own_wait),
        cmocka_unit_test(a_retry_after_date_counts_from_the_date_of_its_response),
        cmocka_unit_test(two_retry_afters_are_none),
        cmocka_unit_test(a_redirect_is_followed),
        cmocka_unit_test(a_loop_of_redirects_is_not_tried_again),
        cmocka_unit_test(a_status_that_stays_is_not_tried_again),
        cmocka_unit_test(a_port_where_nobody_listens_is_tried_to_the_last_retry),
        cmocka_unit_test(a_body_cut_in_the_middle_is_fetched_anew_and_whole),
        cmocka_unit_test(a_header_cut_short_is_no_success),
        cmocka_unit_test(a_body_cut_between_its_chunks_is_fetched_anew),
        cmocka_unit_test(a_body_longer_than_the_limit_fails_for_good),
        cmocka_unit_test(only_the_beginning_of_an_error_page_is_printed_and_nothing_that_disturbs_a_terminal),
        cmocka_unit_test(an_error_page_is_not_part_of_the_body),
        cmocka_unit_test(a_reset_connection_is_tried_again),
        cmocka_unit_test(a_server_that_stops_answering_is_tried_again),
        cmocka_unit_test(a_connection_closed_without_an_answer_is_tried_again),
        cmocka_unit_test(a_handshake_that_fails_is_tried_again),
        cmocka_unit_test(an_answer_that_is_no_http_is_not_tried_again),
        cmocka_unit_test(an_attempt_is_cut_off_when_the_time_of_the_call_is_up),
        cmocka_unit_test(ctrl_c_ends_a_wait),
        cmocka_unit_test(ctrl_c_ends_a_transfer_that_has_no_answer),
        cmocka_unit_test(ctrl_c_ends_a_transfer_in_its_body),
        cmocka_unit_test(a_bad_word_is_named_with_its_rule),
        cmocka_unit_test(a_url_that_is_not_http_fails_for_good),
    };
    return cmocka_run_group_tests(tests, start_servers, stop_servers);
}
