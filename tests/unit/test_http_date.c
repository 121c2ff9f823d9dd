/* redial_parse_http_date is compared with a calendar that counts days, and with a grammar that writes each date anew.
   SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "hostile.h"

/* ---- an independent calendar ---- */

struct moment {
    int year, month, day, hour, minute, second;   /* month: 1 for January */
};

static bool leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_of(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month == 2 && leap(year) ? 29 : days[month - 1];
}

#define YEAR_0 (-719528)   /* days from 1970 back to year 0; a test below counts them */

static int32_t first_days[10000];   /* of each year, in days from 1970 on */

static int count_the_years(void **state)
{
    int32_t days = YEAR_0;
    for (int year = 0; year <= 9999; year++) {
        first_days[year] = days;
        days += leap(year) ? 366 : 365;
    }
    return hostile_surroundings(state);
}

static int64_t instant(const struct moment *moment)
{
    int64_t days = first_days[moment->year] + moment->day - 1;
    for (int month = 1; month < moment->month; month++)
        days += days_of(moment->year, month);
    return ((days * 24 + moment->hour) * 60 + moment->minute) * 60 + moment->second;
}

static bool possible(const struct moment *moment)
{
    return moment->day >= 1 && moment->day <= days_of(moment->year, moment->month) && moment->hour <= 23
           && moment->minute <= 59 && moment->second <= 60;
}

/* A number that is larger for the later of two moments. */
static int64_t ordinal(const struct moment *moment, int year)
{
    return ((((year * INT64_C(100) + moment->month) * 100 + moment->day) * 100 + moment->hour) * 100
            + moment->minute) * 100 + moment->second;
}

/* The latest year with these two digits that is no more than 50 years after now. */
static int with_century(const struct moment *moment, const struct moment *now)
{
    int year = moment->year + 9900;
    while (year >= 100 && ordinal(moment, year - 50) > ordinal(now, now->year))
        year -= 100;
    return year;
}

/* ---- an independent grammar ---- */

/* The form of asctime has a day with a leading space or with a leading zero. */
enum form { IMF_FIXDATE, RFC850, ASCTIME, ASCTIME_ZERO, FORMS };

