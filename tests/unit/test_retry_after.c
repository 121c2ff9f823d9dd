/* redial_retry_after_ms and redial_seconds_ms, src/retry_after.c. The
   expected values are worked out by hand, or counted day by day. Random texts are compared with the
   model of the fuzz target; with sanitizers that also shows that no byte beside a text is read.
   SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "../common/support.h"

#if defined(__unix__) || defined(__APPLE__)   /* the model uses POSIX for dates of all centuries */
#define HAVE_MODEL 1
#include "../fuzz/parsers.c"
#endif

#define LONGEST_S 4294967   /* the longest time whose milliseconds fit in 32 bits */
#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"
#define DATE_S INT64_C(784111777)

static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

static int length_of(int year, int month)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return lengths[month] + (month == 1 && leap);
}

/* Writes the date of a second of the years 0 to 9999, counting years and months. */
static void write_date(char date[80], int64_t unix_s)
{
    int64_t seconds = unix_s + INT64_C(719528) * 86400;   /* since 1 January of year 0 */
    int day = (int)(seconds / 86400), second = (int)(seconds % 86400), year, month = 0;
    assert_true(seconds >= 0);
    year = day / 146097 * 400;
    day %= 146097;
    for (; day >= 337 + length_of(year, 1); year++)
        day -= 337 + length_of(year, 1);
    while (day >= length_of(year, month))
        day -= length_of(year, month++);
    snprintf(date, 80, "Sun, %02d %s %04d %02d:%02d:%02d GMT", day + 1, months[month], year,
             second / 3600, second / 60 % 60, second % 60);
}

/* At the second now_s, by the header Date. 0: no wait, or no valid value. */
static void check_wait(const char *text, int64_t now_s, uint32_t retry_after_ms)
{
    char date[80];
    write_date(date, now_s);
    if (redial_retry_after_ms(text, date) != retry_after_ms)
        fail_msg("\"%s\" at %s gave %lu, not %lu", text, date,
                 (unsigned long)redial_retry_after_ms(text, date), (unsigned long)retry_after_ms);
}

/* The very second of a date shows in the waits of two moments. */
static void check_date(const char *text, bool valid, int64_t unix_s)
{
    check_wait(text, unix_s - 1, valid ? 1000 : 0);
    check_wait(text, unix_s, 0);
}

/* ---- seconds ---- */

