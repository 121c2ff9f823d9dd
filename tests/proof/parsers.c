/* src/retry_after.c reads within a text of up to 32 bytes of any content, and writes on success
   alone. SPDX-License-Identifier: MIT

   A field and the century are proven by themselves to stay in the ranges that some_field and
   some_century give back. These prove that they are asked for no more than that. */
#include "proof.h"

#include "../../src/retry_after.c"

/* A text of any content ends where its array ends, so that a byte read beyond it is a byte beyond
   the array. */
#define LONGEST_TEXT 32
static char array[LONGEST_TEXT];

static const char *any_text(size_t length)
{
    unsigned i;
    assume(length <= LONGEST_TEXT);
    for (i = 0; i < LONGEST_TEXT; i++)
        array[i] = nondet_char();
    return array + (LONGEST_TEXT - length);
}

/* ---- the calendar ---- */

static bool is_read(const struct redial_date_ *date)
{
    return date->year >= 0 && date->year <= 9999 && date->month >= 0 && date->month <= 11
           && date->day >= 0 && date->day <= 99 && date->hour >= 0 && date->hour <= 99
           && date->minute >= 0 && date->minute <= 99 && date->second >= 0 && date->second <= 99
           && (date->year <= 99 || !date->two_digits);
}

struct redial_date_ nondet_date(void);

static struct redial_date_ any_date(void)
{
    struct redial_date_ date = nondet_date();
    date.two_digits = nondet_bool();   /* in a struct it may be neither */
    assume(is_read(&date));
    return date;
}

/* From the day before 1 January of year 0 to 99 December 9999, at 99:99:99. */
static bool is_in_range(int64_t seconds)
{
    return seconds >= -719529 * (int64_t)86400 && seconds <= 2932964 * (int64_t)86400 + 99 * 3661;
}

/* In the place of redial_seconds_to_. */
int64_t some_seconds(const struct redial_date_ *date, int32_t year)
{
    prove(is_read(date) && year >= 0 && year <= 9999);
    return nondet_i64();
}

void century_is_added_to_the_year(void)
{
    struct redial_date_ date = any_date();
    int32_t year;
    assume(date.year <= 99);
    year = redial_with_century_(&date, nondet_i64());
    prove(year >= 0 && year <= 9999);
    reached();
}

/* In the place of redial_with_century_. */
int32_t some_century(const struct redial_date_ *date, int64_t now_s)
{
    int32_t year = nondet_int();
    prove(is_read(date) && date->year <= 99);
    assume(year >= 0 && year <= 9999);
    return year;
}

/* ---- the texts ---- */

static bool is_within(const struct redial_text_ *text)
{
    return __CPROVER_same_object(text->at, array) && text->end == array + LONGEST_TEXT
           && __CPROVER_POINTER_OFFSET(text->at) <= LONGEST_TEXT;
}

void field_reads_within_and_moves_on(void)
{
    const char *start = any_text(nondet_size());
    struct redial_text_ text = { start, array + LONGEST_TEXT };
    struct redial_date_ date = any_date();
    char letter = "aAbedHMSyYZ"[nondet_u32() % 11];
    bool two_digits = date.two_digits || letter == 'y';
    assume(letter != 'Y' || !two_digits);
    if (redial_field_(&text, letter, &date)) {
        prove(is_within(&text) && text.at > start);
        prove(is_read(&date) && date.two_digits == two_digits);
    }
    reached();
}

/* In the place of redial_field_. */
bool some_field(struct redial_text_ *text, char letter, struct redial_date_ *date)
{
    size_t read = nondet_size();
    bool two_digits = date->two_digits || letter == 'y';
    prove(is_within(text) && is_read(date) && (letter != 'Y' || !two_digits));
    *date = any_date();
    if (nondet_bool() || text->at == text->end)
        return false;
    assume(read >= 1 && read <= (size_t)(text->end - text->at));
    text->at += read;
    assume(date->two_digits == two_digits);
    return true;
}

void date_reads_within_and_writes_on_success(void)
{
    const char *start = any_text(nondet_size());
    struct redial_text_ text = { start, array + LONGEST_TEXT };
    int64_t before = nondet_i64(), unix_s = before;
    if (!redial_parse_date_(text, nondet_i64(), &unix_s))
        prove(unix_s == before);
    else
        prove(start < array + LONGEST_TEXT && is_in_range(unix_s));
    reached();
}

/* Of a number: either part of it is a digit at least. */
static bool is_digit_after(const struct redial_text_ *text, const char *start)
{
    return is_within(text) && text->at > start && text->at[-1] >= '0' && text->at[-1] <= '9';
}

void numbers_are_read_within_and_written_on_success(void)
{
    const char *start = any_text(nondet_size());
    struct redial_text_ text = { start, array + LONGEST_TEXT };
    uint32_t before = nondet_u32(), number = before;
    bool whole = nondet_bool();
    if (whole ? redial_whole_seconds_(&text, &number) : redial_fraction_ms_(&text, &number))
        prove(is_digit_after(&text, start)
              && number <= (whole ? REDIAL_LONGEST_S_ * 10 + 9 : 1000));
    else
        prove(text.at == start && number == before);
    reached();
}

/* The last byte of the array is the end of the header, or the header ends earlier. */
void header_is_read_up_to_its_end(void)
{
    const char *header = any_text(nondet_size());
    struct redial_text_ value;
    assume(header < array + LONGEST_TEXT);
    array[LONGEST_TEXT - 1] = '\0';
    value = redial_value_of_(header);
    prove(__CPROVER_same_object(value.at, array) && __CPROVER_same_object(value.end, array));
    prove(value.at >= header && value.at <= value.end && value.end < array + LONGEST_TEXT);
    reached();
}
