/* A second parser of HTTP dates. libc reads the text leniently, and the result is written in the strict form. It is a
   date only if that gives the same text.
   SPDX-License-Identifier: MIT */
#ifndef DATE_MODEL_H
#define DATE_MODEL_H

#define _FILE_OFFSET_BITS 64   /* or 32-bit machines have no time_t beyond 2038 */
#define _TIME_BITS 64
#include <time.h>

#include "fuzz.h"

static const char *const date_months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                                           "Dec" };
static const char *const date_days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
                                         "Saturday" };

struct date_text {
    char text[64];   /* ended by a 0; longer ones are no dates */
    size_t length;
    char day[16], month[4];
    struct tm tm;
};

static inline bool is_same(const struct date_text *date, const char *written)
{
    return strlen(written) == date->length && memcmp(written, date->text, date->length) == 0;
}

static inline bool reads_imf(struct date_text *date)
{
    struct tm *tm = &date->tm;
    char written[128];
    if (sscanf(date->text, "%3[A-Za-z], %d %3s %d %d:%d:%d", date->day, &tm->tm_mday, date->month, &tm->tm_year,
               &tm->tm_hour, &tm->tm_min, &tm->tm_sec) != 7)
        return false;
    snprintf(written, sizeof written, "%s, %02d %s %04d %02d:%02d:%02d GMT", date->day, tm->tm_mday, date->month,
             tm->tm_year, tm->tm_hour, tm->tm_min, tm->tm_sec);
    return is_same(date, written) && tm->tm_year <= 9999;
}

static inline bool reads_rfc850(struct date_text *date)
{
    struct tm *tm = &date->tm;
    char written[128];
    if (sscanf(date->text, "%15[A-Za-z], %d-%3[A-Za-z]-%d %d:%d:%d", date->day, &tm->tm_mday, date->month,
               &tm->tm_year, &tm->tm_hour, &tm->tm_min, &tm->tm_sec) != 7)
        return false;
    snprintf(written, sizeof written, "%s, %02d-%s-%02d %02d:%02d:%02d GMT", date->day, tm->tm_mday, date->month,
             tm->tm_year, tm->tm_hour, tm->tm_min, tm->tm_sec);
    return is_same(date, written) && tm->tm_year <= 99;
}

static inline bool reads_asctime(struct date_text *date)
{
    struct tm *tm = &date->tm;
    char written[128], also[128];
    if (sscanf(date->text, "%3[A-Za-z] %3s %d %d:%d:%d %d", date->day, date->month, &tm->tm_mday, &tm->tm_hour,
               &tm->tm_min, &tm->tm_sec, &tm->tm_year) != 7)
        return false;
    snprintf(written, sizeof written, "%s %s %2d %02d:%02d:%02d %04d", date->day, date->month, tm->tm_mday, tm->tm_hour,
             tm->tm_min, tm->tm_sec, tm->tm_year);
    snprintf(also, sizeof also, "%s %s %02d %02d:%02d:%02d %04d", date->day, date->month, tm->tm_mday, tm->tm_hour,
             tm->tm_min, tm->tm_sec, tm->tm_year);
    return (is_same(date, written) || is_same(date, also)) && tm->tm_year <= 9999;
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

/* Is a the later moment? It compares field by field. */
static inline bool is_later(const struct tm *a, const struct tm *b)
{
    const int as[] = { a->tm_year, a->tm_mon, a->tm_mday, a->tm_hour, a->tm_min, a->tm_sec };
    const int bs[] = { b->tm_year, b->tm_mon, b->tm_mday, b->tm_hour, b->tm_min, b->tm_sec };
    unsigned i = 0;
    while (i < 5 && as[i] == bs[i])
        i++;
    return as[i] > bs[i];
}

/* The latest of the years 0000..9999 that ends in these digits and is no more than 50 years after now_s. */
static inline void settle_century(struct tm *tm, int64_t now_s)
{
    const int64_t far = INT64_C(400000000000);   /* beyond any of those years */
    time_t now = (time_t)(now_s > far ? far : now_s < -far ? -far : now_s);
    struct tm in_50_years;
    gmtime_r(&now, &in_50_years);
    in_50_years.tm_year += 50 + 1900;
    tm->tm_year += 9900;
    while (tm->tm_year >= 100 && is_later(tm, &in_50_years))
        tm->tm_year -= 100;
}

static inline bool within(int value, int low, int high)
{
    return value >= low && value <= high;
}

static inline bool is_possible(struct tm tm)
{
    struct tm same = tm;
    same.tm_hour = same.tm_min = same.tm_sec = 0;
    timegm(&same);   /* an impossible day becomes another */
    return within(tm.tm_hour, 0, 23) && within(tm.tm_min, 0, 59) && within(tm.tm_sec, 0, 60) &&
           same.tm_mday == tm.tm_mday && same.tm_mon == tm.tm_mon;
}

static inline bool model_date(const char *text, size_t length, int64_t now_s, int64_t *unix_s)
{
    struct date_text date;
    bool rfc850;
    memset(&date, 0, sizeof date);
    if (length >= sizeof date.text)
        return false;
    memcpy(date.text, text, length);
    date.length = length;
    rfc850 = reads_rfc850(&date);
    if (!rfc850 && !reads_imf(&date) && !reads_asctime(&date))
        return false;
    if (!names_are_known(&date, rfc850) || date.tm.tm_year < 0)
        return false;
    if (rfc850)
        settle_century(&date.tm, now_s);
    date.tm.tm_year -= 1900;
    if (!is_possible(date.tm))
        return false;
    *unix_s = timegm(&date.tm);
    return true;
}

#endif
