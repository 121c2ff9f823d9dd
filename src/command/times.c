/* Implements times.h. SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"

#define DIGITS "0123456789"
#define HOUR_MS 3600000u
#define DAY_MS (24 * HOUR_MS)

static const struct unit {
    const char *name;
    uint32_t ms;
} units[] = {
    { "d", DAY_MS }, { "h", HOUR_MS }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 }, { "", 1000 },
};

bool times_read(const char *text, uint64_t *ms)
{
    size_t digits = strspn(text, DIGITS), i;
    const char *rest = text + digits, *decimals = rest + (*rest == '.');
    size_t more = rest == decimals ? 0 : strspn(decimals, DIGITS);
    uint64_t part = 0, parts = 1;
    for (i = 0; i < more && i < 9; i++, parts *= 10)
        part = part * 10 + (uint64_t)(decimals[i] - '0');
    part += strspn(decimals + i, "0") < more - i; /* the rest may be tiny, but it is not 0 */
    for (i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(decimals + more, units[i].name) == 0 && digits + more > 0 && digits <= 10) {
            *ms = (digits ? strtoull(text, NULL, 10) : 0) * units[i].ms
                  + (part * units[i].ms + parts - 1) / parts;
            return true;
        }
    return false;
}

/* The greatest times are shown in whole hours. */
struct time_text times_text(uint64_t ms)
{
    struct time_text out = { "0" };
    const struct unit *unit = units;
    while (ms % unit->ms && (unit->ms > HOUR_MS || ms < 20 * (uint64_t)DAY_MS))
        unit++;
    if (ms)
        snprintf(out.text, sizeof out.text, "%lu%s", (unsigned long)(ms / unit->ms), unit->name);
    return out;
}

struct time_text times_said(uint32_t ms)
{
    struct time_text out;
    bool hours = ms >= HOUR_MS;
    uint64_t unit_ms = hours ? HOUR_MS : 60000,
             tenths = ((uint64_t)ms * 10 + unit_ms / 2) / unit_ms;
    if (ms <= 60000)
        snprintf(out.text, sizeof out.text, "%lu ms", (unsigned long)ms);
    else
        snprintf(out.text, sizeof out.text, "%lu.%lu %s", (unsigned long)(tenths / 10),
                 (unsigned long)(tenths % 10), hours ? "hours" : "minutes");
    return out;
}
