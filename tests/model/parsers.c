/* Random values of Retry-After and Date, most of them nearly valid: redial_retry_after_ms reads
   them as a second parser does. It needs POSIX, for dates of all centuries.
   SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "bytes.h"
#include "dates.h"
#include "machine.h"

#define DIGITS "0123456789"

static unsigned long readings, waits;   /* values that were compared, and that asked for a wait */

/* ---- the second parser ---- */

/* Any number of digits before and after the point. The value is a double: it is exact up to 2^53,
   far beyond what fits. */
static bool model_seconds(const char *text, uint32_t *retry_after_ms)
{
    size_t whole = strspn(text, DIGITS), places = 0, i;
    const char *fraction = text + whole + (text[whole] == '.');
    double ms = 0;
    if (text[whole])
        places = strspn(fraction, DIGITS);
    if (whole == 0 || (text[whole] && (text[whole] != '.' || places == 0 || fraction[places])))
        return false;
    for (i = 0; i < whole; i++)
        ms = ms * 10 + (text[i] - '0');
    for (i = 0; i < 3; i++)
        ms = ms * 10 + (i < places ? fraction[i] - '0' : 0);
    if (places > 3 && fraction[3 + strspn(fraction + 3, "0")])
        ms++;
    *retry_after_ms = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
    return true;
}

/* A copy without the blanks around it. */
static char *value_of(const char *header)
{
    const char *start = header + strspn(header, " \t\r\n");
    size_t length = strlen(start);
    while (length > 0 && strchr(" \t\r\n", start[length - 1]))
        length--;
    return strndup(start, length);
}

static uint32_t model_retry_after(const char *retry_after, const char *date)
{
    uint32_t ms = 0;
    int64_t then_s, now_s;
    if (model_seconds(retry_after, &ms))
        return ms;
    if (!model_date(retry_after, 0, &then_s) || !model_date(date, then_s, &now_s)
        || !model_date(retry_after, now_s, &then_s) || then_s <= now_s)
        return 0;
    return then_s - now_s > 4294967 ? UINT32_MAX : (uint32_t)(then_s - now_s) * 1000;
}

/* ---- the values ---- */

/* A few bytes go, come or change. It has memory of its own, so that a byte too far on either side
   is seen. */
static char *changed(struct bytes *bytes, const char *text)
{
    static const char likely[] = "0123456789 .,:-\t\r\nGMTSunMonTuesWdhrFiayJbApgcNvDC+";
    char *value = strdup(text), *longer;
    unsigned changes = byte(bytes) % 4;
    for (; changes > 0; changes--) {
        size_t length = strlen(value), at = byte(bytes) % (length + 1), kind = byte(bytes);
        char c = (char)byte(bytes);
        if (kind % 16)
            c = likely[(unsigned char)c % (sizeof likely - 1)];
        longer = malloc(length + 2);
        memcpy(longer, value, at);
        longer[at] = c;
        /* the rest: a byte was inserted, replaced or removed */
        strcpy(longer + at + (kind < 192), value + at + (kind >= 64 && at < length));
        free(value);
        value = strdup(longer);
        free(longer);
    }
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Most dates are close to another one, or 50 years apart. */
    static const char *const values[] = {
        "120", "4294967.295", "0.00100", " \t7\r\n",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 UTC",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-44 08:49:37 GMT",
        "Mon, 26 Dec 1994 01:52:24 -0000", "Tue, 29 Feb 2000 23:59:59 +0000",
        "Tuesday, 29-Feb-00 00:00:00 GMT", "Tuesday, 01-Mar-50 00:00:00 GMT",
        "Fri, 31 Dec 1999 23:59:60 GMT", "Sat Jan  1 00:00:00 2000", "Sat Jan 01 00:00:00 0000",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    };
    const unsigned count = sizeof values / sizeof *values;
    struct bytes bytes = { data, data + size };
    unsigned first = byte(&bytes) % count, second = byte(&bytes) % count;
    char *retry_after = changed(&bytes, values[first]), *date = changed(&bytes, values[second]);
    char *trimmed = value_of(retry_after), *trimmed_date = value_of(date);
    uint32_t expected = model_retry_after(trimmed, trimmed_date);
    same(retry_after, redial_retry_after_ms(retry_after, date), expected);
    readings++;
    waits += expected > 0;
    free(retry_after);
    free(trimmed);
    free(date);
    free(trimmed_date);
    return 0;
}
