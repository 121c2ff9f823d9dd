/* Parsers of Retry-After and HTTP-date. They use no locale, time zone or time_t.
   SPDX-License-Identifier: MIT */
#include "internal.h"

struct redial_text_ {
    const char *at, *end;
};

struct redial_date_ {
    int year, month, day, hour, minute, second; /* month: 0 for January */
    bool two_digits; /* year is 0..99, without its century */
};

static bool redial_literal_(struct redial_text_ *text, char c)
{
    if (text->at == text->end || *text->at != c)
        return false;
    text->at++;
    return true;
}

static bool redial_digit_(struct redial_text_ *text, int *value)
{
    if (text->at == text->end || *text->at < '0' || *text->at > '9')
        return false;
    *value = *text->at++ - '0';
    return true;
}

static bool redial_number_(struct redial_text_ *text, int digits, int *value)
{
    int next;
    for (*value = 0; digits > 0; digits--) {
        if (!redial_digit_(text, &next))
            return false;
        *value = *value * 10 + next;
    }
    return true;
}

/* Reads one of the words. If letters is not 0, it reads only that many first letters of one. */
static bool redial_word_(struct redial_text_ *text, const char *const words[], int count,
                         int letters, int *index)
{
    for (*index = 0; *index < count; ++*index) {
        struct redial_text_ rest = *text;
        const char *c = words[*index];
        const char *end = letters ? c + letters : NULL;
        while (c != end && *c && redial_literal_(&rest, *c))
            c++;
        if (c == end || !*c) {
            *text = rest;
            return true;
        }
    }
    return false;
}

