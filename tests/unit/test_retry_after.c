/* redial_parse_retry_after and redial_seconds_ms, src/retry_after.c. test_http_date.c has the dates.
   SPDX-License-Identifier: MIT */
#include "hostile.h"

#define LONGEST_S 4294967   /* the longest time whose milliseconds fit in 32 bits */

static void check_flush(const char *text, size_t length, const char *shown, int64_t now_s, bool valid,
                        uint32_t retry_after_ms)
{
    uint32_t got, untouched;
    poison(&got, sizeof got);
    poison(&untouched, sizeof untouched);
    if (redial_parse_retry_after(text, length, now_s, &got) != valid)
        fail_msg("\"%.*s\" was %s", (int)length, shown, valid ? "refused" : "accepted");
    if (got != (valid ? retry_after_ms : untouched))
        fail_msg("\"%.*s\" gave %lu", (int)length, shown, (unsigned long)got);
}

static void check(const char *text, size_t length, int64_t now_s, bool valid, uint32_t retry_after_ms)
{
    check_flush(flush_right(text, length), length, text, now_s, valid, retry_after_ms);
    check_flush(flush_left(text, length), length, text, now_s, valid, retry_after_ms);
}

static void accept(const char *text, uint32_t retry_after_ms)
{
    check(text, strlen(text), 0, true, retry_after_ms);
}

#define ACCEPT_ALL(...) do { \
    static const struct { const char *text; uint32_t value; } rows_[] = { __VA_ARGS__ }; \
    for (size_t i_ = 0; i_ < LENGTH(rows_); i_++) \
        accept(rows_[i_].text, rows_[i_].value); \
} while (0)

static void refuse(const char *text)
{
    check(text, strlen(text), 0, false, 0);
}

#define REFUSE_ALL(...) do { \
    static const char *const texts_[] = { __VA_ARGS__ }; \
    for (size_t i_ = 0; i_ < LENGTH(texts_); i_++) \
        refuse(texts_[i_]); \
} while (0)

/* ---- seconds ---- */

TEST(whole_seconds_become_milliseconds)
{
    ACCEPT_ALL({ "0", 0 }, { "1", 1000 }, { "9", 9000 }, { "10", 10000 }, { "120", 120000 },
        { "00000000000000000000120", 120000 }, { "0000000000", 0 }, { "1234567", 1234567000 });
}

TEST(spaces_and_tabs_around_the_value_are_skipped)
{
    ACCEPT_ALL({ " 120\t", 120000 }, { "120 ", 120000 }, { "\t \t120", 120000 }, { "  120  \t\t  ", 120000 },
        { " 0 ", 0 });
}

TEST(seconds_that_do_not_fit_saturate)
{
    static const char *const texts[] = { "4294968", "4294970", "4294967295", "4294967296", "4294967297", "42949670",
                                         "42949672960", "9999999999", "18446744073709551615", "18446744073709551616",
                                         "18446744073709551736", "340282366920938463463374607431768211576" };
    accept("4294966", 4294966000);
    accept("4294967", 4294967000);
    for (size_t i = 0; i < LENGTH(texts); i++)
        accept(texts[i], UINT32_MAX);
}

TEST(hundreds_of_digits_saturate_and_hundreds_of_zeros_do_not)
{
    char digits[400];
    memset(digits, '9', sizeof digits);
    check(digits, sizeof digits, 0, true, UINT32_MAX);
    memset(digits, '1', sizeof digits);
    check(digits, sizeof digits, 0, true, UINT32_MAX);
    memset(digits, '0', sizeof digits);
    check(digits, sizeof digits, 0, true, 0);
    digits[sizeof digits - 1] = '7';
    check(digits, sizeof digits, 0, true, 7000);
    digits[0] = '1';
    check(digits, sizeof digits, 0, true, UINT32_MAX);
    digits[sizeof digits - 1] = 'x';
    check(digits, sizeof digits, 0, false, 0);
}

static void check_number(uint64_t seconds)
{
    char text[20], *end = text + sizeof text, *at = end;
    uint64_t rest = seconds;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    check(at, (size_t)(end - at), 0, true, seconds > LONGEST_S ? UINT32_MAX : (uint32_t)seconds * 1000);
}

/* Numbers around the longest time, around 2^32, and around both with a digit more or less. */
TEST(every_number_is_exact_or_saturates)
{
    static const uint64_t middles[] = { 100, 429496, LONGEST_S, 42949670, 42949672, 429496729, 4294967296,
                                        42949672960, 429496729600 };
    uint64_t random = 7;
    for (size_t i = 0; i < LENGTH(middles); i++)
        for (unsigned n = 0; n < 200; n++)
            check_number(middles[i] - 100 + n);
    for (unsigned n = 0; n < 10000; n++)
        check_number(random32(&random) >> (n & 31));
}

