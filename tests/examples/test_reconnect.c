/* One connection of examples/loops/reconnect, with a clock that the test advances. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#include "../unit/support.h"

static int read_clock(struct timespec *now);
int reconnect_main(int argc, char **argv);

#define main reconnect_main
#define clock_gettime(clock, now) read_clock(now)
#include "../../examples/loops/reconnect.c"

#define DAY_S 86400

/* The clock stands still, but for the two jumps. */
static struct peer {
    int listener;
    int greets_after_s;   /* the clock jumps by this before the greeting */
    int64_t works_for_s;  /* and by this after it was read once */
    const char *last;     /* what the server sends after the greeting */
    atomic_int now_s, readings;
} peer;

static int read_clock(struct timespec *now)
{
    *now = (struct timespec){ atomic_load(&peer.now_s), 0 };
    if (atomic_fetch_add(&peer.readings, 1) > 0)
        now->tv_sec += peer.works_for_s;
    return 0;
}

static void *serve_one(void *user)
{
    int fd = accept(peer.listener, NULL, NULL);
    (void)user;
    atomic_fetch_add(&peer.now_s, peer.greets_after_s);
    say(fd, "+");
    say(fd, peer.last);
    close(fd);
    return NULL;
}

static struct redial_outcome connect_once(int greets_after_s, int64_t works_for_s, const char *last)
{
    struct link link = { .report = { .attempts = 0 } };
    struct redial_outcome outcome;
    pthread_t server;
    uint16_t port = 0;
    poison(&outcome, sizeof outcome);
    peer = (struct peer){ .listener = loopback_socket(&port), .greets_after_s = greets_after_s,
                            .works_for_s = works_for_s, .last = last };
    assert_true(peer.listener >= 0 && listen(peer.listener, 4) == 0);
    link.server = address_of(port);
    assert_int_equal(pthread_create(&server, NULL, serve_one, NULL), 0);
    outcome = connection(&link, NULL);
    pthread_join(server, NULL);
    close(peer.listener);
    return outcome;
}

TEST(uptime_begins_with_the_greeting)
{
    struct redial_outcome outcome = connect_once(50, 3, "");
    assert_int_equal(outcome.kind, REDIAL_KIND_RETRY);
    assert_int_equal(outcome.uptime_ms, 3000);
    assert_int_equal(outcome.retry_after_ms, 0);
}

TEST(uptime_saturates_after_49_days)
{
    assert_int_equal(connect_once(0, 49 * DAY_S, "").uptime_ms, 49u * DAY_S * 1000);
    assert_int_equal(connect_once(0, 50 * DAY_S, "").uptime_ms, UINT32_MAX);
}

TEST(a_wait_that_the_server_asks_for_is_cut_to_what_the_policy_accepts)
{
    assert_int_equal(connect_once(0, 0, "1").retry_after_ms, 1);
    assert_int_equal(connect_once(0, 0, "30000").retry_after_ms, 30000);
    assert_int_equal(connect_once(0, 0, "30001").retry_after_ms, 30000);
    assert_int_equal(connect_once(0, 0, "99999999999999").retry_after_ms, 30000);
}

TEST(a_shortage_of_file_descriptors_is_worth_a_retry)
{
    struct rlimit files, few;
    struct redial_outcome outcome;
    struct link link = { .report = { .attempts = 0 } };
    int next = dup(0);
    assert_true(next >= 0);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    few = files;
    few.rlim_cur = (rlim_t)next;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    outcome = connection(&link, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(outcome.kind, REDIAL_KIND_RETRY);
    assert_int_equal(outcome.code, EMFILE);
}

static int open_pipe(void **state)
{
    return pipe(stop_pipe);
}

#undef main

int main(void)
{
    return run_all_with(NULL, NULL, open_pipe, NULL);
}
