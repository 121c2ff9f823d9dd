/* The freestanding part of redial, checked without a libc: the same program runs on a Cortex-M, on
   an AVR and here. SPDX-License-Identifier: MIT

   Prints a line for each failed check (the first 20), and "N passed, M failed". On an AVR int
   has 16 bits, and constants are in its RAM: tables are short. */
#include "machine.h"
#include "redial.h"
#include "redial_fake.h"

#include "../common/any_policy.h"

#define COUNT(array) (sizeof (array) / sizeof *(array))

static uint32_t successes, failures;

static void print_number(uint64_t value)
{
    char text[21], *at = text + sizeof text - 1;
    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    machine_print(at);
}

static void check(const char *what, uint64_t got, uint64_t expected)
{
    if (got == expected) {
        successes++;
        return;
    }
    if (failures++ >= 20)
        return;
    machine_print(what);
    machine_print(": got ");
    print_number(got);
    machine_print(", expected ");
    print_number(expected);
    machine_print("\n");
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

/* The model of the unit tests decides, too. The library's own budget needs a compare-and-swap. */
static bool take(struct redial_budget *budget)
{
    bool taken = budget->tokens_ > 0;
    budget->tokens_ -= taken;
    return taken;
}

static void earn(struct redial_budget *budget)
{
    budget->tokens_ += budget->tokens_ < budget->capacity_;
}

static void one_step(struct bytes *bytes, struct redial_call *call, struct model *model,
                     uint32_t *now_ms)
{
    struct redial_outcome outcome = some_outcome(bytes);
    uint32_t random = number(bytes);
    struct redial_step step = redial_next(call, *now_ms, outcome, random);
    struct redial_step expected = model_next(model, outcome, *now_ms, random);
    check("verdict", step.verdict, expected.verdict);
    check("delay_ms", step.delay_ms, expected.delay_ms);
    check("redial_classify", redial_classify(model->policy, outcome),
          model_kind(model->policy, outcome));
    *now_ms = some_time(bytes, *now_ms, step.delay_ms);
    check("redial_retries", redial_retries(call), model->retries);
    check("redial_elapsed_ms", redial_elapsed_ms(call, *now_ms), model_elapsed_ms(model, *now_ms));
    check("redial_timeout_ms", redial_timeout_ms(call, *now_ms), model_timeout_ms(model, *now_ms));
}

static void history(struct bytes *bytes)
{
    struct redial_budget budget = { .take_ = take, .earn_ = earn, .capacity_ = 3, .tokens_ = 3 };
    struct redial_policy policy = some_policy(bytes, &budget);
    uint32_t now_ms = number(bytes), retries = number(bytes), elapsed_ms = number(bytes);
    struct model model = some_model(&policy, budget.capacity_, 100, now_ms);
    struct redial_call call;
    bool begun = redial_resume(&call, &policy, retries, elapsed_ms, now_ms);
    check("redial_resume", begun, valid(&policy));
    model_resume(&model, &policy, retries, elapsed_ms, now_ms);
    while (begun && bytes->at != bytes->end)
        one_step(bytes, &call, &model, &now_ms);
    check("tokens", budget.tokens_, model.cents / 100);
}

static void histories(void)
{
    uint32_t random = 1;
    unsigned i, at;
    for (i = 0; i < 1000 && failures == 0; i++) {
        uint8_t input[100];
        struct bytes bytes = { input, input + sizeof input };
        for (at = 0; at < sizeof input; at++) {
            random = (uint32_t)((random * UINT64_C(747796405) + 2891336453) & UINT32_MAX);
            input[at] = (uint8_t)(random >> 24);
        }
        history(&bytes);
    }
}

static void settings(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    redial_policy_waits(&policy, 60000, 0);
    check("base_ms from 60000", policy.base_ms, 60000);
    check("cap_ms from 0", policy.cap_ms, 60000);
    redial_policy_waits(&policy, -(INT64_C(1) << 40) + 7, INT64_C(1) << 40);
    check("base_ms from a negative setting", policy.base_ms, 1);
    check("cap_ms from 2^40", policy.cap_ms, UINT32_MAX);
}

static struct redial_outcome always_503(void *user, const struct redial_attempt *attempt)
{
    struct redial_fake *fake = user;
    (void)attempt;
    fake->now_ms += 100;
    return redial_http(503, 0, "GET");
}

static struct redial_step own_loop(const struct redial_policy *policy, struct redial_fake *fake)
{
    struct redial_call call;
    struct redial_step step = redial_loop_begin(&call, policy, &fake->env);
    while (step.verdict == REDIAL_RETRY) {
        check("timeout_ms", step.timeout_ms, redial_timeout_ms(&call, fake->now_ms));
        step = redial_loop_next(&call, &fake->env, always_503(fake, NULL));
    }
    return step;
}

static void runs(void)
{
    static const struct {
        const char *what;
        uint32_t max_elapsed_ms, random, cancel_at_wait;
        enum redial_verdict verdict;
        uint32_t attempts, waits, waited_ms, refused_wait_ms;
    } rows[] = {
        { "run: shortest schedule", 0, 0, 0, REDIAL_EXHAUSTED, 6, 5, 31000, 0 },
        { "run: longest schedule", 0, UINT32_MAX, 0, REDIAL_EXHAUSTED, 6, 5, 36000, 0 },
        { "run: limit", 31500, 0, 0, REDIAL_TIMED_OUT, 5, 4, 15000, 16000 },
        { "run: cancelled", 0, 0, 3, REDIAL_CANCELLED, 3, 3, 3000, 0 },
    };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake, twin;
    struct redial_report report;
    struct redial_step step;
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        redial_fake_init(&fake);
        redial_fake_init(&twin);
        fake.now_ms = twin.now_ms = UINT32_MAX - 2000;
        fake.random = twin.random = rows[i].random;
        fake.cancel_at_wait = twin.cancel_at_wait = rows[i].cancel_at_wait;
        policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        check(rows[i].what, redial_run(&policy, &fake.env, always_503, &fake, &report),
              rows[i].verdict);
        check(rows[i].what, report.attempts, rows[i].attempts);
        check(rows[i].what, fake.waits, rows[i].waits);
        check(rows[i].what, report.waited_ms, rows[i].waited_ms);
        check(rows[i].what, report.refused_wait_ms, rows[i].refused_wait_ms);
        check(rows[i].what, report.elapsed_ms, rows[i].waited_ms + 100 * rows[i].attempts);
        step = own_loop(&policy, &twin);
        check(rows[i].what, step.verdict, rows[i].verdict);
        check(rows[i].what, step.delay_ms, rows[i].refused_wait_ms);
        check(rows[i].what, twin.now_ms, fake.now_ms);
        check(rows[i].what, twin.waits, rows[i].waits);
    }
}

