/* What fleet prints, in whole numbers only: it is the same on every machine.
   SPDX-License-Identifier: MIT */
#ifndef SHOW_H
#define SHOW_H

#include "fleet.h"

struct shown { char text[32]; };

/* Digits from the right: 1234567 as 1,234,567, or with decimals 1 as 123,456.7 */
struct shown show_digits(uint64_t number, int decimals);

#define NUMBER(number) show_digits(number, 0).text
/* parts / whole * scale to the nearest tenth; scale 100 makes it a percentage */
#define RATIO(parts, whole, scale) \
    show_digits(((uint64_t)(parts) * (scale) * 10 + (whole) / 2) / (whole), 1).text

/* An SVG of the time from the end of the outage to the horizon: its beginning, with axes and what
   the server can take; then a curve of the share served and one of the load for each mode, 0 to 3.
   "</svg>" ends it. */
void draw_head(const struct fleet_setup *setup);
void draw_row(const struct fleet_setup *setup, const char *name, unsigned number,
              const struct fleet_result *result);

#endif
