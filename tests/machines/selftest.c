/* The freestanding part of redial, checked without a libc: the same program runs on a Cortex-M, on
   an AVR and here. It compares histories with the model of the unit tests, and has what an int of
   16 bits changes. The unit tests have the rest. SPDX-License-Identifier: MIT

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
    *now_ms = some_time(bytes, *now_ms, step.delay_ms);
    check("redial_retries", redial_retries(call), model->retries);
    check("redial_elapsed_ms", redial_elapsed_ms(call, *now_ms), model_elapsed_ms(model, *now_ms));
    if (redial_ready(call, *now_ms).verdict != REDIAL_WAIT)
        check("timeout_ms", redial_ready(call, *now_ms).timeout_ms,
              model_timeout_ms(model, *now_ms));
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

/* ---- numbers that do not fit into an int of 16 bits ---- */

static void settings(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    redial_policy_waits(&policy, 60000, 0);
    check("base_ms from 60000", policy.base_ms, 60000);
    redial_policy_waits(&policy, -(INT64_C(1) << 40) + 7, INT64_C(1) << 40);
    check("base_ms from a negative setting", policy.base_ms, 1);
    check("cap_ms from 2^40", policy.cap_ms, UINT32_MAX);
    check("66 seconds", redial_seconds_ms(66), 66000);
    check("2^32 seconds", redial_seconds_ms((int64_t)1 << 32), UINT32_MAX - 1);
    check("no verdict: \"unknown\"", length(redial_verdict_name((enum redial_verdict)0x7fff)), 7);
}

static struct redial_outcome always_503(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(503, 0, "GET");
}

static void runs(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    struct redial_report report;
    redial_fake_init(&fake);
    fake.now_ms = UINT32_MAX - 2000;
    policy.cap_ms = 200000;
    policy.max_retries = 12;
    policy.max_elapsed_ms = 300000;
    check("run", redial_run(&policy, &fake.env, always_503, NULL, &report), REDIAL_TIMED_OUT);
    check("run: attempts", report.attempts, 9);
    check("run: waited_ms", report.waited_ms, 255000);
    check("run: elapsed_ms", report.elapsed_ms, 255000);
    check("run: refused_wait_ms", report.refused_wait_ms, 200000);
}

static void retry_afters(void)
{
    static const char date[] = "Sun, 06 Nov 1994 08:49:00 GMT";
    static const struct { const char *text; uint32_t retry_after_ms; } rows[] = {
        { "66", 66000 }, { "65535", 65535000 }, { "65536", 65536000 }, { "4294967", 4294967000 },
        { "4294968", UINT32_MAX }, { "99999999999999999999999999", UINT32_MAX },
        { "65536.0001", 65536001 }, { "4294967.2951", UINT32_MAX },
        { "Sun, 06 Nov 1994 23:59:59 GMT", 54659000 },
        { "Sunday, 06-Nov-94 08:50:06 GMT", 66000 },
        { "Mon, 26 Dec 1994 01:51:47 GMT", 4294967000 },
        { "Mon, 26 Dec 1994 01:51:48 GMT", UINT32_MAX },
        { "Fri, 31 Dec 9999 23:59:60 GMT", UINT32_MAX },
    };
    unsigned i;
    for (i = 0; i < COUNT(rows); i++)
        check(rows[i].text, redial_retry_after_ms(rows[i].text, date), rows[i].retry_after_ms);
}

static void set_year(char *date, unsigned year)
{
    unsigned at;
    for (at = 15; at >= 12; at--, year /= 10)
        date[at] = (char)('0' + year % 10);
}

/* From the last second of February to the first of March, with a leap day or without; and from each
   century to the next, which is more than fits into 32 bits. */
static void calendar(void)
{
    char march[] = "Mon, 01 Mar 0000 00:00:00 GMT", february[] = "Mon, 28 Feb 0000 23:59:59 GMT";
    unsigned year;
    for (year = 1900; year < 2300; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        set_year(march, year);
        set_year(february, year);
        check(march, redial_retry_after_ms(march, february), leap ? 86401000 : 1000);
    }
    for (year = 0; year < 9900; year += 100) {
        set_year(february, year);
        set_year(march, year + 100);
        check(march, redial_retry_after_ms(march, february), UINT32_MAX);
    }
}

int main(void)
{
    histories();
    settings();
    runs();
    retry_afters();
    calendar();
    print_number(successes);
    machine_print(" passed, ");
    print_number(failures);
    machine_print(" failed\n");
    machine_end(failures == 0);
}