static const char *const day_names[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const month_names[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
enum { ROOM = 128 };

static size_t write_date(char text[ROOM], enum form form, size_t weekday, const struct moment *m)
{
    const char *day = day_names[weekday], *month = month_names[m->month - 1];
    int length = 0;
    switch (form) {
    case IMF_FIXDATE:
        length = snprintf(text, ROOM, "%.3s, %02d %s %04d %02d:%02d:%02d GMT", day, m->day, month, m->year, m->hour,
                          m->minute, m->second);
        break;
    case RFC850:
        length = snprintf(text, ROOM, "%s, %02d-%s-%02d %02d:%02d:%02d GMT", day, m->day, month, m->year % 100,
                          m->hour, m->minute, m->second);
        break;
    case ASCTIME:
        length = snprintf(text, ROOM, "%.3s %s %2d %02d:%02d:%02d %04d", day, month, m->day, m->hour, m->minute,
                          m->second, m->year);
        break;
    default:
        length = snprintf(text, ROOM, "%.3s %s %02d %02d:%02d:%02d %04d", day, month, m->day, m->hour, m->minute,
                          m->second, m->year);
        break;
    }
    return (size_t)length;
}

/* A number from any two bytes. If they are no digits, write_date writes something else, and the texts differ. */
static int two_digits(const char *at)
{
    return (at[0] == ' ' ? 0 : at[0] - '0') * 10 + at[1] - '0';
}

static bool find(const char *at, const char *const names[], size_t count, size_t *index)
{
    for (*index = 0; *index < count; ++*index)
        if (memcmp(at, names[*index], 3) == 0)
            return true;
    return false;
}

/* Reads the fields at the places of the form, writes that date anew, and compares the texts. */
static bool is_date(const char *text, size_t length, enum form form, struct moment *moment)
{
    static const struct { size_t month, day, year, time; } before_end[] = {
        { 21, 24, 17, 12 }, { 19, 22, 15, 12 }, { 20, 16, 4, 13 }, { 20, 16, 4, 13 }
    };
    const char *end = text + length, *time, *year;
    char again[ROOM];
    size_t weekday, month;
    if (length < 24)
        return false;
    if (!find(text, day_names, 7, &weekday) || !find(end - before_end[form].month, month_names, 12, &month))
        return false;
    time = end - before_end[form].time;
    year = end - before_end[form].year;
    moment->month = (int)month + 1;
    moment->day = two_digits(end - before_end[form].day);
    moment->hour = two_digits(time);
    moment->minute = two_digits(time + 3);
    moment->second = two_digits(time + 6);
    moment->year = two_digits(year);
    if (form != RFC850)
        moment->year = moment->year * 100 + two_digits(year + 2);
    return write_date(again, form, weekday, moment) == length && memcmp(text, again, length) == 0;
}

/* ---- checks ---- */

static const struct moment example = { 1994, 11, 6, 8, 49, 37 };
#define EXAMPLE_S INT64_C(784111777)

static void check(const char *text, size_t length, int64_t now_s, bool valid, int64_t unix_s)
{
    int64_t got, untouched;
    poison(&got, sizeof got);
    poison(&untouched, sizeof untouched);
    if (redial_parse_http_date(flush_right(text, length), length, now_s, &got) != valid)
        fail_msg("\"%.*s\" was %s", (int)length, text, valid ? "refused" : "accepted");
    if (got != (valid ? unix_s : untouched))
        fail_msg("\"%.*s\" is off by %ld s", (int)length, text, (long)(got - (valid ? unix_s : untouched)));
}

static void accept(const char *text, int64_t unix_s)
{
    check(text, strlen(text), EXAMPLE_S, true, unix_s);
}

static void refuse(const char *text)
{
    check(text, strlen(text), EXAMPLE_S, false, 0);
}

/* The text is read as the independent grammar and calendar read it, at the time of the example. */
static void check_any(const char *text, size_t length)
{
    struct moment moment;
    int form = 0;
    bool valid;
    while (form < FORMS && !is_date(text, length, (enum form)form, &moment))
        form++;
    valid = form < FORMS;
    if (valid && form == RFC850)
        moment.year = with_century(&moment, &example);
    valid = valid && possible(&moment);
    check(text, length, EXAMPLE_S, valid, valid ? instant(&moment) : 0);
}

static void check_written(enum form form, size_t weekday, const struct moment *moment, bool valid, int64_t unix_s)
{
    char text[ROOM];
    size_t length = write_date(text, form, weekday, moment);
    check(text, length, unix_s, valid, unix_s);   /* now is the same second, which gives the century */
}

/* ---- values ---- */

TEST(the_three_forms_of_the_example_of_RFC_9110_are_the_same_second)
{
    accept("Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE_S);
    accept("Sunday, 06-Nov-94 08:49:37 GMT", EXAMPLE_S);
    accept("Sun Nov  6 08:49:37 1994", EXAMPLE_S);
    accept("Tue, 15 Nov 1994 12:45:26 GMT", 784903526);
    accept("Fri, 31 Dec 1999 23:59:59 GMT", 946684799);
}

TEST(times_before_1970_and_after_2038_and_2106_do_not_wrap)
{
    accept("Thu, 01 Jan 1970 00:00:00 GMT", 0);
    accept("Wed, 31 Dec 1969 23:59:59 GMT", -1);
    accept("Fri, 13 Dec 1901 20:45:52 GMT", -INT64_C(2147483648));
    accept("Tue, 19 Jan 2038 03:14:07 GMT", INT64_C(2147483647));
    accept("Tue, 19 Jan 2038 03:14:08 GMT", INT64_C(2147483648));
    accept("Sun, 07 Feb 2106 06:28:15 GMT", INT64_C(4294967295));
    accept("Sun, 07 Feb 2106 06:28:16 GMT", INT64_C(4294967296));
    accept("Sat, 01 Jan 0000 00:00:00 GMT", -INT64_C(62167219200));
    accept("Fri, 31 Dec 9999 23:59:59 GMT", INT64_C(253402300799));
}

static bool worth_a_look(const struct moment *m)
{
    return (m->year >= 1900 && m->year <= 2200) || (m->month == 2 && m->day >= 28) || (m->month == 3 && m->day == 1)
           || (m->month == 1 && m->day == 1) || (m->month == 12 && m->day == 31);
}

/* The form changes every 4 days and the day name every 7, so each form meets each name. */
TEST(every_day_from_year_0_on_is_right_and_a_day_past_the_end_of_its_month_is_refused)
{
    struct moment m = { 0, 1, 1, 23, 59, 59 };
    int64_t days = YEAR_0;
    for (m.year = 0; m.year <= 9999; m.year++)
        for (m.month = 1; m.month <= 12; m.month++) {
            for (m.day = 1; m.day <= days_of(m.year, m.month); m.day++, days++)
                if (worth_a_look(&m))
                    check_written((enum form)(days & 3), (size_t)(days + 7000000) % 7, &m, true, days * 86400 + 86399);
            if (m.month == 2 || m.year == 1994)
                check_written((enum form)(m.year & 3), 0, &m, false, days * 86400);
            assert_true(m.year != 1969 || m.month != 12 || days == 0);
        }
}

TEST(a_day_must_exist_in_its_month)
{
    static const int years[] = { 0, 4, 100, 1900, 1999, 2000, 2023, 2024, 2100, 2400, 9999 };
    struct moment m = { 0, 0, 0, 0, 0, 0 };
    for (size_t i = 0; i < LENGTH(years); i++)
        for (m.month = 1; m.month <= 12; m.month++)
            for (m.day = 0; m.day <= 99; m.day++) {
                m.year = years[i];
                for (int form = 0; form < FORMS; form++)
                    check_written((enum form)form, 3, &m, possible(&m), instant(&m));
            }
}

TEST(an_hour_is_below_24_a_minute_below_60_and_a_second_at_most_60)
{
    struct moment m = example;
    for (int form = 0; form < FORMS; form++) {
        for (m.hour = 0; m.hour <= 99; m.hour++)
            check_written((enum form)form, 0, &m, m.hour <= 23, instant(&m));
        for (m.hour = m.minute = 0; m.minute <= 99; m.minute++)
            check_written((enum form)form, 0, &m, m.minute <= 59, instant(&m));
        for (m.minute = 59, m.second = 0; m.second <= 99; m.second++)
            check_written((enum form)form, 0, &m, m.second <= 60, instant(&m));
        m = example;
    }
}

TEST(second_60_is_the_first_second_of_the_next_minute)
{
    accept("Sat, 31 Dec 2016 23:59:60 GMT", 1483228800);
    accept("Sun, 01 Jan 2017 00:00:00 GMT", 1483228800);
    accept("Mon, 28 Feb 2000 23:59:60 GMT", 951782400);
    refuse("Sat, 31 Dec 2016 23:59:61 GMT");
    refuse("Sun, 01 Jan 2017 24:00:00 GMT");
    refuse("Sat, 31 Dec 2016 23:60:00 GMT");
}

TEST(any_day_name_is_accepted_even_if_it_does_not_fit_the_date)
{
    for (size_t weekday = 0; weekday < 7; weekday++)
        for (int form = 0; form < FORMS; form++)
            check_written((enum form)form, weekday, &example, true, EXAMPLE_S);
    refuse("Sum, 06 Nov 1994 08:49:37 GMT");
    refuse("Sonntag, 06-Nov-94 08:49:37 GMT");
}

/* ---- texts that are no dates ---- */

TEST(texts_that_are_nearly_dates_are_refused)
{
    static const char *const texts[] = {
        "", " ", "0", "GMT", "Sun", "Sun,", "Sunday", "1994-11-06T08:49:37Z", "784111777",
        "sun, 06 Nov 1994 08:49:37 GMT", "SUN, 06 NOV 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37.0 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT\r\n", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06-November-94 08:49:37 GMT",
        "Sundays, 06-Nov-94 08:49:37 GMT", "Sunda, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994", "Sunday Nov  6 08:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 GMT 1994",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 1900 00:00:00 GMT",
        ", 06 Nov 1994 08:49:37 GMT", ", 06-Nov-94 08:49:37 GMT", " Nov  6 08:49:37 1994",
        "Sun, 06  1994 08:49:37 GMT", "Sunday, 06--94 08:49:37 GMT", "Sun   6 08:49:37 1994",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:-7 GMT", "Sun, 0x Nov 1994 08:49:37 GMT",
    };
    for (size_t i = 0; i < LENGTH(texts); i++)
        refuse(texts[i]);
}

/* The parser stores the names with a NUL between them, and must not match across that NUL. */
TEST(two_day_names_with_a_nul_between_them_are_refused)
{
    for (size_t first = 0; first < 7; first++)
        for (size_t second = 0; second < 7; second++) {
            char text[2 * ROOM];
            size_t length = strlen(day_names[first]) + 1;
            memcpy(text, day_names[first], length);
            length += write_date(text + length, RFC850, second, &example);
            check(text, length, EXAMPLE_S, false, 0);
        }
}

TEST(a_null_text_is_refused)
{
    int64_t got, untouched;
    poison(&got, sizeof got);
    poison(&untouched, sizeof untouched);
    assert_false(redial_parse_http_date(NULL, 0, 0, &got));
    assert_false(redial_parse_http_date(NULL, 29, 0, &got));
    assert_true(got == untouched);
}

/* Dates that have every length of a day name, both kinds of asctime, a leap day and a last second. */
static const char *const seeds[] = {
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Thu, 29 Feb 2024 23:59:59 GMT", "Wednesday, 31-Dec-69 00:00:00 GMT", "Tue Jan 31 10:10:10 2000",
};

static void check_changes_at(const char *seed, size_t length, size_t at)
{
    char text[ROOM];
    check_any(seed, at);
    memcpy(text, seed, at);
    memcpy(text + at, seed + at + 1, length - at - 1);
    check_any(text, length - 1);
    for (int byte = 0; byte < 256; byte++) {
        text[at] = (char)byte;
        memcpy(text + at + 1, seed + at + 1, length - at - 1);
        check_any(text, length);
        memcpy(text + at + 1, seed + at, length - at);
        check_any(text, length + 1);
    }
}

TEST(a_date_that_is_cut_or_has_a_byte_removed_changed_or_inserted_is_refused_or_another_date)
{
    for (size_t i = 0; i < LENGTH(seeds); i++) {
        size_t length = strlen(seeds[i]);
        check_any(seeds[i], length);
        for (size_t at = 0; at < length; at++)
            check_changes_at(seeds[i], length, at);
    }
}

static char any_of_a_date_s_bytes(uint64_t *random)
{
    static const char bytes[] = "0123456789012345678901234567890123456789 ,:-GMTSunMonTuesWdhrFiayJbApgcNvD";
    return bytes[random32(random) % (sizeof bytes - 1)];
}

TEST(a_date_with_several_bytes_changed_is_refused_or_another_date)
{
    uint64_t random = 0x9e3779b97f4a7c15;
    for (long i = 0; i < 100000; i++) {
        const char *seed = seeds[random32(&random) % LENGTH(seeds)];
        size_t length = strlen(seed);
        unsigned changes = random32(&random) % 4 + 1;
        char text[ROOM];
        memcpy(text, seed, length);
        while (changes-- > 0)
            text[random32(&random) % length] = any_of_a_date_s_bytes(&random);
        check_any(text, length);
    }
}

/* ---- two digits of a year ---- */

static void check_century(const struct moment *moment, int64_t now_s, int year)
{
    struct moment want = *moment;
    char text[ROOM];
    size_t length = write_date(text, RFC850, 0, moment);
    want.year = year;
    check(text, length, now_s, true, instant(&want));
}

/* A date exactly 50 years ahead is ahead. One second more, and it is in the past century. So it is for every year. */
TEST(a_two_digit_year_is_at_most_50_years_ahead_to_the_second)
{
    struct moment m = example, before = example;
    for (m.year = 100; m.year <= 9999; m.year += m.year < 300 || m.year > 9700 || m.year / 200 == 9 ? 1 : 37) {
        before.year = m.year - 50;
        check_century(&m, instant(&before), m.year);
        check_century(&m, instant(&before) - 1, m.year - 100);
        check_century(&m, instant(&m), m.year);
    }
}

TEST(the_rule_of_50_years_holds_for_a_leap_second)
{
    static const struct moment last = { 2049, 12, 31, 23, 59, 60 };
    check_century(&last, INT64_C(946684800), 2049);       /* 2000-01-01 00:00:00 */
    check_century(&last, INT64_C(946684800) - 1, 1949);
}

/* There is no 29 February 50 years earlier. The first of March counts instead. */
TEST(a_leap_day_is_50_years_ahead_of_the_first_of_march)
{
    static const struct moment leap_day = { 2052, 2, 29, 12, 34, 56 }, march = { 2002, 3, 1, 0, 0, 0 };
    check_century(&leap_day, instant(&march), 2052);
    check_century(&leap_day, instant(&march) - 1, 1952);
}

TEST(the_days_around_a_leap_day_are_at_most_50_years_ahead_to_the_second)
{
    static const struct moment days[] = { { 2052, 2, 28, 12, 34, 56 }, { 2052, 2, 27, 12, 34, 56 },
                                          { 2052, 3, 1, 12, 34, 56 }, { 2052, 1, 29, 12, 34, 56 },
                                          { 2052, 3, 29, 12, 34, 56 } };
    for (size_t i = 0; i < LENGTH(days); i++) {
        struct moment before = days[i];
        before.year -= 50;
        check_century(&days[i], instant(&before), 2052);
        check_century(&days[i], instant(&before) - 1, 1952);
    }
}

TEST(the_extreme_values_of_now_give_the_first_and_the_last_century)
{
    struct moment m = example;
    for (m.year = 0; m.year < 100; m.year++) {
        check_century(&m, INT64_MIN, m.year);
        check_century(&m, INT64_MAX, 9900 + m.year);
        check_century(&m, 0, m.year <= 19 ? 2000 + m.year : 1900 + m.year);
        check_century(&m, -1, m.year <= 19 ? 2000 + m.year : 1900 + m.year);
    }
}

TEST(a_leap_day_must_exist_in_the_century_that_now_gives)
{
    static const char text[] = "Tuesday, 29-Feb-00 00:00:00 GMT";
    check(text, sizeof text - 1, EXAMPLE_S, true, 951782400);
    check(text, sizeof text - 1, INT64_C(2556144000), false, 0);   /* from 2051 on it would be in 2100 */
}

/* The form with four digits of a year does not ask what time it is. */
TEST(a_year_of_four_digits_does_not_depend_on_now)
{
    static const char imf[] = "Sun, 06 Nov 1994 08:49:37 GMT", asctime[] = "Sun Nov  6 08:49:37 1994";
    static const int64_t nows[] = { INT64_MIN, -1, 0, INT64_MAX };
    for (size_t i = 0; i < LENGTH(nows); i++) {
        check(imf, sizeof imf - 1, nows[i], true, EXAMPLE_S);
        check(asctime, sizeof asctime - 1, nows[i], true, EXAMPLE_S);
    }
}

int main(void)
{
    return run_all_with(NULL, NULL, count_the_years, NULL);
}
