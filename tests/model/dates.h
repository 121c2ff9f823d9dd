/* A second parser of HTTP dates. It takes the fields from the columns of each form, writes the date
   again with printf, and compares the texts. SPDX-License-Identifier: MIT */
#ifndef DATES_H
#define DATES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const date_months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
static const char *const date_days[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday" };

/* printf's arguments are the name of the day, the day, the month, the year, the hour, the minute
   and the second. The columns are counted from the end of the name. */
static const struct date_form {
    const char *written;
    bool whole_name, short_year;
    int day, month, year, hour;
} date_forms[] = {
#define RFC5322 "%1$.3s, %2$02d %3$s %4$04d %5$02d:%6$02d:%7$02d "
    { RFC5322 "GMT", false, false, 2, 5, 9, 14 },
    { RFC5322 "UTC", false, false, 2, 5, 9, 14 },
    { RFC5322 "+0000", false, false, 2, 5, 9, 14 },
    { RFC5322 "-0000", false, false, 2, 5, 9, 14 },
    { "%1$s, %2$02d-%3$s-%4$02d %5$02d:%6$02d:%7$02d GMT", true, true, 2, 5, 9, 12 },
    { "%1$.3s %3$s %2$2d %5$02d:%6$02d:%7$02d %4$04d", false, false, 5, 1, 17, 8 },
    { "%1$.3s %3$s %2$02d %5$02d:%6$02d:%7$02d %4$04d", false, false, 5, 1, 17, 8 },
};

/* What is no digit counts as 0: the comparison of the texts refuses it, or it is a blank before
   a day. */
static inline int two_digits(const char *text)
{
    int ten = text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : 0;
    return ten * 10 + (text[1] >= '0' && text[1] <= '9' ? text[1] - '0' : 0);
}

/* The text has 64 bytes, and zeros at its end. */
static inline bool reads(const char *text, const struct date_form *form, const char *name,
                         struct tm *tm)
{
    const char *at = text + (form->whole_name ? strlen(name) : 3);
    char written[128];
    tm->tm_mday = two_digits(at + form->day);
    for (tm->tm_mon = 11; tm->tm_mon > 0; tm->tm_mon--)
        if (strncmp(at + form->month, date_months[tm->tm_mon], 3) == 0)
            break;
    tm->tm_year = two_digits(at + form->year);
    if (!form->short_year)
        tm->tm_year = tm->tm_year * 100 + two_digits(at + form->year + 2);
    tm->tm_hour = two_digits(at + form->hour);
    tm->tm_min = two_digits(at + form->hour + 3);
    tm->tm_sec = two_digits(at + form->hour + 6);
    snprintf(written, sizeof written, form->written, name, tm->tm_mday, date_months[tm->tm_mon],
             tm->tm_year, tm->tm_hour, tm->tm_min, tm->tm_sec);
    return strcmp(written, text) == 0;
}

/* A later moment has a higher number: its digits are those of the fields. */
static inline int64_t digits_of(const struct tm *tm)
{
    int64_t day = (tm->tm_year * INT64_C(100) + tm->tm_mon) * 100 + tm->tm_mday;
    return ((day * 100 + tm->tm_hour) * 100 + tm->tm_min) * 100 + tm->tm_sec;
}

/* The latest of the years 0000..9999 that ends in these digits and is no more than 50 years after
   now_s; or the first, if all are. */
static inline void settle_century(struct tm *tm, int64_t now_s)
{
    time_t now = (time_t)now_s;
    struct tm in_50_years;
    gmtime_r(&now, &in_50_years);
    in_50_years.tm_year += 50 + 1900;
    tm->tm_year += 9900;
    while (tm->tm_year >= 100 && digits_of(tm) > digits_of(&in_50_years))
        tm->tm_year -= 100;
}

static inline int days_of_month(int year, int month)   /* 0 to 11 */
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month] + (month == 1 && leap);
}

/* Month by month in a cycle of 400 years, because timegm of macOS knows no year before 1900. */
static inline int64_t unix_time(const struct tm *tm)
{
    int year = tm->tm_year / 400 * 400, month = 0;
    int64_t days = -INT64_C(719528) + tm->tm_year / 400 * INT64_C(146097) + tm->tm_mday - 1;
    for (; year < tm->tm_year || month < tm->tm_mon; month = (month + 1) % 12, year += month == 0)
        days += days_of_month(year, month);
    return ((days * 24 + tm->tm_hour) * 60 + tm->tm_min) * 60 + tm->tm_sec;
}

/* A year of two digits needs now_s. */
static inline bool model_date(const char *text, int64_t now_s, int64_t *unix_s)
{
    const size_t forms = sizeof date_forms / sizeof *date_forms;
    char copy[64] = "";
    struct tm tm = { 0 };
    size_t i = 0;
    if (strlen(text) >= sizeof copy - 30)
        return false;
    strcpy(copy, text);
    while (i < forms * 7 && !reads(copy, &date_forms[i % forms], date_days[i / forms], &tm))
        i++;
    if (i == forms * 7)
        return false;
    if (date_forms[i % forms].short_year)
        settle_century(&tm, now_s);
    *unix_s = unix_time(&tm);
    return tm.tm_hour <= 23 && tm.tm_min <= 59 && tm.tm_sec <= 60 && tm.tm_mday >= 1
           && tm.tm_mday <= days_of_month(tm.tm_year, tm.tm_mon);
}

#endif