TEST(texts_that_are_no_numbers_are_refused)
{
    REFUSE_ALL("", " ", "\t", " \t ", "-", "-0", "-1", "-5", "--1", "+", "+1", "1,5", "1e3", "1e999", "0x10", "0x",
        "x10", "120junk", "120s", "120%", "120;", "\"120\"", "junk", "nan", "NaN", "inf", "infinity", "null", "1 2",
        "1\t2", "2, 3", "2,3", "2,", ",2", "120\n", "120\r\n", "\n120", "120\v", "\f120", "1_000", "1'000", "12O",
        "l20", "\xd9\xa1\xd9\xa2", "\xef\xbc\x91", "\xb9", "\xb2" "0", "1\xb2", "\xa0" "120", "120\xc2\xa0", "\xff",
        "\x80");
}

/* ---- fractions ---- */

TEST(a_fraction_is_rounded_up_to_the_next_millisecond)
{
    ACCEPT_ALL({ "1.5", 1500 }, { "1.0", 1000 }, { "1.0000", 1000 }, { "0.0", 0 }, { "0.1", 100 }, { "0.12", 120 },
        { "0.123", 123 }, { "0.1230", 123 }, { "0.1231", 124 }, { "0.001", 1 }, { "0.00010", 1 }, { "0.0010", 1 },
        { "0.0001", 1 }, { "0.00000000001", 1 }, { "0.999", 999 }, { "1.999", 1999 }, { "1.9991", 2000 },
        { "0.9990001", 1000 }, { "007.25", 7250 }, { " \t1.5 \t", 1500 });
}

TEST(a_number_with_a_fraction_that_does_not_fit_saturates)
{
    ACCEPT_ALL({ "4294967.294", UINT32_MAX - 1 }, { "4294967.2941", UINT32_MAX }, { "4294967.295", UINT32_MAX },
        { "4294967.2951", UINT32_MAX }, { "4294967.296", UINT32_MAX }, { "4294967.999", UINT32_MAX },
        { "4294968.0", UINT32_MAX }, { "99999999999999999999.5", UINT32_MAX });
}

/* Only the first three digits count, and whether any later one is above 0. */
TEST(a_fraction_may_have_any_number_of_digits)
{
    char text[400];
    memset(text, '0', sizeof text);
    text[1] = '.';
    check(text, sizeof text, 0, true, 0);
    text[sizeof text - 1] = '1';
    check(text, sizeof text, 0, true, 1);
    memset(text + 2, '9', sizeof text - 2);
    check(text, sizeof text, 0, true, 1000);
    text[sizeof text - 1] = 'x';
    check(text, sizeof text, 0, false, 0);
    text[sizeof text - 1] = '.';
    check(text, sizeof text, 0, false, 0);
}

TEST(a_fraction_needs_digits_on_both_sides_of_one_point)
{
    REFUSE_ALL(".", "..", ".5", "1.", "0.", "1..5", "1.5.", "1.5.2", "1 .5", "1. 5", "1.5 2", "1,5", "-1.5", "1.-5",
        "+1.5", "1.+5", "1.5s", "1.s", "1.5e3", "1.e3", "0x1.8", "1.5,", "1.5, 2", "\xd9\xa1.5", "1.\xb2");
    check("1.\0" "5", 4, 0, false, 0);
    check("1.5", 2, 0, false, 0);   /* the digit follows, but the length excludes it */
}

/* ---- bytes ---- */

TEST(a_nul_neither_ends_a_value_nor_counts_as_a_blank)
{
    check("120\0", 4, 0, false, 0);
    check("\0" "120", 4, 0, false, 0);
    check("12\0" "0", 4, 0, false, 0);
    check("\0", 1, 0, false, 0);
}

TEST(only_the_given_length_is_read)
{
    check("120junk", 3, 0, true, 120000);
    check("120junk", 2, 0, true, 12000);
    check("120junk", 0, 0, false, 0);
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\t';
}

TEST(any_byte_inserted_into_a_number_is_a_digit_its_point_a_blank_around_it_or_an_error)
{
    for (int byte = 0; byte < 256; byte++)
        for (int at = 0; at <= 2; at++) {
            char text[3] = { '1', '2', '2' };
            uint32_t ms = byte == '.' ? 1200 : 12000;
            memmove(text + at + (at < 2), text + at, (size_t)(2 - at));
            text[at] = (char)byte;
            if (is_digit(byte))
                ms = (uint32_t)((text[0] - '0') * 100 + (text[1] - '0') * 10 + text[2] - '0') * 1000;
            check(text, 3, 0, is_digit(byte) || (byte == '.' && at == 1) || (is_blank(byte) && at != 1), ms);
        }
}

