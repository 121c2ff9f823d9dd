/* examples/recipes as their readers would use them: this file has what is the reader's there.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"
#include "redial_fake.h"

static struct redial_fake fake;
static struct redial_policy mine;

static int fresh(void **state)
{
    mine = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    mine.jitter = REDIAL_JITTER_NONE;
    redial_fake_init(&fake);
    return 0;
}

#include "../../examples/recipes/waits.c"

TEST(an_interval_waits_from_the_base_to_twice_the_base_each_time)
{
    mine = every(5);
    for (unsigned n = 0; n < 9; n++) {
        assert_int_equal(redial_random_delay_ms(&mine, n, 0), 5000);
        assert_int_equal(redial_random_delay_ms(&mine, n, UINT32_MAX), 10000);
    }
}

TEST(a_table_goes_on_with_each_retry_and_begins_again_after_an_uptime)
{
    static const struct { struct redial_outcome outcome; uint32_t wait_ms; } rows[] = {
        { { REDIAL_KIND_RETRY, 503, 0, 0 }, 1000 },
        { { REDIAL_KIND_RETRY, 503, 0, 0 }, 10000 },
        { { REDIAL_KIND_HELD, 0, 70, 0 }, 70 },
        { { REDIAL_KIND_RETRY, 503, 0, 9999 }, 60000 },
        { { REDIAL_KIND_RETRY, 503, 700000, 0 }, 700000 },
        { { REDIAL_KIND_RETRY, 503, 0, 0 }, 600000 },
        { { REDIAL_KIND_RETRY, 503, 0, 10000 }, 1000 },   /* it worked: afresh */
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 1000 },
    };
    struct redial_call call;
    mine.max_retries = mine.max_retry_after_ms = mine.max_elapsed_ms = REDIAL_NO_LIMIT;
    mine.min_uptime_ms = 10000;
    mine.jitter = REDIAL_JITTER_FULL;
    redial_loop_begin(&call, &mine, &fake.env);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(wait_by_table(&call, &fake.env, rows[i].outcome).verdict, REDIAL_ATTEMPT);
        assert_int_equal(fake.waited_ms[i], rows[i].wait_ms);
        assert_ptr_equal(call.policy, &mine);
    }
}

#include "../../examples/recipes/answers.c"

TEST(an_answer_may_mean_something_else)
{
    static const struct { int status; bool more; enum redial_kind kind; } rows[] = {
        { 202, false, REDIAL_KIND_PENDING }, { 303, false, REDIAL_KIND_DONE },
        { 308, false, REDIAL_KIND_RETRY },   { 308, true, REDIAL_KIND_DONE },
        { 200, false, REDIAL_KIND_DONE },    { 503, false, REDIAL_KIND_RETRY },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_outcome outcome = of_answer(rows[i].status, 7, rows[i].more);
        assert_int_equal(outcome.kind, rows[i].kind);
        assert_int_equal(outcome.code, rows[i].status);
        assert_int_equal(outcome.retry_after_ms, 7);
    }
}

TEST(a_reset_as_a_unix_time_counts_from_the_date_of_the_response)
{
    static const struct { const char *reset, *date; uint32_t ms; } rows[] = {
        { "784111787", "Sun, 06 Nov 1994 08:49:37 GMT", 10000 },
        { "4102444801", "Thu, 31 Dec 2099 23:59:59 GMT", 2000 },
        { "784111787", NULL, 0 },
        { "9223372036854775807", "Sun, 06 Nov 1994 08:49:37 GMT", 0 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++)
        assert_int_equal(reset_ms(rows[i].reset, rows[i].date), rows[i].ms);
}

#include "../../examples/recipes/attempts.c"

static const char *script;   /* what G (get) and L (log in) answer: "G401 L200 G200" */

/* The next answer of the script, which must be one to this request. */
static int scripted(char request)
{
    assert_int_equal(*script++, request);
    int status = atoi(script);
    script += strcspn(script, "GL");
    return status;
}

int http_get(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    return scripted('G');
}

struct redial_outcome log_in(uint32_t timeout_ms)
{
    return redial_http(scripted('L'), 0, REDIAL_IDEMPOTENT);
}

TEST(each_expiry_of_a_token_is_one_login)
{
    static const struct { const char *script; unsigned retries; enum redial_verdict verdict; }
    rows[] = {
        { "G401 L200 G200", 0, REDIAL_DONE },   /* it costs no retry */
        { "G401 L200 G200", 0, REDIAL_DONE },   /* and expires again */
        { "G401 L200 G401", 9, REDIAL_FAILED },
        { "G401 L200 G503 G401 L200 G200", 1, REDIAL_DONE },
        { "G401 L503 L0 L200 G200", 2, REDIAL_DONE },
        { "G401 L503 L503", 1, REDIAL_EXHAUSTED },
    };
    struct session session = { false, false, 0 };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_call call;
        struct redial_step step = redial_loop_begin(&call, &mine, &fake.env);
        script = rows[i].script;
        mine.max_retries = rows[i].retries;
        while (step.verdict == REDIAL_ATTEMPT)
            step = redial_loop_next(&call, &fake.env,
                                    get_with_login(&session, "/", step.timeout_ms));
        assert_int_equal(step.verdict, rows[i].verdict);
        assert_string_equal(script, "");
    }
}

