/* One page of examples/threads/crawler, by a clock of the test: which answers close the gate of the host.
   SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../unit/support.h"

#include "redial_fake.h"

int crawler_main(int argc, char **argv);

#define main crawler_main
#include "../../examples/threads/crawler.c"

/* By the phase. */
static const char *const answers[] = {
    "200 OK", "503 Service Unavailable\r\nRetry-After: 7", "500 Internal Server Error",
    "429 Too Many Requests\r\nRetry-After: 7", "429 Too Many Requests"
};

static const char *answer_of(unsigned which)
{
    return answers[which];
}

/* Returns for how long the gate is closed after that answer. */
static uint32_t closed_ms_after(struct load_server *load, unsigned which)
{
    struct redial_gate gate;
    struct redial_policy policy = redial_policy_default();
    struct page page = { .policy = &policy };
    struct redial_attempt attempt = { .number = 1, .timeout_ms = INT32_MAX };
    struct redial_fake fake;
    char text[64];
    redial_gate_init(&gate);
    redial_fake_init(&fake);
    policy.gate = &gate;
    attempt.env = &fake.env;
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", load->port);
    assert_true(http_parse_url(text, &page.url));
    load->phase = which;
    assert_int_equal(fetch(&page, &attempt).code, atoi(answers[which]));
    return redial_gate_left_ms(&gate, fake.now_ms);
}

TEST(a_429_alone_closes_the_gate)
{
    struct load_server *load = load_server_start(answer_of);
    assert_non_null(load);
    assert_int_equal(closed_ms_after(load, 0), 0);
    assert_int_equal(closed_ms_after(load, 1), 0);
    assert_int_equal(closed_ms_after(load, 2), 0);
    assert_int_equal(closed_ms_after(load, 3), 7000);
    assert_int_equal(closed_ms_after(load, 4), 1000);   /* base_ms, because the server named no time */
    load_server_stop(load);
}

#undef main

int main(void)
{
    return run_all();
}
