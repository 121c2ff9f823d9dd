/* Parsers of Retry-After and HTTP-date. They use no locale, time zone or time_t.
   SPDX-License-Identifier: MIT */
#include "internal.h"

struct text {
    const char *at, *end;
};

struct date {
    int year, month, day, hour, minute, second; /* month: 0 for January */
    bool two_digits; /* year is 0..99, without its century */
};

static bool literal(struct text *text, char c)
{
    if (text->at == text->end || *text->at != c)
        return false;
    text->at++;
    return true;
}

static bool digit(struct text *text, int *value)
{
    if (text->at == text->end || *text->at < '0' || *text->at > '9')
        return false;
    *value = *text->at++ - '0';
    return true;
}

static bool number(struct text *text, int digits, int *value)
{
    int next;
    for (*value = 0; digits > 0; digits--) {
        if (!digit(text, &next))
            return false;
        *value = *value * 10 + next;
    }
    return true;
}

/* Reads one of the words. If letters is not 0, it reads only that many first letters of one. */
static bool word(struct text *text, const char *const words[], int count, int letters, int *index)
{
    for (*index = 0; *index < count; ++*index) {
        struct text rest = *text;
        const char *c = words[*index];
        const char *end = letters ? c + letters : NULL;
        while (c != end && *c && literal(&rest, *c))
            c++;
        if (c == end || !*c) {
            *text = rest;
            return true;
        }
    }
    return false;
}

