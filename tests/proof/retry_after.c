/* src/retry_after.c reads within a text of up to 32 bytes of any content, and writes on success alone.
   SPDX-License-Identifier: MIT

   The calendar is proven by itself to stay in the ranges that some_days, some_seconds and some_century give back; these
   in turn prove that they are asked for no more than that. So do whole_seconds and fraction_ms. */
#include "proof.h"

#include "../../src/retry_after.c"

#define LONGEST_TEXT 32

/* ---- the calendar ---- */

/* No day that can be written is later. */
#define LAST_DAY 3798694

void days_keep_their_range(void)
{
    int32_t year = nondet_int(), days;
    int month = nondet_int(), day = nondet_int();
    assume(year >= 0 && year <= 9999 && month >= 0 && month <= 12 && day >= 0 && day <= 99);
    days = days_to(year, month, day);
    prove(days >= 0 && days <= LAST_DAY);
    reached();
}

int32_t some_days(int32_t year, int month, int day)
{
    int32_t days = nondet_int();
    prove(year >= 0 && year <= 9999 && month >= 0 && month <= 12 && day >= 0 && day <= 99);
    assume(days >= 0 && days <= LAST_DAY);
    return days;
}

static bool is_read(const struct date *date)
{
    return date->year >= 0 && date->year <= 9999 && date->month >= 0 && date->month <= 11 && date->day >= 0
           && date->day <= 99 && date->hour >= 0 && date->hour <= 99 && date->minute >= 0 && date->minute <= 99
           && date->second >= 0 && date->second <= 99;
}

struct date nondet_date(void);

static struct date any_date(void)
{
    struct date date = nondet_date();
    date.two_digits = nondet_bool();   /* in a struct it may be neither */
    assume(is_read(&date));
    return date;
}

void seconds_keep_their_range(void)
{
    struct date date = any_date();
    int32_t year = nondet_int();
    int64_t seconds;
    assume(year >= 0 && year <= 9999);
    seconds = seconds_to(&date, year);
    reached();
    /* some_days knows no calendar: 1970 is any day to it. */
    prove(seconds >= -(int64_t)LAST_DAY * 86400 && seconds <= ((int64_t)LAST_DAY + 5) * 86400);
}

int64_t some_seconds(const struct date *date, int32_t year)
{
    int64_t seconds = nondet_i64();
    prove(is_read(date) && year >= 0 && year <= 9999);
    assume(seconds >= -(int64_t)LAST_DAY * 86400 && seconds <= ((int64_t)LAST_DAY + 5) * 86400);
    return seconds;
}

void century_is_added_to_the_year(void)
{
    struct date date = any_date();
    int32_t year;
    assume(date.year <= 99);
    year = with_century(date, nondet_i64());
    prove(year >= 0 && year <= 9999);
    reached();
}

int32_t some_century(struct date date, int64_t now_s)
{
    int32_t year = nondet_int();
    prove(is_read(&date) && date.year <= 99);
    assume(year >= 0 && year <= 9999);
    return year;
}

/* ---- the texts ---- */

/* A text that ends where its array ends, so that a byte read beyond it is a byte beyond the array. */
static char array[LONGEST_TEXT];

static const char *any_text(size_t length)
{
    unsigned i;
    assume(length <= LONGEST_TEXT);
    for (i = 0; i < LONGEST_TEXT; i++)
        array[i] = nondet_char();
    return array + (LONGEST_TEXT - length);
}

static bool is_within(const struct text *text)
{
    return __CPROVER_same_object(text->at, array) && text->end == array + LONGEST_TEXT
           && __CPROVER_POINTER_OFFSET(text->at) <= LONGEST_TEXT;
}

/* A member holds two digits if a letter set it, and otherwise what it held, which may be anything at first. */
static bool is_set(int now, int before, bool by_letter, int most)
{
    return by_letter ? now >= 0 && now <= most : now == before;
}

static bool one_is_set(const struct date *now, const struct date *before, char letter)
{
    bool year = letter == 'y' || letter == 'Y';
    return is_set(now->year, before->year, year, letter == 'Y' ? 9999 : 99)
           && is_set(now->month, before->month, letter == 'b', 11)
           && is_set(now->day, before->day, letter == 'd' || letter == 'e', 99)
           && is_set(now->hour, before->hour, letter == 'H', 99)
           && is_set(now->minute, before->minute, letter == 'M', 99)
           && is_set(now->second, before->second, letter == 'S', 99)
           && now->two_digits == (before->two_digits || letter == 'y');
}

void field_reads_within_and_moves_on(void)
{
    const char *start = any_text(nondet_size());
    struct text text = { start, array + LONGEST_TEXT };
    struct date date = nondet_date(), before;
    char letter = "aAbedHMSyY"[nondet_u32() % 10];
    date.two_digits = nondet_bool();
    before = date;
    if (field(&text, letter, &date)) {
        prove(is_within(&text) && text.at > start);
        prove(one_is_set(&date, &before, letter));
    }
    reached();
}

