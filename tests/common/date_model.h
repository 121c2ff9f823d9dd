/* A second parser of HTTP dates. libc reads the text leniently, and the result is written in the
   strict form. It is a date only if that gives the same text.
   SPDX-License-Identifier: MIT */
#ifndef DATE_MODEL_H
#define DATE_MODEL_H

#define _FILE_OFFSET_BITS 64   /* or 32-bit machines have no time_t beyond 2038 */
#define _TIME_BITS 64
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const date_months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
static const char *const date_days[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday" };

/* As scanf reads a form, and as printf writes it. printf's arguments are numbered: the name of the
   day, the day, the month, the year, the hour, the minute and the second. scanf can't number them
   everywhere: NULL is the form of asctime. */
struct date_form {
    const char *read, *written;
    int last_year;
};

#define RFC5322 "%3[A-Za-z], %d %3[A-Za-z] %d %d:%d:%d"
#define RFC5322_IN(zone) { RFC5322, "%1$s, %2$02d %3$s %4$04d %5$02d:%6$02d:%7$02d " zone, 9999 }

static const struct date_form date_forms[] = {
    { "%15[A-Za-z], %d-%3[A-Za-z]-%d %d:%d:%d",   /* the first: its year is short */
      "%1$s, %2$02d-%3$s-%4$02d %5$02d:%6$02d:%7$02d GMT", 99 },
    RFC5322_IN("GMT"), RFC5322_IN("UTC"), RFC5322_IN("+0000"), RFC5322_IN("-0000"),
    { NULL, "%1$s %3$s %2$2d %5$02d:%6$02d:%7$02d %4$04d", 9999 },
    { NULL, "%1$s %3$s %2$02d %5$02d:%6$02d:%7$02d %4$04d", 9999 },
};

struct date_text {
    char text[64];   /* ended by a 0; longer ones are no dates */
    size_t length;
    char day[16], month[4];
    struct tm tm;
};

static inline bool reads(struct date_text *date, const struct date_form *form)
{
    struct tm *tm = &date->tm;
    char written[128];
    int count = form->read ? sscanf(date->text, form->read, date->day, &tm->tm_mday, date->month,
                                    &tm->tm_year, &tm->tm_hour, &tm->tm_min, &tm->tm_sec)
                           : sscanf(date->text, "%3[A-Za-z] %3[A-Za-z] %d %d:%d:%d %d", date->day,
                                    date->month, &tm->tm_mday, &tm->tm_hour, &tm->tm_min,
                                    &tm->tm_sec, &tm->tm_year);
    if (count != 7)
        return false;
    snprintf(written, sizeof written, form->written, date->day, tm->tm_mday, date->month,
             tm->tm_year, tm->tm_hour, tm->tm_min, tm->tm_sec);
    return strlen(written) == date->length && memcmp(written, date->text, date->length) == 0
           && tm->tm_year >= 0 && tm->tm_year <= form->last_year;
}

static inline bool names_are_known(struct date_text *date, bool whole_day)
{
    bool known = false;
    unsigned i;
    for (i = 0; i < 7; i++)
        known |= strncmp(date->day, date_days[i], whole_day ? 16 : 3) == 0;
    for (i = 0; i < 12 && strcmp(date->month, date_months[i]) != 0; i++)
        continue;
    date->tm.tm_mon = (int)i;
    return known && i < 12;
}

/* A later moment has a higher number: its digits are those of the fields. */
static inline int64_t digits_of(const struct tm *tm)
{
    int64_t day = (tm->tm_year * INT64_C(100) + tm->tm_mon) * 100 + tm->tm_mday;
    return ((day * 100 + tm->tm_hour) * 100 + tm->tm_min) * 100 + tm->tm_sec;
}

/* The latest of the years 0000..9999 that ends in these digits and is no more than 50 years after
   now_s. */
static inline void settle_century(struct tm *tm, int64_t now_s)
{
    const int64_t far = INT64_C(400000000000);   /* beyond any of those years */
    time_t now = (time_t)(now_s > far ? far : now_s < -far ? -far : now_s);
    struct tm in_50_years;
    gmtime_r(&now, &in_50_years);
    in_50_years.tm_year += 50 + 1900;
    tm->tm_year += 9900;
    while (tm->tm_year >= 100 && digits_of(tm) > digits_of(&in_50_years))
        tm->tm_year -= 100;
}

static inline bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static inline int days_of_month(int year, int month)   /* 0 to 11 */
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month] + (month == 1 && is_leap(year));
}

static inline bool is_possible(const struct tm *tm)
{
    return (unsigned)tm->tm_hour <= 23 && (unsigned)tm->tm_min <= 59 && (unsigned)tm->tm_sec <= 60
           && tm->tm_mday >= 1 && tm->tm_mday <= days_of_month(tm->tm_year, tm->tm_mon);
}

/* Year by year in a cycle of 400 years, because timegm of macOS knows no year before 1900. */
static inline int64_t unix_time(const struct tm *tm)
{
    int year = tm->tm_year / 400 * 400, month;
    int64_t days = -INT64_C(719528) + tm->tm_year / 400 * INT64_C(146097) + tm->tm_mday - 1;
    for (; year < tm->tm_year; year++)
        days += 365 + is_leap(year);
    for (month = 0; month < tm->tm_mon; month++)
        days += days_of_month(year, month);
    return ((days * 24 + tm->tm_hour) * 60 + tm->tm_min) * 60 + tm->tm_sec;
}

static inline bool model_date(const char *text, size_t length, int64_t now_s, int64_t *unix_s)
{
    struct date_text date;
    unsigned form = 0;
    memset(&date, 0, sizeof date);
    if (length >= sizeof date.text)
        return false;
    memcpy(date.text, text, length);
    date.length = length;
    while (!reads(&date, &date_forms[form]))
        if (++form == sizeof date_forms / sizeof *date_forms)
            return false;
    if (!names_are_known(&date, form == 0))
        return false;
    if (form == 0)
        settle_century(&date.tm, now_s);
    if (!is_possible(&date.tm))
        return false;
    *unix_s = unix_time(&date.tm);
    return true;
}

#endif