static struct redial_outcome answered;   /* each time */
static unsigned pages;

struct redial_outcome get_page(void *user, const struct redial_attempt *attempt)
{
    fake.now_ms += 100;
    pages++;
    return answered;
}

TEST(what_an_inner_call_came_to_is_one_attempt_of_the_outer)
{
    const struct {
        struct redial_outcome answered, becomes;
        uint32_t timeout_ms, cancel_at_wait, pages;
    } rows[] = {
        { redial_http(200, 0, "GET"), redial_http(200, 0, "GET"), UINT32_MAX, 0, 1 },
        { redial_fail(404), redial_fail(404), UINT32_MAX, 0, 1 },
        { redial_unsure(503), redial_unsure(503), UINT32_MAX, 0, 1 },
        { redial_retry(503, 0), redial_cancelled(503), UINT32_MAX, 1, 1 },
        { redial_retry(503, 0), redial_retry(503, 0), UINT32_MAX, 0, 3 },
        { redial_retry(503, 0), redial_retry(503, 0), 1100, 0, 1 },
        { redial_retry(429, 400000), redial_retry(429, 400000), UINT32_MAX, 0, 1 },
        { redial_pending(0), redial_retry(0, 0), 5000, 0, 3 },
        { { .code = 1 }, { .code = 1 }, UINT32_MAX, 0, 1 },   /* invalid */
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_attempt attempt = { 1, rows[i].timeout_ms, &fake.env };
        fresh(NULL);
        fake.cancel_at_wait = rows[i].cancel_at_wait;
        answered = rows[i].answered;
        pages = 0;
        struct redial_outcome became = nested(NULL, &attempt);
        assert_memory_equal(&became, &rows[i].becomes, sizeof became);
        assert_int_equal(pages, rows[i].pages);
    }
}

/* Microseconds, and a tick of any width and rate that counts them. */
#define DAY_US UINT64_C(86400000000)
static struct { uint32_t hz, mask; } tick;
static uint64_t now_us, fed_us, late_us;

#define TICK_HZ tick.hz
#define TICK_MASK tick.mask
#include "../../examples/recipes/device.c"

uint32_t read_ticks(void)
{
    return (uint32_t)(now_us * tick.hz / 1000000) & tick.mask;
}

/* It wakes at a tick, and perhaps late. */
void sleep_ticks(uint32_t ticks)
{
    assert_in_range(ticks, 1, tick.mask);
    now_us = ((now_us * tick.hz / 1000000 + ticks) * 1000000 + tick.hz - 1) / tick.hz + late_us;
    assert_true(now_us - fed_us <= 1000000);
}

void feed_watchdog(void)
{
    fed_us = now_us;
}

/* 12 of them; the next 12 have slices that are late. */
static void begin(unsigned row)
{
    static const uint32_t masks[] = { 0xffff, 0xffffff, UINT32_MAX };
    static const uint32_t rates_hz[] = { 100, 1000, 1024, 32768 };
    tick.mask = masks[row % 3];
    tick.hz = rates_hz[row / 3 % 4];
    late_us = row / 12 * 80000;
    now_us = 7 * DAY_US + row * 1234567;
    tick_ms();   /* it counted another tick before */
}