static void retry_afters(void)
{
    enum { REFUSED = 77 };
    static const struct {
        const char *text;
        uint32_t retry_after_ms;   /* REFUSED: nothing is written */
    } rows[] = {
        { "0", 0 }, { "1", 1000 }, { "66", 66000 }, { " \t120 ", 120000 },
        { "0000000000000000000007", 7000 }, { "65535", 65535000 }, { "65536", 65536000 },
        { "4294967", 4294967000 }, { "4294968", UINT32_MAX },
        { "99999999999999999999999999", UINT32_MAX }, { "1.5", 1500 }, { "65536.0001", 65536001 },
        { "0.9991", 1000 }, { "4294967.2951", UINT32_MAX }, { "", REFUSED }, { "-1", REFUSED },
        { "1.", REFUSED }, { ".5", REFUSED }, { "2, 3", REFUSED }, { "1e3", REFUSED },
        { "Sun, 06 Nov 1994 08:49:37 GMT", 37000 }, { "Sunday, 06-Nov-94 08:50:00 GMT", 60000 },
        { "Sun Nov  6 08:48:00 1994", 0 }, { "Mon, 07 Nov 1994 08:49:00 GMT", 86400000 },
        { "Sun, 06 Nov 1994 23:59:59 GMT", 54659000 },
        { "Mon, 26 Dec 1994 01:51:47 GMT", 4294967000 },
        { "Mon, 26 Dec 1994 01:51:48 GMT", UINT32_MAX },
        { "Fri, 31 Dec 9999 23:59:60 GMT", UINT32_MAX },
        { "Sunday, 06-Nov-44 08:49:00 GMT", UINT32_MAX },   /* 50 years to the second: 2044 */
        { "Sunday, 06-Nov-44 08:49:01 GMT", 0 },            /* a second more: 1944 */
        { "Sun, 29 Feb 1995 08:49:37 GMT", REFUSED }, { "Sun, 06 Nov 1994 24:00:00 GMT", REFUSED },
        { "Sun, 06 nov 1994 08:49:37 GMT", REFUSED }, { "Sun, 06 Nov 1994 08:49:37 -0000", 37000 },
        { "Sun, 06 Nov 1994 08:49:37 UT", REFUSED },
    };
    const int64_t now_s = 784111740;   /* 1994-11-06 08:49:00 */
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        uint32_t retry_after_ms = REFUSED;
        bool read =
            redial_parse_retry_after(rows[i].text, length(rows[i].text), now_s, &retry_after_ms);
        check(rows[i].text, read, rows[i].retry_after_ms != REFUSED);
        check(rows[i].text, retry_after_ms, rows[i].retry_after_ms);
    }
}

