/* redial_retry_after_ms and redial_seconds_ms, src/retry_after.c, with values worked out by hand.
   tests/model compares random seconds and dates with what printf and libc's calendar wrote; with
   sanitizers that also shows that no byte beside a text is read. SPDX-License-Identifier: MIT */
#include "../common/support.h"

#define LONGEST_S 4294967   /* the longest time whose milliseconds fit in 32 bits */
#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"
#define BEFORE "Sun, 06 Nov 1994 08:49:36 GMT"

struct row {
    const char *retry_after, *date;   /* the values of both headers */
    uint32_t ms;
};

static void check(const struct row *row)
{
    uint32_t ms = redial_retry_after_ms(row->retry_after, row->date);
    if (ms != row->ms)
        fail_msg("\"%s\" at \"%s\": %lu ms instead of %lu", row->retry_after,
                 row->date ? row->date : "no date", (unsigned long)ms, (unsigned long)row->ms);
}

/* ---- seconds ---- */

TEST(a_fraction_of_a_second_is_rounded_up_and_what_does_not_fit_saturates)
{
    static const struct { const char *text; uint32_t ms; } rows[] = {
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
    for (size_t i = 0; i < LENGTH(rows); i++)
        check(&(struct row){ rows[i].text, NULL, rows[i].ms });
}

TEST(seconds_saturate_below_the_value_that_means_no_limit)
{
    static const struct { int64_t seconds; uint32_t ms; } rows[] = {
        { INT64_MIN, 0 }, { -INT64_C(4294967297), 0 }, { -1, 0 }, { 0, 0 }, { 1, 1000 },
        { LONGEST_S, 4294967000 }, { LONGEST_S + 1, UINT32_MAX - 1 },
        { INT64_C(4294967297), UINT32_MAX - 1 }, { INT64_MAX, UINT32_MAX - 1 }
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_int_equal(redial_seconds_ms(rows[i].seconds), rows[i].ms);
}

/* ---- both ---- */

TEST(blanks_and_the_end_of_the_line_are_skipped_around_a_value_and_not_in_it)
{
    static const struct row rows[] = {
        { "120\r\n", NULL, 120000 },
        { "\r\n\t 7", NULL, 7000 },
        { "7\n\r \n", NULL, 7000 },
        { "1.5\n", NULL, 1500 },
        { DATE "\r\n", BEFORE "\r\n", 1000 },
        { "\r\n " DATE " ", "\r\t" BEFORE "\t", 1000 },
        { " \r\n", NULL, 0 },
        { "1\r\n20", NULL, 0 },
        { "120\v", NULL, 0 },
        { "120\f", NULL, 0 },
        { DATE "\r\n", BEFORE "\v", 0 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        check(&rows[i]);
}

TEST(what_is_neither_seconds_nor_a_date_is_refused)
{
    static const char *const texts[] = {
        "", " ", " \t ", "-", "-0", "-1", "+1", "1,5", "1e3", "0x10", "120junk", "\"120\"", "nan",
        "inf", "1 2", "2, 3", "2,", ",2", "12\r\n0", "1\n20", "120\v", "1_000", "\xd9\xa1\xd9\xa2",
        "\xa0" "120", "\xff", ".", ".5", "1.", "1:", "1..5", "1.5.2", "1 .5", "1. 5", "1.-5",
        "1.5s", "1.5e3", "Sun", "120 " DATE, DATE ", 120", DATE " junk"
        "Sun,", "1994-11-06T08:49:37Z", "sun, 06 Nov 1994 08:49:37 GMT", "-784111777",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06-November-94 08:49:37 GMT", "Sundays, 06-Nov-94 08:49:37 GMT",
        "Sunda, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994",
        "Sunday Nov  6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994  8:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        ", 06 Nov 1994 08:49:37 GMT", "Sun, 06  1994 08:49:37 GMT",   /* a word is missing */
        "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 31 Nov 1994 00:00:00 GMT",
        "Sun, 00 Dec 1994 08:49:37 GMT",   /* or it would be ahead */
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
    for (size_t i = 0; i < LENGTH(texts); i++)
        check(&(struct row){ texts[i], BEFORE, 0 });
}

TEST(a_date_is_compared_with_the_date_of_the_response_and_with_nothing_else)
{
    static const char first[] = "Sat, 01 Jan 0000 00:00:00 GMT",
                      last[] = "Fri, 31 Dec 9999 23:59:60 GMT";
    const struct row rows[] = {
        { DATE, BEFORE, 1000 },
        { "Sunday, 06-Nov-94 08:49:37 GMT", BEFORE, 1000 },
        { "Sun Nov  6 08:49:37 1994", BEFORE, 1000 },
        { "Sun Nov 06 08:49:37 1994", BEFORE, 1000 },
        { "Sun Nov 16 08:49:37 1994", DATE, 864000000 },
        { "Sun, 06 Nov 1994 08:49:37 UTC", BEFORE, 1000 },
        { "Sun, 06 Nov 1994 08:49:37 +0000", BEFORE, 1000 },
        { "Sun, 06 Nov 1994 08:49:37 -0000", BEFORE, 1000 },   /* by Python's formatdate */
        { "Wed, 06 Nov 1994 08:49:37 GMT", BEFORE, 1000 },   /* the weekday need not match */
        { "Wednesday, 06-Nov-94 08:49:37 GMT", BEFORE, 1000 },
        { "Sat, 31 Dec 2016 23:59:60 GMT", "Sat, 31 Dec 2016 23:59:59 GMT", 1000 },
        { "Tue, 29 Feb 2000 00:00:00 GMT", "Mon, 28 Feb 2000 23:59:59 GMT", 1000 },
        { "Thu, 01 Jan 1970 00:00:01 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", 2000 },
        { DATE, DATE, 0 },
        { BEFORE, DATE, 0 },   /* it has passed */
        { "Mon, 26 Dec 1994 01:52:24 GMT", DATE, LONGEST_S * UINT32_C(1000) },
        { "Mon, 26 Dec 1994 01:52:25 GMT", DATE, UINT32_MAX },
        { "Sun, 06 Nov 2094 08:49:37 GMT", DATE, UINT32_MAX },
        { last, first, UINT32_MAX },
        { first, last, 0 },
        { DATE, NULL, 0 },
        { DATE, "784111777", 0 },
        { NULL, NULL, 0 },
        { NULL, DATE, 0 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        check(&rows[i]);
}

/* Nearly 50 years ahead are more than 32 bits of milliseconds, and what has passed is 0. */
TEST(a_two_digit_year_is_the_latest_that_is_at_most_50_years_after_the_other_date)
{
    static const char early[] = "Thursday, 06-Nov-25 08:00:10 GMT",
                      leap_day[] = "Thursday, 29-Feb-52 12:34:56 GMT",
                      no_leap_day[] = "Saturday, 10-Feb-52 00:00:00 GMT",
                      last[] = "Friday, 31-Dec-49 23:59:60 GMT",
                      first[] = "Saturday, 01-Jan-00 00:00:00 GMT",
                      late[] = "Thursday, 31-Dec-99 00:00:00 GMT",
                      leap_day_of_0[] = "Tuesday, 29-Feb-00 00:00:00 GMT";
    static const struct row rows[] = {
        { early, "Thu, 06 Nov 2025 08:00:09 GMT", 1000 },
        { early, "Thu, 06 Nov 1975 08:00:10 GMT", UINT32_MAX },   /* 50 years before */
        { early, "Thu, 06 Nov 1975 08:00:09 GMT", 0 },            /* a second earlier: 1925 */
        { early, "Fri, 06 Nov 1925 08:00:09 GMT", 1000 },
        { leap_day, "Fri, 01 Mar 2002 00:00:00 GMT", UINT32_MAX },   /* 2002 had no such day */
        { leap_day, "Thu, 28 Feb 2002 23:59:59 GMT", 0 },            /* so it is 1952 */
        { no_leap_day, "Sun, 10 Feb 2002 00:00:00 GMT", UINT32_MAX },
        { no_leap_day, "Sat, 09 Feb 2002 23:59:59 GMT", 0 },
        { last, "Sat, 01 Jan 2000 00:00:00 GMT", UINT32_MAX },   /* a leap second */
        { last, "Fri, 31 Dec 1999 23:59:59 GMT", 0 },
        { first, "Sat, 01 Jan 0000 00:00:00 GMT", 0 },
        { first, "Sun, 31 Dec 9899 23:59:59 GMT", 1000 },
        { first, "Fri, 31 Dec 9999 23:59:59 GMT", 0 },   /* no year is after 9999 */
        { late, "Wed, 30 Dec 0099 23:59:59 GMT", 1000 },
        /* in the year 99, because there is no year before 0 */
        { late, "Sat, 01 Jan 0000 00:00:00 GMT", UINT32_MAX },
        { leap_day_of_0, "Mon, 28 Feb 2000 23:59:59 GMT", 1000 },
        /* it would be in 2100, which is no leap year */
        { leap_day_of_0, "Thu, 31 Dec 2099 23:59:59 GMT", 0 },
        /* a year of two digits in the other header, and in both */
        { "Sat, 06 Nov 2094 08:51:37 GMT", "Saturday, 06-Nov-94 08:49:37 GMT", 120000 },
        { "Sat, 01 Jan 2000 00:00:00 GMT", "Friday, 31-Dec-99 23:59:59 GMT", 1000 },
        { "Saturday, 06-Nov-94 08:51:37 GMT", "Sat, 06 Nov 2094 08:49:37 GMT", 120000 },
        { "Wednesday, 01-Mar-00 00:00:00 GMT", "Tuesday, 29-Feb-00 23:59:59 GMT", 1000 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        check(&rows[i]);
}

int main(void)
{
    return run_all();
}