/* Reads one field of a date. letter names the field as in strptime(). */
static bool redial_field_(struct redial_text_ *text, char letter, struct redial_date_ *date)
{
    static const char *const days[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday" };
    static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    /* RFC 9110 knows GMT alone. Python's formatdate writes -0000. */
    static const char *const zones[] = { "GMT", "UTC", "+0000", "-0000" };
    int ignored;
    switch (letter) {
    case 'a':
        return redial_word_(text, days, 7, 3, &ignored);
    case 'A':
        return redial_word_(text, days, 7, 0, &ignored);
    case 'b':
        return redial_word_(text, months, 12, 3, &date->month);
    case 'e':
        return redial_literal_(text, ' ') ? redial_number_(text, 1, &date->day)
                                          : redial_number_(text, 2, &date->day);
    case 'd':
        return redial_number_(text, 2, &date->day);
    case 'H':
        return redial_number_(text, 2, &date->hour);
    case 'M':
        return redial_number_(text, 2, &date->minute);
    case 'S':
        return redial_number_(text, 2, &date->second);
    case 'y':
        date->two_digits = true;
        return redial_number_(text, 2, &date->year);
    case 'Z':
        return redial_word_(text, zones, 4, 0, &ignored);
    default: /* 'Y' */
        return redial_number_(text, 4, &date->year);
    }
}

static bool redial_matches_(struct redial_text_ text, const char *form, struct redial_date_ *date)
{
    date->two_digits = false; /* each form sets all others, and gcc 11 does not see that */
    date->year = date->month = date->day = date->hour = date->minute = date->second = 0;
    for (; *form; form++)
        if (*form == '%' ? !redial_field_(&text, *++form, date) : !redial_literal_(&text, *form))
            return false;
    return text.at == text.end;
}

/* Days since 1 March of the year -400 in the Gregorian calendar. month 12 is the next January. A
   year starts in March here, so that a leap day is its last day. */
static int32_t redial_days_to_(int32_t year, int month, int day)
{
    int32_t y = year + 400 - (month < 2), m = month < 2 ? month + 10 : month - 2;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

static int32_t redial_days_in_(int32_t year, int month)
{
    return redial_days_to_(year, month + 1, 1) - redial_days_to_(year, month, 1);
}

static int64_t redial_seconds_to_(const struct redial_date_ *date, int32_t year)
{
    int64_t days = redial_days_to_(year, date->month, date->day) - redial_days_to_(1970, 0, 1);
    return days * 86400 + date->hour * (int32_t)3600 + date->minute * 60 + date->second;
}

/* The latest century that puts the date no more than 50 years after now_s. */
static int32_t redial_with_century_(const struct redial_date_ *date, int64_t now_s)
{
    static const struct redial_date_ march = { 0, 2, 1, 0, 0, 0, true };
    int32_t year = date->year + 9900;
    /* No leap year is 50 years after a leap year, so compare 1 March. */
    if (date->month == 1 && date->day == 29)
        date = &march;
    while (year >= 100 && redial_seconds_to_(date, year - 50) > now_s)
        year -= 100;
    return year;
}

/* The forms of RFC 9110, 5.6.7. now_s gives a two-digit year its century. */
static bool redial_parse_date_(struct redial_text_ text, int64_t now_s, int64_t *unix_s)
{
    static const char *const forms[] = { "%a, %d %b %Y %H:%M:%S %Z", "%A, %d-%b-%y %H:%M:%S GMT",
                                         "%a %b %e %H:%M:%S %Y" };
    struct redial_date_ date;
    int32_t year;
    unsigned i = 0;
    while (!redial_matches_(text, forms[i], &date))
        if (++i == sizeof forms / sizeof *forms)
            return false;
    year = date.two_digits ? redial_with_century_(&date, now_s) : date.year;
    if (date.hour > 23 || date.minute > 59 || date.second > 60)
        return false;
    if (date.day < 1 || date.day > redial_days_in_(year, date.month))
        return false;
    *unix_s = redial_seconds_to_(&date, year);
    return true;
}

/* More seconds, in milliseconds, do not fit into 32 bits. */
#define REDIAL_LONGEST_S_ (UINT32_MAX / 1000)

static uint32_t redial_whole_ms_(int64_t seconds)
{
    if (seconds <= 0)
        return 0;
    return seconds > REDIAL_LONGEST_S_ ? UINT32_MAX : (uint32_t)seconds * 1000;
}

static bool redial_whole_seconds_(struct redial_text_ *text, uint32_t *seconds)
{
    int next;
    if (!redial_digit_(text, &next))
        return false;
    *seconds = 0;
    do
        if (*seconds <= REDIAL_LONGEST_S_)
            *seconds = *seconds * 10 + (uint32_t)next;
    while (redial_digit_(text, &next));
    return true;
}

/* Reads the digits after the point, and rounds them up to whole milliseconds: 0 to 1000. */
static bool redial_fraction_ms_(struct redial_text_ *text, uint32_t *ms)
{
    bool more = false;
    int places = 0, next;
    if (!redial_digit_(text, &next))
        return false;
    *ms = 0;
    do {
        if (places == 3) {
            more = more || next > 0;
        } else {
            *ms = *ms * 10 + (uint32_t)next;
            places++;
        }
    } while (redial_digit_(text, &next));
    for (; places < 3; places++)
        *ms *= 10;
    *ms += more;
    return true;
}

static bool redial_delay_seconds_(struct redial_text_ text, uint32_t *retry_after_ms)
{
    uint32_t seconds, ms = 0;
    if (!redial_whole_seconds_(&text, &seconds))
        return false;
    if (redial_literal_(&text, '.') && !redial_fraction_ms_(&text, &ms))
        return false;
    if (text.at != text.end)
        return false;
    *retry_after_ms = redial_saturating_add_(redial_whole_ms_(seconds), ms);
    return true;
}

static uint32_t redial_seconds_until_(int64_t unix_s, int64_t now_s)
{
    if (unix_s <= now_s)
        return 0;
    return now_s < unix_s - REDIAL_LONGEST_S_ ? REDIAL_LONGEST_S_ + 1 : (uint32_t)(unix_s - now_s);
}

static bool redial_blank_(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The value of a header, without the blanks around it. */
static struct redial_text_ redial_value_of_(const char *header)
{
    struct redial_text_ value;
    while (redial_blank_(*header))
        header++;
    value.at = value.end = header;
    for (; *header; header++)
        if (!redial_blank_(*header))
            value.end = header + 1;
    return value;
}

uint32_t redial_retry_after_ms(const char *retry_after, const char *date)
{
    struct redial_text_ value;
    uint32_t ms;
    int64_t end_s, now_s;
    if (!retry_after)
        return 0;
    value = redial_value_of_(retry_after);
    if (redial_delay_seconds_(value, &ms))
        return ms;
    /* Each date gives the other one its century, if that has two digits. If both have, any century
       will do. */
    if (!date || !redial_parse_date_(value, 0, &end_s)
        || !redial_parse_date_(redial_value_of_(date), end_s, &now_s)
        || !redial_parse_date_(value, now_s, &end_s))
        return 0;
    return redial_whole_ms_(redial_seconds_until_(end_s, now_s));
}