TEST(a_tick_of_any_width_and_rate_becomes_milliseconds_of_32_bits)
{
    for (unsigned row = 0; row < 12; row++) {
        begin(row);
        uint64_t start_us = now_us;
        uint32_t start_ms = tick_ms();
        uint64_t round_us = UINT64_C(990000) * tick.mask / tick.hz;
        for (uint64_t us = 1; now_us - start_us < 55 * DAY_US; us = us * 7 % round_us + 9) {
            uint32_t past_ms = (uint32_t)((now_us - start_us) / 1000);
            assert_in_range(tick_ms() - start_ms + 11 - past_ms, 0, 22);   /* a tick and 1 ms */
            now_us += us < DAY_US / 24 ? us : DAY_US / 24;
        }
    }
}

static bool stopping(const struct redial_env *env)
{
    return true;
}

TEST(a_wait_of_an_rtos_is_never_short_and_late_slices_do_not_add_up)
{
    static const uint32_t waits_ms[] = { 0, 1, 9, 10, 11, 500, 1234, 131072, 4295000, UINT32_MAX };
    struct redial_env stopped = rtos_env;
    for (unsigned row = 0; row < 24; row++)
        for (unsigned i = 0; i < LENGTH(waits_ms) - (row != 5); i++) {
            begin(row);
            uint64_t end_us = now_us + waits_ms[i] * UINT64_C(1000);
            end_us -= waits_ms[i] == UINT32_MAX ? 1000 : 0;   /* there is nothing longer */
            assert_true(rtos_env.wait_ms(&rtos_env, waits_ms[i]));
            assert_true(now_us >= end_us && now_us <= end_us + late_us + 22000);
        }
    stopped.cancelled = stopping;
    assert_false(stopped.wait_ms(&stopped, 3600000));
}

TEST(devices_with_neighbouring_serial_numbers_have_other_random_bits)
{
    unsigned eighths[8] = { 0 };
    for (uint32_t serial = 1; serial <= 800; serial++) {
        seed = serial;
        eighths[rtos_env.random(&rtos_env) >> 29]++;
    }
    for (unsigned i = 0; i < 8; i++)
        assert_in_range(eighths[i], 70, 130);
}

#include "../../examples/recipes/superloop.c"

static unsigned sends;
static const struct reply { uint32_t at_ms; int status; } *reply;   /* the next; status 0: none */

bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    if (reply->status == 0 || now_us / 1000 < reply->at_ms)
        return false;
    *status = reply++->status;
    *retry_after_ms = 2000;
    return true;
}

void modem_send(void)
{
    sends++;
}

/* Each pass takes a millisecond. */
TEST(a_superloop_sends_each_attempt_once_and_counts_each_answer_once)
{
    static const struct {
        struct reply replies[4];
        unsigned sends;
        enum redial_verdict verdict;
    } rows[] = {
        { { { 6, 503 }, { 2020, 200 } }, 2, REDIAL_DONE },
        { { { 0, 0 } }, 4, REDIAL_TIMED_OUT },
        /* an answer in the wait after its timeout, or after the end, does not count */
        { { { 3500, 503 }, { 4020, 404 }, { 5000, 503 } }, 2, REDIAL_FAILED },
    };
    tick.hz = 1000;
    tick.mask = 0xffff;
    mine.attempt_ms = 3000;
    mine.max_elapsed_ms = 17500;
    for (unsigned row = 0; row < LENGTH(rows); row++) {
        struct uplink up;
        reply = rows[row].replies;
        now_us = sends = 0;
        for (start(&up, &mine); now_us < 20000000; now_us += 1000)
            pass(&up);
        assert_int_equal(up.verdict, rows[row].verdict);
        assert_int_equal(sends, rows[row].sends);
    }
}

#include "../../examples/recipes/wake_up.c"

static struct record flash, at_a_crash;   /* the latter: as it is during an attempt */
static int status_of_all, requests;

uint32_t awake_ms(void)
{
    return 2000;   /* at the end of the attempt */
}

struct redial_outcome send_reading(uint32_t timeout_ms)
{
    assert_true(timeout_ms > 0);
    requests++;
    at_a_crash = flash;
    return redial_http(status_of_all, 0, "PUT");
}

/* One wake-up, by the timer or after a brown-out, and what it comes to. */
static void wake(bool by_timer, int sent, enum redial_verdict verdict, uint32_t sleep_ms)
{
    requests = 0;
    struct redial_step step = wake_up(&flash, &mine, by_timer);
    assert_int_equal(requests, sent);
    assert_int_equal(step.verdict, verdict);
    assert_true(verdict != REDIAL_WAIT || step.delay_ms == sleep_ms);
}

