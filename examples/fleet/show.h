/* Numbers as text for people. It uses integers only, so the text is the same on every machine.
   SPDX-License-Identifier: MIT */
#ifndef SHOW_H
#define SHOW_H

#include <stdint.h>

struct shown { char text[32]; };

/* Digits from the right: 1234567 as 1,234,567, or with decimals 1 as 123,456.7 */
static inline struct shown show_digits(uint64_t number, int decimals)
{
    struct shown out;
    char backwards[32];
    int used = 0, digits = 0, i;
    do {
        if (digits && digits == decimals)
            backwards[used++] = '.';
        else if (digits > decimals && (digits - decimals) % 3 == 0)
            backwards[used++] = ',';
        backwards[used++] = (char)('0' + number % 10);
        number /= 10;
        digits++;
    } while (number || digits <= decimals);
    for (i = 0; i < used; i++)
        out.text[i] = backwards[used - 1 - i];
    out.text[used] = '\0';
    return out;
}

static inline struct shown show_number(uint64_t number)
{
    return show_digits(number, 0);
}

/* parts / whole * scale to the nearest tenth; scale 100 makes it a percentage. */
static inline struct shown show_ratio(uint64_t parts, uint64_t whole, uint32_t scale)
{
    return show_digits((parts * scale * 10 + whole / 2) / whole, 1);
}

#endif
