/* Random values of Retry-After and Date: redial_retry_after_ms reads what printf and strftime have
   written. A value with changed bytes may come to anything, but a sanitizer sees each byte that is
   read beside it. It needs POSIX. SPDX-License-Identifier: MIT */
#ifndef PARSERS_H
#define PARSERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inputs.h"

static unsigned long readings, waits;   /* values that were compared, and that asked for a wait */

/* Writes seconds with up to six digits after the point. Returns what they are in milliseconds. */
static uint64_t some_seconds(struct bytes *bytes, char *text)
{
    static const uint32_t units[] = { 1000000, 100000, 10000, 1000, 100, 10, 1 };
    unsigned places = byte(bytes) % 7;
    uint64_t whole = number(bytes), part = number(bytes) % (1000000 / units[places]);
    if (places == 0)
        sprintf(text, "%lu", (unsigned long)whole);
    else
        sprintf(text, "%lu.%0*lu", (unsigned long)whole, (int)places, (unsigned long)part);
    return whole * 1000 + (part * units[places] + 999) / 1000;
}

enum { TWO_DIGITS, FORMS = 7 };

static void write_date(char *text, size_t size, unsigned form, int64_t unix_s)
{
    static const char *const forms[FORMS] = {
        "%A, %d-%b-%y %H:%M:%S GMT", "%a, %d %b %Y %H:%M:%S GMT", "%a, %d %b %Y %H:%M:%S UTC",
        "%a, %d %b %Y %H:%M:%S +0000", "%a, %d %b %Y %H:%M:%S -0000", "%a %b %e %H:%M:%S %Y",
        "%a %b %d %H:%M:%S %Y"
    };
    time_t time = (time_t)unix_s;
    struct tm fields;
    gmtime_r(&time, &fields);
    same("a date was written", strftime(text, size, forms[form], &fields) > 0, true);
}

/* Writes two dates of the years 1200 to 9800. Returns the milliseconds from the second to the
   first. A year of two digits needs another date in the same 50 years, with four digits. */
static uint64_t some_dates(struct bytes *bytes, char *text, char *date, size_t size)
{
    const uint32_t fifty_years_s = UINT32_C(18261) * 86400;
    unsigned form = byte(bytes) % FORMS, date_form = byte(bytes) % FORMS;
    int64_t then_s = -INT64_C(24298790400) + number(bytes) * INT64_C(63) + byte(bytes) % 63;
    int64_t gap_s = number(bytes) >> byte(bytes) % 32;
    date_form += form == TWO_DIGITS && date_form == TWO_DIGITS;
    if (form == TWO_DIGITS || date_form == TWO_DIGITS)
        gap_s %= fifty_years_s;
    gap_s = byte(bytes) < 64 ? -gap_s : gap_s;
    write_date(text, size, form, then_s);
    write_date(date, size, date_form, then_s - gap_s);
    return gap_s > 0 ? (uint64_t)gap_s * 1000 : 0;
}

/* A copy with blanks around it. It has memory of its own, so that a byte too far on either side is
   seen. */
static char *header_of(struct bytes *bytes, const char *text)
{
    static const char blanks[] = "\r\n\t ";
    char value[80];
    snprintf(value, sizeof value, "%s%s%s", blanks + byte(bytes) % sizeof blanks, text,
             blanks + byte(bytes) % sizeof blanks);
    return strdup(value);
}

static void parsers_history(struct bytes *bytes)
{
    char text[40], date[40] = "";
    uint64_t ms = byte(bytes) % 4 ? some_dates(bytes, text, date, sizeof text)
                                   : some_seconds(bytes, text);
    char *value = header_of(bytes, text), *now = header_of(bytes, date);
    ms = wide_min(ms, UINT32_MAX);
    same(value, redial_retry_after_ms(value, now), ms);
    readings++;
    waits += ms > 0;
    value[byte(bytes) % strlen(value)] = (char)byte(bytes);
    (void)redial_retry_after_ms(value, now);
    (void)redial_retry_after_ms(text, value);
    free(value);
    free(now);
}

#endif