TEST(a_fraction_of_a_second_is_rounded_up_and_what_does_not_fit_saturates)
{
    static const struct { const char *text; uint32_t ms; } table[] = {
        { "0", 0 }, { "1", 1000 }, { "120", 120000 }, { "00000000000000000000120", 120000 },
        { " 120\t", 120000 }, { "\t \t120", 120000 }, { "  120  \t\t  ", 120000 },
        { "4294966", 4294966000 }, { "4294967", 4294967000 }, { "4294968", UINT32_MAX },
        { "42949670", UINT32_MAX }, { "4294967296", UINT32_MAX }, { "4294967297", UINT32_MAX },
        { "18446744073709551616", UINT32_MAX }, { "1.5", 1500 }, { "1.0000", 1000 }, { "0.1", 100 },
        { "0.12", 120 }, { "0.123", 123 }, { "0.1231", 124 }, { "0.00000000001", 1 },
        { "0.9990001", 1000 }, { " \t1.5 \t", 1500 }, { "1.00010", 1001 },
        { "4294967.294", UINT32_MAX - 1 }, { "4294967.2941", UINT32_MAX },
        { "4294967.999", UINT32_MAX }, { "99999999999999999999.5", UINT32_MAX }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        assert_int_equal(redial_retry_after_ms(table[i].text, NULL), table[i].ms);
}

TEST(texts_that_are_neither_seconds_nor_dates_are_refused)
{
    static const char *const texts[] = {
        "", " ", " \t ", "-", "-0", "-1", "+1", "1,5", "1e3", "0x10", "120junk", "\"120\"", "nan",
        "inf", "1 2", "2, 3", "2,", ",2", "12\r\n0", "1\n20", "120\v", "1_000", "\xd9\xa1\xd9\xa2",
        "\xa0" "120", "\xff", ".", ".5", "1.", "1..5", "1.5.2", "1 .5", "1. 5", "1.-5", "1.5s",
        "1.5e3", "Sun", "120 " DATE, DATE ", 120", DATE " junk"
    };
    for (unsigned i = 0; i < LENGTH(texts); i++)
        check_wait(texts[i], 0, 0);
}

TEST(seconds_saturate_below_the_value_that_means_no_limit)
{
    static const struct { int64_t seconds; uint32_t ms; } table[] = {
        { INT64_MIN, 0 }, { -INT64_C(4294967297), 0 }, { -1, 0 }, { 0, 0 }, { 1, 1000 },
        { LONGEST_S, 4294967000 }, { LONGEST_S + 1, UINT32_MAX - 1 },
        { INT64_C(4294967297), UINT32_MAX - 1 }, { INT64_MAX, UINT32_MAX - 1 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        assert_int_equal(redial_seconds_ms(table[i].seconds), table[i].ms);
}

/* ---- dates ---- */

TEST(dates_of_the_three_forms_are_seconds_since_1970_in_any_century)
{
    static const struct { const char *text; int64_t unix_s; } table[] = {
        { DATE, DATE_S }, { "Sunday, 06-Nov-94 08:49:37 GMT", DATE_S },
        { "Sun Nov  6 08:49:37 1994", DATE_S }, { "Sun Nov 06 08:49:37 1994", DATE_S },
        { "Sun Nov 16 08:49:37 1994", DATE_S + 864000 },
        { "Sun, 06 Nov 1994 08:49:37 UTC", DATE_S }, { "Sun, 06 Nov 1994 08:49:37 +0000", DATE_S },
        { "Sun, 06 Nov 1994 08:49:37 -0000", DATE_S },   /* by Python's formatdate */
        { "Mon, 06 Nov 1994 08:49:37 GMT", DATE_S },   /* the weekday need not match */
        { "Wednesday, 06-Nov-94 08:49:37 GMT", DATE_S },
        { "Wed, 31 Dec 1969 23:59:59 GMT", -1 }, { "Tue, 29 Feb 2000 00:00:00 GMT", 951782400 },
        { "Sun, 07 Feb 2106 06:28:16 GMT", INT64_C(4294967296) },
        { "Sat, 31 Dec 2016 23:59:60 GMT", 1483228800 },
        { "Mon, 28 Feb 2000 23:59:60 GMT", 951782400 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        check_date(table[i].text, true, table[i].unix_s);
}

TEST(texts_that_are_nearly_dates_are_refused)
{
    static const char *const texts[] = {
        "Sun,", "1994-11-06T08:49:37Z", "sun, 06 Nov 1994 08:49:37 GMT", "-784111777",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06-November-94 08:49:37 GMT", "Sundays, 06-Nov-94 08:49:37 GMT",
        "Sunda, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994",
        "Sunday Nov  6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT",
        ", 06 Nov 1994 08:49:37 GMT", "Sun, 06  1994 08:49:37 GMT",   /* a word is missing */
        "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 31 Apr 1994 00:00:00 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        /* a zone that means something else, or stands in another form */
        "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 UT",
        "Sun, 06 Nov 1994 08:49:37 Z", "Sun, 06 Nov 1994 08:49:37 +0100",
        "Sun, 06 Nov 1994 08:49:37 -0001", "Sun, 06 Nov 1994 08:49:37 +00:00",
        "Sun, 06 Nov 1994 08:49:37 0000", "Sun, 06 Nov 1994 08:49:37 +000",
        "Sun, 06 Nov 1994 08:49:37 +00000", "Sun, 06 Nov 1994 08:49:37 -00000",
        "Sun, 06 Nov 1994 08:49:37 UTC ()", "Sun, 06 Nov 1994 08:49:37 ",
        "Sun, 06 Nov 1994 08:49:37-0000", "Sun, 06 Nov 1994 08:49:37 GMT+0000",
        "Sunday, 06-Nov-94 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 +0000",
        "Sunday, 06-Nov-94 08:49:37 -0000", "Sun Nov  6 08:49:37 1994 UTC",
        "Sun Nov  6 08:49:37 1994 -0000", "Sun Nov  6 08:49:37 UTC 1994",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT",
        "Sun, 06 Nov 1994 23:59:61 GMT"
    };
    for (unsigned i = 0; i < LENGTH(texts); i++)
        check_date(texts[i], false, DATE_S);
}

/* Counted from 1 January of year 0, by the rules of leap years alone. Looked at in the years around
   each turn of a century, and in this century. */
TEST(every_first_and_last_day_of_a_month_is_right_in_each_century)
{
    int64_t days = -719528;
    for (int year = 0; year <= 9999; year++)
        for (int month = 0; month < 12; month++) {
            int length = length_of(year, month);
            bool checked = (year + 4) % 100 <= 8 || year / 100 == 20;
            for (int day = 1; checked && day <= length + 1; day += day == 1 ? length - 1 : 1) {
                char text[64];
                snprintf(text, sizeof text, "Sun, %02d %s %04d 00:00:00 GMT", day, months[month],
                         year);
                if (days + day > 1 - 719528 && days + day <= 2932897)   /* both can be written */
                    check_date(text, day <= length, (days + day - 1) * 86400);
            }
            days += length;
        }
    assert_true(days == 2932897);   /* 1 January 10000 */
}

/* Nearly 50 years ahead are more than 32 bits of milliseconds, and what has passed is 0. */
TEST(a_two_digit_year_is_the_latest_that_is_at_most_50_years_after_now)
{
    static const char early[] = "Thursday, 06-Nov-25 08:00:10 GMT",
                      leap_day[] = "Thursday, 29-Feb-52 12:34:56 GMT",
                      last[] = "Friday, 31-Dec-49 23:59:60 GMT",
                      first[] = "Saturday, 01-Jan-00 00:00:00 GMT";
    static const struct { const char *text; int64_t now_s; uint32_t ms; } table[] = {
        { early, INT64_C(1762416009), 1000 },         /* 2025-11-06 08:00:09 */
        { early, INT64_C(184492810), UINT32_MAX },    /* 1975-11-06 08:00:10, 50 years before */
        { early, INT64_C(184492809), 0 },             /* a second earlier: 1925 */
        { early, -INT64_C(1393343991), 1000 },        /* a second before that */
        { leap_day, INT64_C(1014940800), UINT32_MAX },   /* 2002-03-01: 2002 had no such day */
        { leap_day, INT64_C(1014940799), 0 },            /* so it is 1952 */
        { "Saturday, 10-Feb-52 00:00:00 GMT", INT64_C(1013299200), UINT32_MAX },   /* no leap day */
        { "Saturday, 10-Feb-52 00:00:00 GMT", INT64_C(1013299199), 0 },
        { last, INT64_C(946684800), UINT32_MAX },     /* a leap second, from 2000-01-01 on */
        { last, INT64_C(946684799), 0 },
        { first, -INT64_C(62167219200), 0 },          /* the year 0 */
        { first, INT64_C(250246627199), 1000 },       /* the year 9900 */
        { "Thursday, 31-Dec-99 00:00:00 GMT", -INT64_C(59011545601), 1000 },   /* 0099 */
        /* in the year 0, because there is no year before it */
        { "Thursday, 31-Dec-99 00:00:00 GMT", -INT64_C(62167219200), UINT32_MAX },
        { "Tuesday, 29-Feb-00 00:00:00 GMT", INT64_C(951782399), 1000 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        check_wait(table[i].text, table[i].now_s, table[i].ms);
    /* It would be in 2100, which is no leap year. */
    check_wait("Tuesday, 29-Feb-00 00:00:00 GMT", INT64_C(2556144000), 0);
}

TEST(a_date_becomes_the_time_until_then_and_zero_when_it_has_passed)
{
    static const struct { int64_t ahead_s; uint32_t ms; } table[] = {
        { 0, 0 }, { -1, 0 }, { -86400, 0 }, { 1, 1000 }, { 120, 120000 },
        { LONGEST_S, LONGEST_S * UINT32_C(1000) }, { LONGEST_S + 1, UINT32_MAX },
        { INT64_C(4294967296), UINT32_MAX }, { INT64_C(60000000000), UINT32_MAX }
    };
    static const char first[] = "Sat, 01 Jan 0000 00:00:00 GMT",
                      last[] = "Fri, 31 Dec 9999 23:59:60 GMT";
    for (unsigned i = 0; i < LENGTH(table); i++)
        check_wait("\t " DATE " \t", DATE_S - table[i].ahead_s, table[i].ms);
    assert_int_equal(redial_retry_after_ms(last, first), UINT32_MAX);
    assert_int_equal(redial_retry_after_ms(first, last), 0);
}

/* ---- both headers ---- */

TEST(a_date_is_compared_with_the_date_of_the_response_and_with_nothing_else)
{
    static const struct { const char *retry_after, *date; uint32_t ms; } table[] = {
        { " \t7 \t", DATE, 7000 },
        { " \t", DATE, 0 },
        { "\t Sun, 06 Nov 1994 08:51:37 GMT ", " " DATE "\t", 120000 },
        { "Sun, 06 Nov 1994 08:51:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", 120000 },
        { "Sun, 06 Nov 1994 08:51:37 GMT", "Sun, 06 Nov 1994 08:49:37 -0000", 120000 },
        { "Sun, 06 Nov 2094 08:49:37 GMT", DATE, UINT32_MAX },
        { "Sun, 06 Nov 1994 08:51:37 GMT", NULL, 0 },
        { "Sun, 06 Nov 1994 08:51:37 GMT", "784111777", 0 },
        { NULL, NULL, 0 },
        { "Sun, 06 Nov 1994 08:51:37", DATE, 0 },
        /* years of two digits, in one of them and in both */
        { "Sat, 06 Nov 2094 08:51:37 GMT", "Saturday, 06-Nov-94 08:49:37 GMT", 120000 },
        { "Sat, 01 Jan 2000 00:00:00 GMT", "Friday, 31-Dec-99 23:59:59 GMT", 1000 },
        { "Saturday, 06-Nov-94 08:51:37 GMT", "Sat, 06 Nov 2094 08:49:37 GMT", 120000 },
        { "Saturday, 01-Jan-00 00:00:00 GMT", "Fri, 31 Dec 1999 23:59:59 GMT", 1000 },
        { "Wednesday, 01-Mar-00 00:00:00 GMT", "Tuesday, 29-Feb-00 23:59:59 GMT", 1000 },
        /* 2100 has no such day */
        { "Monday, 29-Feb-00 00:00:00 GMT", "Thu, 31 Dec 2099 23:59:59 GMT", 0 }
    };
    for (size_t i = 0; i < LENGTH(table); i++)
        if (redial_retry_after_ms(table[i].retry_after, table[i].date) != table[i].ms)
            fail_msg("row %u: \"%s\" and \"%s\" are not %lu ms", (unsigned)i, table[i].retry_after,
                     table[i].date, (unsigned long)table[i].ms);
}

/* ---- any text ---- */

#ifdef HAVE_MODEL
TEST(random_changes_of_seconds_and_dates_are_read_as_the_model_reads_them)
{
    static const char *const seeds[] = {
        "120", "4294967.295", "0.00100", DATE, "Thu, 29 Feb 2024 23:59:59 GMT",
        "Thu, 29 Feb 2024 23:59:59 -0000\n" "Thu, 29 Feb 2024 23:59:58 UTC",
        "Wednesday, 31-Dec-69 00:00:00 GMT", "Tue Jan 31 10:10:10 2000", (DATE "\n" DATE),
        "Sunday, 06-Nov-94 08:49:37 GMT\n" DATE
    };
    static const char letters[] =
        "0123456789012345678901234567890123456789 .,:-\t\nGMTSunMonTuesWdhrFiayJbApgcNvDC+";
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < 50000; i++) {
        const char *text = seeds[random32(&seed) % LENGTH(seeds)];
        size_t length = strlen(text), at;
        unsigned changes = random32(&seed) % 4;
        uint8_t input[128];
        for (at = 0; at < 9; at++)   /* which time it is */
            input[at] = (uint8_t)random32(&seed);
        memcpy(input + 9, text, length);
        while (changes-- > 0) {
            at = 9 + random32(&seed) % length;
            if (random32(&seed) % 4 == 0) {   /* a byte goes, or comes twice */
                bool goes = random32(&seed) % 2;
                memmove(input + at + !goes, input + at + goes, 9 + length - at - goes);
                length = goes ? length - 1 : length + 1;
            } else {
                input[at] =
                    (uint8_t)(random32(&seed) % 16 ? letters[random32(&seed) % (sizeof letters - 1)]
                                                   : (char)random32(&seed));
            }
        }
        assert_int_equal(LLVMFuzzerTestOneInput(input, 9 + length), 0);
    }
}
#endif

int main(void)
{
    return run_all();
}