TEST(any_byte_alone_is_a_digit_or_an_error)
{
    for (int byte = 0; byte < 256; byte++) {
        char text = (char)byte;
        check(&text, 1, 0, is_digit(byte), (uint32_t)(byte - '0') * 1000);
    }
}

TEST(a_number_does_not_depend_on_now)
{
    check("120", 3, INT64_MIN, true, 120000);
    check("120", 3, INT64_MAX, true, 120000);
    check("4294968", 7, INT64_MIN, true, UINT32_MAX);
}

TEST(a_null_text_is_refused)
{
    uint32_t got, untouched;
    poison(&got, sizeof got);
    poison(&untouched, sizeof untouched);
    assert_false(redial_parse_retry_after(NULL, 0, 0, &got));
    assert_false(redial_parse_retry_after(NULL, 3, 0, &got));
    assert_int_equal(got, untouched);
}

/* ---- seconds as a number ---- */

TEST(seconds_become_milliseconds_and_saturate)
{
    assert_int_equal(redial_seconds_ms(INT64_MIN), 0);
    assert_int_equal(redial_seconds_ms(-INT64_C(4294967297)), 0);
    assert_int_equal(redial_seconds_ms(-1), 0);
    assert_int_equal(redial_seconds_ms(0), 0);
    assert_int_equal(redial_seconds_ms(1), 1000);
    assert_int_equal(redial_seconds_ms(LONGEST_S), 4294967000);
    assert_int_equal(redial_seconds_ms(LONGEST_S + 1), UINT32_MAX);
    assert_int_equal(redial_seconds_ms(INT64_C(4294967297)), UINT32_MAX);
    assert_int_equal(redial_seconds_ms(INT64_MAX), UINT32_MAX);
}

/* ---- dates ---- */

#define DATE_S INT64_C(784111777)

static const char *const dates[] = { "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                                     "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994",
                                     "\t Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT \t ",
                                     " Sun Nov  6 08:49:37 1994 " };

/* now_s is ahead_s before the date. */
static void check_dates(int64_t ahead_s, uint32_t retry_after_ms)
{
    for (size_t i = 0; i < LENGTH(dates); i++)
        check(dates[i], strlen(dates[i]), DATE_S - ahead_s, true, retry_after_ms);
}

TEST(a_date_becomes_the_time_until_then_and_0_when_it_has_passed)
{
    check_dates(0, 0);
    check_dates(-1, 0);
    check_dates(-2, 0);
    check_dates(-86400, 0);
    check_dates(1, 1000);
    check_dates(2, 2000);
    check_dates(120, 120000);
    check_dates(86400, 86400000);
}

TEST(a_date_too_far_ahead_saturates)
{
    check_dates(LONGEST_S - 1, (LONGEST_S - 1) * UINT32_C(1000));
    check_dates(LONGEST_S, LONGEST_S * UINT32_C(1000));
    check_dates(LONGEST_S + 1, UINT32_MAX);
    check_dates(LONGEST_S + 2, UINT32_MAX);
    check_dates(INT64_C(4294967296), UINT32_MAX);        /* 2^32 s, of which 32 bits would leave 0 */
    check_dates(INT64_C(4294967297), UINT32_MAX);
    check_dates(INT64_C(1) << 40, UINT32_MAX);
}