bool some_field(struct text *text, char letter, struct date *date)
{
    size_t read = nondet_size();
    struct date before = *date;
    prove(is_within(text));
    *date = nondet_date();
    date->two_digits = nondet_bool();
    if (nondet_bool() || text->at == text->end)
        return false;
    assume(read >= 1 && read <= (size_t)(text->end - text->at));
    text->at += read;
    assume(one_is_set(date, &before, letter));
    return true;
}

void http_date_reads_within_and_writes_on_success(void)
{
    size_t length = nondet_size();
    const char *text = any_text(length);
    int64_t before = nondet_i64(), unix_s = before;
    bool read = redial_parse_http_date(text, length, nondet_i64(), &unix_s);
    prove(read || unix_s == before);
    prove(!read || length >= 1);
    reached();
}

/* Of a number: either part of it is a digit at least. */
static bool is_digit_after(const struct text *text, const char *start)
{
    return is_within(text) && text->at > start && text->at[-1] >= '0' && text->at[-1] <= '9';
}

void whole_seconds_reads_within_and_writes_on_success(void)
{
    const char *start = any_text(nondet_size());
    struct text text = { start, array + LONGEST_TEXT };
    uint32_t before = nondet_u32(), seconds = before;
    if (whole_seconds(&text, &seconds))
        prove(is_digit_after(&text, start) && seconds <= LONGEST_S * 10 + 9);
    else
        prove(text.at == start && seconds == before);
    reached();
}

void fraction_reads_within_and_is_a_second_at_most(void)
{
    const char *start = any_text(nondet_size());
    struct text text = { start, array + LONGEST_TEXT };
    uint32_t before = nondet_u32(), ms = before;
    if (fraction_ms(&text, &ms))
        prove(is_digit_after(&text, start) && ms <= 1000);
    else
        prove(text.at == start && ms == before);
    reached();
}

static bool some_number(struct text *text, uint32_t *number, uint32_t most)
{
    size_t read = nondet_size();
    prove(__CPROVER_same_object(text->at, array) && __CPROVER_same_object(text->end, array));
    prove(text->at <= text->end && __CPROVER_POINTER_OFFSET(text->end) <= LONGEST_TEXT);
    if (nondet_bool() || text->at == text->end)
        return false;
    assume(read >= 1 && read <= (size_t)(text->end - text->at));
    text->at += read;
    *number = nondet_u32();
    assume(*number <= most);
    return true;
}

bool some_seconds_read(struct text *text, uint32_t *seconds)   /* in the place of whole_seconds */
{
    return some_number(text, seconds, LONGEST_S * 10 + 9);
}

bool some_fraction(struct text *text, uint32_t *ms)   /* in the place of fraction_ms */
{
    return some_number(text, ms, 1000);
}

void seconds_become_milliseconds(void)
{
    int64_t seconds = nondet_i64();
    uint32_t ms = redial_seconds_ms(seconds);
    if (seconds <= 0)
        prove(ms == 0);
    else if (seconds > UINT32_MAX / 1000)
        prove(ms == UINT32_MAX);
    else
        prove(ms == (uint64_t)seconds * 1000);
    reached();
}

/* In the place of redial_parse_http_date. */
bool some_http_date(const char *text, size_t length, int64_t now_s, int64_t *unix_s)
{
    bool read = nondet_bool() && length >= 1;
    prove(length <= LONGEST_TEXT && (length == 0 || __CPROVER_r_ok(text, length)));
    if (read) {
        *unix_s = nondet_i64();
        assume(*unix_s >= -(int64_t)LAST_DAY * 86400 && *unix_s <= ((int64_t)LAST_DAY + 5) * 86400);
    }
    return read;
}

void retry_after_reads_within_and_writes_on_success(void)
{
    size_t length = nondet_size();
    const char *text = any_text(length);
    uint32_t before = nondet_u32(), retry_after_ms = before;
    bool read = redial_parse_retry_after(text, length, nondet_i64(), &retry_after_ms);
    prove(read || retry_after_ms == before);
    prove(!read || length >= 1);
    reached();
}

/* Two values anywhere in the array, whose last byte is the end of at least one of them. */
void headers_read_up_to_their_ends(void)
{
    const char *retry_after = any_text(nondet_size()), *date = any_text(nondet_size());
    uint32_t ms;
    assume(retry_after < array + LONGEST_TEXT && date < array + LONGEST_TEXT);
    array[LONGEST_TEXT - 1] = '\0';
    ms = redial_headers_ms(nondet_bool() ? retry_after : NULL, nondet_bool() ? date : NULL);
    prove(ms == 0 || *retry_after);
    reached();
}

void no_text_is_refused(void)
{
    size_t length = nondet_size();
    int64_t now_s = nondet_i64(), unix_s = 1;
    uint32_t retry_after_ms = 1;
    prove(!redial_parse_http_date(NULL, length, now_s, &unix_s) && unix_s == 1);
    prove(!redial_parse_retry_after(NULL, length, now_s, &retry_after_ms) && retry_after_ms == 1);
    reached();
}