/* Reads one field of a date. letter names the field as in strptime(). */
static bool field(struct text *text, char letter, struct date *date)
{
    static const char *const days[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday" };
    static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    int ignored;
    switch (letter) {
    case 'a':
        return word(text, days, 7, 3, &ignored);
    case 'A':
        return word(text, days, 7, 0, &ignored);
    case 'b':
        return word(text, months, 12, 3, &date->month);
    case 'e':
        return literal(text, ' ') ? number(text, 1, &date->day) : number(text, 2, &date->day);
    case 'd':
        return number(text, 2, &date->day);
    case 'H':
        return number(text, 2, &date->hour);
    case 'M':
        return number(text, 2, &date->minute);
    case 'S':
        return number(text, 2, &date->second);
    case 'y':
        date->two_digits = true;
        return number(text, 2, &date->year);
    default: /* 'Y' */
        return number(text, 4, &date->year);
    }
}

static bool matches(struct text text, const char *form, struct date *date)
{
    date->two_digits = false; /* each form sets all others */
    for (; *form; form++)
        if (*form == '%' ? !field(&text, *++form, date) : !literal(&text, *form))
            return false;
    return text.at == text.end;
}

/* Days since 1 March of the year -400 in the Gregorian calendar. month 12 is the next January. A
   year starts in March here, so that a leap day is its last day. */
static int32_t days_to(int32_t year, int month, int day)
{
    int32_t y = year + 400 - (month < 2), m = month < 2 ? month + 10 : month - 2;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

static int64_t seconds_to(const struct date *date, int32_t year)
{
    int64_t days = days_to(year, date->month, date->day) - days_to(1970, 0, 1);
    return days * 86400 + date->hour * (int32_t)3600 + date->minute * 60 + date->second;
}

/* The latest century that puts the date no more than 50 years after now_s. */
static int32_t with_century(struct date date, int64_t now_s)
{
    static const struct date march = { 0, 2, 1, 0, 0, 0, true };
    int32_t year = date.year + 9900;
    /* No leap year is 50 years after a leap year, so compare 1 March. */
    if (date.month == 1 && date.day == 29)
        date = march;
    while (year >= 100 && seconds_to(&date, year - 50) > now_s)
        year -= 100;
    return year;
}

bool redial_parse_http_date(const char *text, size_t length, int64_t now_s, int64_t *unix_s)
{
    static const char *const forms[] = { "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
                                         "%a %b %e %H:%M:%S %Y" };
    struct text whole;
    struct date date;
    int32_t year;
    unsigned i = 0;
    if (!text)
        return false;
    whole.at = text;
    whole.end = text + length;
    while (!matches(whole, forms[i], &date))
        if (++i == sizeof forms / sizeof *forms)
            return false;
    year = date.two_digits ? with_century(date, now_s) : date.year;
    if (date.hour > 23 || date.minute > 59 || date.second > 60)
        return false;
    if (date.day < 1 || date.day > days_to(year, date.month + 1, 1) - days_to(year, date.month, 1))
        return false;
    *unix_s = seconds_to(&date, year);
    return true;
}

#define LONGEST_S (UINT32_MAX / 1000) /* more seconds, in milliseconds, do not fit into 32 bits */

uint32_t redial_seconds_ms(int64_t seconds)
{
    if (seconds <= 0)
        return 0;
    return seconds > LONGEST_S ? UINT32_MAX : (uint32_t)seconds * 1000;
}

static bool whole_seconds(struct text *text, uint32_t *seconds)
{
    int next;
    if (!digit(text, &next))
        return false;
    *seconds = 0;
    do
        if (*seconds <= LONGEST_S)
            *seconds = *seconds * 10 + (uint32_t)next;
    while (digit(text, &next));
    return true;
}

/* Reads the digits after the point, and rounds them up to whole milliseconds: 0 to 1000. */
static bool fraction_ms(struct text *text, uint32_t *ms)
{
    bool more = false;
    int places = 0, next;
    if (!digit(text, &next))
        return false;
    *ms = 0;
    do {
        if (places == 3) {
            more = more || next > 0;
        } else {
            *ms = *ms * 10 + (uint32_t)next;
            places++;
        }
    } while (digit(text, &next));
    for (; places < 3; places++)
        *ms *= 10;
    *ms += more;
    return true;
}

static bool delay_seconds(struct text text, uint32_t *retry_after_ms)
{
    uint32_t seconds, ms = 0;
    if (!whole_seconds(&text, &seconds))
        return false;
    if (literal(&text, '.') && !fraction_ms(&text, &ms))
        return false;
    if (text.at != text.end)
        return false;
    *retry_after_ms = redial_saturating_add(redial_seconds_ms(seconds), ms);
    return true;
}

static uint32_t seconds_until(int64_t unix_s, int64_t now_s)
{
    if (unix_s <= now_s)
        return 0;
    return now_s < unix_s - LONGEST_S ? LONGEST_S + 1 : (uint32_t)(unix_s - now_s);
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool date_of(struct text value, int64_t now_s, int64_t *unix_s)
{
    return redial_parse_http_date(value.at, (size_t)(value.end - value.at), now_s, unix_s);
}

bool redial_parse_retry_after(const char *text, size_t length, int64_t now_s,
                              uint32_t *retry_after_ms)
{
    struct text value;
    int64_t unix_s;
    if (!text)
        return false;
    value.at = text;
    value.end = text + length;
    while (value.at != value.end && blank(*value.at))
        value.at++;
    while (value.at != value.end && blank(value.end[-1]))
        value.end--;
    if (delay_seconds(value, retry_after_ms))
        return true;
    if (!date_of(value, now_s, &unix_s))
        return false;
    *retry_after_ms = redial_seconds_ms(seconds_until(unix_s, now_s));
    return true;
}

/* The value of a header, without the blanks around it. */
static struct text value_of(const char *header)
{
    struct text value;
    while (blank(*header))
        header++;
    value.at = value.end = header;
    for (; *header; header++)
        if (!blank(*header))
            value.end = header + 1;
    return value;
}

uint32_t redial_headers_ms(const char *retry_after, const char *date)
{
    struct text value;
    uint32_t ms;
    int64_t end_s, now_s;
    if (!retry_after)
        return 0;
    value = value_of(retry_after);
    if (delay_seconds(value, &ms))
        return ms;
    /* Each date gives the other one its century, if that has two digits. If both have, any century
       will do. */
    if (!date || !date_of(value, 0, &end_s) || !date_of(value_of(date), end_s, &now_s)
        || !date_of(value, now_s, &end_s))
        return 0;
    return redial_seconds_ms(seconds_until(end_s, now_s));
}