/* Every year, counted from one March to the next. */
static void calendar(void)
{
    char march[] = "Mon, 01 Mar 0000 00:00:00 GMT", leap_day[] = "Mon, 29 Feb 0000 00:00:00 GMT";
    const int64_t day_s = 86400;
    int64_t march_s = -719468 * day_s;   /* 1 Mar 0000 */
    uint32_t ms;
    unsigned year, digits, at;
    for (year = 0; year <= 9999; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (digits = year, at = 15; at >= 12; at--, digits /= 10)
            march[at] = leap_day[at] = (char)('0' + digits % 10);
        if (year > 0)
            march_s += (365 + leap) * day_s;
        ms = 0;
        check("1 Mar", redial_parse_retry_after(march, sizeof march - 1, march_s - 1, &ms), true);
        check("1 Mar, a second before", ms, 1000);
        ms = 0;
        check("29 Feb",
              redial_parse_retry_after(leap_day, sizeof leap_day - 1, march_s - day_s - 1, &ms),
              leap);
        check("29 Feb, a second before", ms, leap ? 1000 : 0);
    }
}

static void small_functions(void)
{
    const struct redial_policy policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    check("no policy", length(redial_policy_error(NULL)), 27);
    check("verdict \"invalid\"", length(redial_verdict_name(REDIAL_INVALID)), 7);
    check("no verdict: \"unknown\"", length(redial_verdict_name(0xffff)), 7);
    check("the default policy", redial_policy_error(&policy) == NULL, true);
    check("POST 503", redial_classify(&policy, redial_http(503, 0, "POST")), REDIAL_KIND_FAIL);
    check("POST 429", redial_classify(&policy, redial_http(429, 0, "POST")), REDIAL_KIND_RETRY);
    check("PUT 503", redial_classify(&policy, redial_http(503, 0, "PUT")), REDIAL_KIND_RETRY);
    check("both headers", redial_retry_after_ms(" 66", "Sun, 06 Nov 1994 08:49:37 GMT"), 66000);
    check("66 seconds", redial_seconds_ms(66), 66000);
    check("2^32 seconds", redial_seconds_ms((int64_t)1 << 32), UINT32_MAX - 1);
}

int main(void)
{
    histories();
    settings();
    runs();
    retry_afters();
    calendar();
    small_functions();
    print_number(successes);
    machine_print(" passed, ");
    print_number(failures);
    machine_print(" failed\n");
    machine_end(failures == 0);
}
