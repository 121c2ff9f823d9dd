/* Runs the histories of next.c, run.c and, where there is POSIX, of parsers.c on random inputs, the
   same ones each time. It also has what an int of 16 bits changes, because it runs on machines
   without a libc, too. Prints "N passed, 0 failed". SPDX-License-Identifier: MIT */
#define LLVMFuzzerTestOneInput decide
#include "next.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput run
#include "run.c"
#undef LLVMFuzzerTestOneInput

#if defined(__unix__) || defined(__APPLE__)
#define LLVMFuzzerTestOneInput parse
#include "parsers.c"
#undef LLVMFuzzerTestOneInput
#define SCALE 100   /* so many times as many as on a board */
#elif defined(_WIN32)
#define SCALE 100
#else
#define SCALE 1
#endif

#define COUNT(array) (sizeof (array) / sizeof *(array))

static uint32_t passed_tests;

static void random_inputs(int (*target)(const uint8_t *data, size_t size), uint32_t count)
{
    uint32_t random = 1;
    for (passed_tests += count; count > 0; count--) {
        uint8_t input[200];
        unsigned at;
        for (at = 0; at < sizeof input; at++) {
            random = (uint32_t)((random * UINT64_C(747796405) + 2891336453) & UINT32_MAX);
            input[at] = (uint8_t)(random >> 24);
        }
        target(input, sizeof input - input[sizeof input - 1] % 100u);
    }
}

/* Or random inputs would show less than they seem to. never: a bit for each that must not come. */
static void each_came(const char *what, const unsigned long *counts, unsigned last, unsigned never)
{
    unsigned i;
    for (i = 0; i <= last; i++)
        same(what, never >> i & 1 ? counts[i] == 0 : counts[i] >= 2 * SCALE, true);
}

/* ---- numbers that do not fit into an int of 16 bits ---- */

static void settings(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    redial_policy_waits(&policy, 60000, 0);
    same("base_ms from 60000", policy.base_ms, 60000);
    redial_policy_waits(&policy, -(INT64_C(1) << 40) + 7, INT64_C(1) << 40);
    same("base_ms from a negative setting", policy.base_ms, 1);
    same("cap_ms from 2^40", policy.cap_ms, UINT32_MAX);
    same("66 seconds", redial_seconds_ms(66), 66000);
    same("2^32 seconds", redial_seconds_ms((int64_t)1 << 32), UINT32_MAX - 1);
    same("no verdict: \"unknown\"", (uint8_t)*redial_verdict_name((enum redial_verdict)0x7fff),
         'u');
}

static void retry_afters(void)
{
    static const char date[] = "Sun, 06 Nov 1994 08:49:00 GMT";
    static const struct { const char *text; uint32_t retry_after_ms; } rows[] = {
        { "65536.0001", 65536001 }, { "4294967", 4294967000 }, { "4294968", UINT32_MAX },
        { "Sun, 06 Nov 1994 23:59:59 GMT", 54659000 },
        { "Mon, 26 Dec 1994 01:51:47 GMT", 4294967000 },
        { "Fri, 31 Dec 9999 23:59:60 GMT", UINT32_MAX },
    };
    unsigned i;
    for (i = 0; i < COUNT(rows); i++)
        same(rows[i].text, redial_retry_after_ms(rows[i].text, date), rows[i].retry_after_ms);
}

/* From the last second of February to the first of March, with a leap day or without. */
static void leap_years(void)
{
    char march[] = "Mon, 01 Mar 0000 00:00:00 GMT", february[] = "Mon, 28 Feb 0000 23:59:59 GMT";
    unsigned year, digit, at;
    for (year = 0; year <= 9999; year += year % 100 > 4 && year % 100 < 96 ? 91 : 1) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (at = 15, digit = year; at >= 12; at--, digit /= 10)
            march[at] = february[at] = (char)('0' + digit % 10);
        same(march, redial_retry_after_ms(march, february), leap ? 86401000 : 1000);
    }
}

int main(void)
{
    settings();
    retry_afters();
    leap_years();
    random_inputs(decide, 500 * SCALE);
    each_came("verdicts of redial_next", decisions, REDIAL_CANCELLED, 1 << REDIAL_ATTEMPT);
    each_came("verdicts of redial_ready", answers, REDIAL_WAIT,
              1 << REDIAL_INVALID | 1 << REDIAL_DONE);
    random_inputs(run, 500 * SCALE);
    each_came("verdicts of redial_run", ends, REDIAL_CANCELLED,
              1 << REDIAL_ATTEMPT | 1 << REDIAL_WAIT);
    each_came("runs that were held", &holds, 0, 0);
#ifdef DATES_H
    random_inputs(parse, 500 * SCALE);
    same("values that ask for a wait", waits > readings / 10 && waits < readings, true);
#endif
    print_number(passed_tests);
    machine_print(" passed, 0 failed\n");
    machine_end(true);
}