TEST(one_step_is_a_whole_wake_up)
{
    status_of_all = 503;
    mine.max_elapsed_ms = 100000;
    for (unsigned crashes = 0; crashes < 2; crashes++) {
        flash = (struct record){ 0, 0, 0 };
        for (unsigned n = 0; n < 6; n++) {
            enum redial_verdict verdict = n < 5 ? REDIAL_WAIT : REDIAL_EXHAUSTED;
            wake(true, 1, verdict, 1000u << n);
            if (crashes)
                flash = at_a_crash;   /* a brown-out in each attempt */
            else if (n == 5)
                break;
            assert_int_equal(flash.elapsed_ms,
                             (crashes ? 0 : 2000 * n + 2000) + (2000u << n) - 1000);
            wake(false, 0, verdict, 1000u << n);   /* a brown-out in the wait */
        }
    }
    flash = (struct record){ 2, 99999, 0 };
    wake(true, 1, REDIAL_TIMED_OUT, 0);
    flash.elapsed_ms = 100000;
    wake(true, 0, REDIAL_TIMED_OUT, 0);
    worked(&flash);
    assert_int_equal(flash.retries + flash.elapsed_ms + flash.delay_ms, 1);
    status_of_all = 200;
    wake(true, 1, REDIAL_DONE, 0);
}

TEST(a_damaged_record_waits_no_longer_than_any_wait_of_its_policy)
{
    static const uint32_t rows[][4] = {   /* cap_ms, max_retry_after_ms, recorded, to wait */
        { 32000, 0, 331999, 331999 },      { 32000, 0, UINT32_MAX, 332000 },
        { 32000, 1, UINT32_MAX, 64000 },   { 500, 5000, UINT32_MAX, 6000 },
        { 400000, 0, UINT32_MAX, 800000 }, { 32000, UINT32_MAX, UINT32_MAX, UINT32_MAX },
    };
    mine.base_ms = 500;
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        mine.cap_ms = rows[i][0];
        mine.max_retry_after_ms = rows[i][1];
        flash = (struct record){ 1, 0, rows[i][2] };
        wake(false, 0, REDIAL_WAIT, rows[i][3]);
    }
}

static unsigned sends;
static uint32_t heard_at_ms;   /* when an answer comes; 0: none */

void send_question(void)
{
    assert_int_equal(fake.now_ms, (3000u << sends++) - 3000);
}

bool listen_ms(uint32_t ms)
{
    bool heard = heard_at_ms > 0 && heard_at_ms <= fake.now_ms + ms;
    fake.now_ms = heard ? heard_at_ms : fake.now_ms + ms;
    return heard;
}

#include "../../examples/recipes/udp.c"

TEST(a_question_over_udp_is_sent_again_until_it_is_answered)
{
    mine = coap(UINT32_MAX);
    for (heard_at_ms = 0; heard_at_ms <= 93000; heard_at_ms += 1500) {
        sends = fake.now_ms = 0;
        assert_int_equal(ask(&mine, &fake.env), heard_at_ms > 0);
        assert_int_equal(fake.now_ms, heard_at_ms > 0 ? heard_at_ms : 93000);
        assert_true(heard_at_ms > 0 ? (1500u << sends) - 3000 < heard_at_ms : sends == 5);
    }
    assert_int_equal(coap(0).base_ms, 2000);
    mine.base_ms = sends = 0;   /* it is refused */
    assert_false(ask(&mine, &fake.env));
    assert_int_equal(sends, 0);
}

/* At two seconds the laptop sleeps for eight hours. */
static int clock_of_boot(clockid_t id, struct timespec *now)
{
    uint32_t ms = fake.now_ms < 2000 ? fake.now_ms : fake.now_ms + 28800000;
    assert_int_equal(id, CLOCK_BOOTTIME);
    *now = (struct timespec){ ms / 1000, ms % 1000 * 1000000 + 999999 };
    return 0;
}

#define redial_system() (&fake.env)
#define clock_gettime clock_of_boot
#include "../../examples/recipes/laptop.c"

TEST(the_sleep_of_a_laptop_counts_as_time_that_passed)
{
    assert_true(boot_wait(&fake.env, 2500));
    assert_int_equal(boot_ms(&fake.env), 28802000);
    assert_true(boot_wait(&fake.env, 2500));
    assert_int_equal(boot_ms(&fake.env), 28804500);
    fake.cancel_at_wait = fake.waits + 2;
    assert_false(boot_wait(&fake.env, 2500));
}

int main(void)
{
    return run_all_with(fresh, NULL, NULL, NULL);
}
