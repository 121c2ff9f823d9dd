/* Fuzz target: compares the parsers with second implementations. SPDX-License-Identifier: MIT */
#include "../common/date_model.h"
#include "fuzz.h"

static size_t count_digits(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[count] && strchr("0123456789", text[count]))
        count++;
    return count;
}

/* Seconds with any number of digits before and after the point. The value is a double: it is exact
   up to 2^53, far beyond what fits. */
static bool model_seconds(const char *text, size_t length, uint32_t *retry_after_ms)
{
    size_t whole = count_digits(text, length), places = 0, i;
    double ms = 0;
    bool more = false;
    if (whole < length) {
        places = count_digits(text + whole + 1, length - whole - 1);
        if (text[whole] != '.' || places == 0 || whole + 1 + places != length)
            return false;
    }
    for (i = 0; i < whole; i++)
        ms = ms * 10 + (text[i] - '0');
    for (i = 0; i < 3; i++)
        ms = ms * 10 + (i < places ? text[whole + 1 + i] - '0' : 0);
    for (i = 3; i < places; i++)
        more |= text[whole + 1 + i] != '0';
    ms += more;
    *retry_after_ms = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
    return whole > 0;
}

static const char *without_blanks(const char *text, size_t *length)
{
    for (; *length > 0 && strchr(" \t\r\n", *text) && *text; --*length)
        text++;
    while (*length > 0 && strchr(" \t\r\n", text[*length - 1]) && text[*length - 1])
        --*length;
    return text;
}

static bool model_retry_after(const char *text, size_t length, int64_t now_s,
                              uint32_t *retry_after_ms)
{
    int64_t unix_s;
    text = without_blanks(text, &length);
    if (model_seconds(text, length, retry_after_ms))
        return true;
    if (!model_date(text, length, now_s, &unix_s))
        return false;
    *retry_after_ms = 0;
    if (unix_s > now_s) {
        uint64_t left_s = (uint64_t)unix_s - (uint64_t)now_s;   /* which always fits */
        *retry_after_ms = left_s > 4294967 ? UINT32_MAX : (uint32_t)left_s * 1000;
    }
    return true;
}

/* At the second now_s by the header Date, if that can say it. A value ends at its first NUL. */
static void read_retry_after(const char *text, size_t length, int64_t now_s)
{
    char *value = strndup(text, length), date[80];
    time_t now = (time_t)now_s;
    uint32_t expected;
    must(value);
    if (now_s >= -INT64_C(62167219200) && now_s < INT64_C(253402300800)) {
        const struct tm *tm = gmtime(&now);
        snprintf(date, sizeof date, "Sun, %02d %s %04d %02d:%02d:%02d GMT", tm->tm_mday,
                 date_months[tm->tm_mon], tm->tm_year + 1900, tm->tm_hour, tm->tm_min, tm->tm_sec);
        if (!model_retry_after(value, strlen(value), now_s, &expected))
            expected = 0;
        must(redial_retry_after_ms(value, date) == expected);
    }
    free(value);
}

static uint32_t model_headers(const char *retry_after, const char *date)
{
    size_t length = strlen(retry_after), date_length = strlen(date);
    uint32_t ms;
    int64_t then_s, now_s;
    retry_after = without_blanks(retry_after, &length);
    date = without_blanks(date, &date_length);
    if (model_seconds(retry_after, length, &ms))
        return ms;
    if (!model_date(retry_after, length, 0, &then_s)
        || !model_date(date, date_length, then_s, &now_s))
        return 0;
    return model_retry_after(retry_after, length, now_s, &ms) ? ms : 0;
}

/* The wait until a date, at a moment from which it fits, so that the very second counts. */
static void read_date(const char *text, size_t length, int64_t now_s)
{
    int64_t unix_s;
    if (model_date(text, length, now_s, &unix_s))
        read_retry_after(text, length, unix_s - (int64_t)((uint64_t)now_s % 4294967));
}

/* The values of two headers: the first line of the text, and the rest. A value ends at its first
   NUL, too. */
static void read_headers(const char *text, size_t length)
{
    const char *line = memchr(text, '\n', length);
    size_t first = line ? (size_t)(line - text) : length, skipped = line ? first + 1 : length;
    char *retry_after = strndup(text, first), *date = strndup(text + skipped, length - skipped);
    must(retry_after && date);
    must(redial_retry_after_ms(retry_after, date) == model_headers(retry_after, date));
    free(retry_after);
    free(date);
}

/* Any time, or one close to the date or to 50 years before it, where the result changes. */
static int64_t some_now(unsigned choice, int64_t value, const char *text, size_t length)
{
    /* with 12 or 13 leap days */
    const int64_t years_50_s = INT64_C(86400) * (choice & 2 ? 18262 : 18263);
    int64_t unix_s;
    if (choice < 128 || !model_date(text, length, 0, &unix_s))
        return value >> choice % 64;
    return unix_s + value % 4 - (choice & 1 ? years_50_s : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = { data, data + size };
    unsigned choice = byte(&bytes);
    int64_t now_s = (int64_t)word(&bytes, 8);
    size_t length = (size_t)(bytes.end - bytes.at);
    /* It has memory of its own, so that a byte too far on either side is seen. */
    char *text = malloc(length + !length);
    must(text);
    memcpy(text, bytes.at, length);
    now_s = some_now(choice, now_s, text, length);
    read_date(text, length, now_s);
    read_retry_after(text, length, now_s);
    read_headers(text, length);
    free(text);
    return 0;
}