TEST(the_extreme_values_of_now_do_not_overflow)
{
    static const char early[] = "Sat, 01 Jan 0000 00:00:00 GMT", late[] = "Fri, 31 Dec 9999 23:59:60 GMT";
    static const char *const texts[] = { early, late, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994" };
    for (size_t i = 0; i < LENGTH(texts); i++) {
        check(texts[i], strlen(texts[i]), INT64_MIN, true, UINT32_MAX);
        check(texts[i], strlen(texts[i]), INT64_MIN + 1, true, UINT32_MAX);
        check(texts[i], strlen(texts[i]), INT64_MAX, true, 0);
        check(texts[i], strlen(texts[i]), INT64_MAX - 1, true, 0);
    }
    check(early, sizeof early - 1, -INT64_C(62167219201), true, 1000);
    check(late, sizeof late - 1, INT64_C(253402300799), true, 1000);
}

TEST(now_gives_a_two_digit_year_its_century)
{
    static const char text[] = "Thursday, 06-Nov-25 08:00:10 GMT";
    check(text, sizeof text - 1, INT64_C(1762416000), true, 10000);       /* 2025-11-06 08:00:00 */
    check(text, sizeof text - 1, -INT64_C(1393344000), true, 10000);      /* 1925-11-06 08:00:00 */
    check(text, sizeof text - 1, INT64_C(1762416011), true, 0);
}

/* The wait is then a difference of two times of the server, so a wrong clock on this machine does not matter. */
TEST(the_date_of_the_response_can_be_used_as_now)
{
    static const char then[] = "Sun, 06 Nov 1994 08:51:37 GMT";
    int64_t now_s;
    assert_true(redial_parse_http_date(dates[0], strlen(dates[0]), 0, &now_s));
    check(then, sizeof then - 1, now_s, true, 120000);
}

TEST(texts_that_are_no_dates_are_refused)
{
    REFUSE_ALL("Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT junk",
        "Sun, 06 Nov 1994 08:49:37 PST", "Mon, 30 Feb 1994 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "120 Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, 120", "120, Sun, 06 Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT\n", "\nSun, 06 Nov 1994 08:49:37 GMT");
}

/* ---- both headers ---- */

#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"

static const struct {
    const char *retry_after, *date;
    uint32_t ms;
} both[] = {
    { NULL, NULL, 0 },
    { NULL, DATE, 0 },
    { "120", NULL, 120000 },
    { "120", "no date", 120000 },
    { "1.5", DATE, 1500 },
    { "0", DATE, 0 },
    { "4294968", DATE, UINT32_MAX },
    { " \t7 \t", DATE, 7000 },
    { "", DATE, 0 },
    { " \t", DATE, 0 },
    { "-1", DATE, 0 },
    { "1 2", DATE, 0 },
    { "Sun, 06 Nov 1994 08:49:38 GMT", DATE, 1000 },
    { "Sun, 06 Nov 1994 08:51:37 GMT", DATE, 120000 },
    { "\t Sun, 06 Nov 1994 08:51:37 GMT ", " " DATE "\t", 120000 },
    { DATE, DATE, 0 },
    { "Sun, 06 Nov 1994 08:49:36 GMT", DATE, 0 },
    { "Sun, 06 Nov 2094 08:49:37 GMT", DATE, UINT32_MAX },
    { "Sun, 06 Nov 1994 08:51:37 GMT", NULL, 0 },
    { "Sun, 06 Nov 1994 08:51:37 GMT", "", 0 },
    { "Sun, 06 Nov 1994 08:51:37 GMT", "784111777", 0 },
    { "Sun, 06 Nov 1994 08:51:37", DATE, 0 },
    /* years of two digits, in one of them and in both */
    { "Sun, 06 Nov 1994 08:51:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", 120000 },
    { "Sat, 06 Nov 2094 08:51:37 GMT", "Saturday, 06-Nov-94 08:49:37 GMT", 120000 },
    { "Sat, 01 Jan 2000 00:00:00 GMT", "Friday, 31-Dec-99 23:59:59 GMT", 1000 },
    { "Sunday, 06-Nov-94 08:51:37 GMT", DATE, 120000 },
    { "Saturday, 06-Nov-94 08:51:37 GMT", "Sat, 06 Nov 2094 08:49:37 GMT", 120000 },
    { "Saturday, 01-Jan-00 00:00:00 GMT", "Fri, 31 Dec 1999 23:59:59 GMT", 1000 },
    { "Saturday, 01-Jan-00 00:00:00 GMT", "Friday, 31-Dec-99 23:59:59 GMT", 1000 },
    { "Monday, 01-Jan-20 00:00:01 GMT", "Monday, 01-Jan-20 00:00:00 GMT", 1000 },
    { "Wednesday, 01-Mar-00 00:00:00 GMT", "Tuesday, 29-Feb-00 23:59:59 GMT", 1000 },
};

TEST(a_date_is_compared_with_the_date_of_the_response_and_with_nothing_else)
{
    for (size_t i = 0; i < LENGTH(both); i++) {
        const char *retry_after = both[i].retry_after, *date = both[i].date;
        if (retry_after)
            retry_after = flush_right(retry_after, strlen(retry_after) + 1);
        if (date)
            date = flush_left(date, strlen(date) + 1);
        if (redial_headers_ms(retry_after, date) != both[i].ms)
            fail_msg("row %u: \"%s\" and \"%s\" are not %lu ms", (unsigned)i, both[i].retry_after, both[i].date,
                     (unsigned long)both[i].ms);
    }
}

int main(void)
{
    return run_all_with(NULL, NULL, hostile_surroundings, NULL);
}
