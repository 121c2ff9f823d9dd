/* Numbers and the picture of fleet. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "show.h"

struct shown show_digits(uint64_t number, int decimals)
{
    struct shown out;
    char *at = out.text + sizeof out.text - 1;
    int digits = 0;
    *at = '\0';
    do {
        if (digits && digits == decimals)
            *--at = '.';
        else if (digits > decimals && (digits - decimals) % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + number % 10);
        number /= 10;
        digits++;
    } while (number || digits <= decimals);
    memmove(out.text, at, strlen(at) + 1);
    return out;
}

/* ---- the picture, in tenths of a pixel ---- */

enum { SHARE = 500, SHARE_WIDTH = 2800, LOAD = 3700, LOAD_WIDTH = 3300, TOP = 900, HEIGHT = 3200 };
enum { PANEL = 800, BARS = 500 };       /* of the load: a panel for each mode, with bars below */

static const char head[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='470' viewBox='0 0 7200 4700'>\n"
    "<title>Share served and load over time, by jitter mode</title><style>\n"
    "svg { background: #fff; font: 150px sans-serif } text { fill: #111 }\n"
    "path { fill: none; stroke: currentColor; stroke-width: 30 }\n"
    ".grid { color: #d8dce1; stroke-width: 10 } .load { fill: currentColor; stroke: none }\n"
    ".floor { color: #111; stroke-width: 20; stroke-dasharray: 60 }\n"
    ".none { color: #555 } .added { color: #d55e00 } .wide { color: #009e73 }\n"
    ".full { color: #0072b2 } tspan { fill: currentColor; font-weight: bold }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg { background: #0d1117 } text { fill: #f0f6fc } .floor { color: #f0f6fc }\n"
    ".grid { color: #2f353d } .none { color: #ccc } .added { color: #e69f00 }\n"
    ".full { color: #56b4e9 } }</style>\n";

/* part / whole * length */
static int scaled(uint64_t part, uint64_t whole, int length)
{
    return (int)(part * (uint64_t)length / whole);
}

static int along(const struct fleet_setup *setup, uint64_t at_ms, int width)
{
    return scaled(at_ms - setup->outage_ms, setup->horizon_ms - setup->outage_ms, width);
}

void draw_head(const struct fleet_setup *setup)
{
    int i;
    fputs(head, stdout);
    printf("<text x='50' y='250'>%s clients after an outage of %s s; the server takes %s "
           "requests a second</text><text x='50' y='680'>Served, %%</text>"
           "<text x='%d' y='680'>Load, up to 2 × capacity</text>\n",
           NUMBER(setup->clients), NUMBER(setup->outage_ms / 1000), NUMBER(setup->capacity), LOAD);
    for (i = 0; i <= 4; i++) {
        uint32_t at_s = (setup->horizon_ms - setup->outage_ms) / 4000 * (uint32_t)i;
        int y = TOP + HEIGHT * i / 4;
        printf("<text x='50' y='%d'>%d</text><path class='grid' d='M%d %dh%d'/>", y + 50,
               100 - 25 * i, SHARE, y, SHARE_WIDTH);
        printf("<g text-anchor='middle'><text x='%d' y='4290'>%u</text><text x='%d' y='4290'>%u"
               "</text></g>", SHARE + SHARE_WIDTH * i / 4, at_s, LOAD + LOAD_WIDTH * i / 4, at_s);
    }
    printf("\n<text x='50' y='4580'>Seconds after the server came back. Dashed: what it can take; "
           "nobody can be served sooner.</text>\n<path class='floor' d='M%d %d", SHARE,
           TOP + HEIGHT);
    for (i = 1; i <= 20; i++)
        printf("L%d %d", SHARE + along(setup, fleet_least_ms(setup, setup->clients / 20
                                                             * (uint32_t)i), SHARE_WIDTH),
               TOP + HEIGHT - HEIGHT * i / 20);
    puts("'/>");
}

static uint32_t in_second(const uint32_t *ticks, uint32_t at_ms)
{
    uint32_t all = 0, tick;
    for (tick = at_ms / FLEET_TICK_MS; tick < (at_ms + 1000) / FLEET_TICK_MS; tick++)
        all += ticks[tick];
    return all;
}

void draw_row(const struct fleet_setup *setup, const char *name, unsigned number,
              const struct fleet_result *result)
{
    uint32_t at_ms, served = 0, most = 2 * setup->capacity;
    bool all = result->served == setup->clients;
    int bottom = TOP + PANEL * ((int)number + 1);
    printf("<text x='%d' y='%d'><tspan class='%s'>%s</tspan>: all served in %s%s s, %s "
           "attempts</text><path class='load %s' d='M%d %d", LOAD, bottom - BARS - 60, name, name,
           all ? "" : "&gt; ",
           NUMBER(((all ? result->last_served_ms : setup->horizon_ms) - setup->outage_ms + 500)
                  / 1000),
           RATIO(result->attempts, setup->clients, 1), name, LOAD, bottom);
    for (at_ms = setup->outage_ms; at_ms + 1000 <= setup->horizon_ms; at_ms += 1000) {
        uint32_t load = in_second(result->arrived, at_ms);
        printf("V%dH%d", bottom - scaled(load < most ? load : most, most, BARS),
               LOAD + along(setup, at_ms + 1000, LOAD_WIDTH));
    }
    printf("V%dZ'/><path class='floor' d='M%d %dh%d'/>\n<path class='%s' d='M%d %d", bottom, LOAD,
           bottom - BARS / 2, LOAD_WIDTH, name, SHARE, TOP + HEIGHT);
    for (at_ms = setup->outage_ms; at_ms + 1000 <= setup->horizon_ms; at_ms += 1000) {
        served += in_second(result->taken, at_ms);
        printf("L%d %d", SHARE + along(setup, at_ms + 1000, SHARE_WIDTH),
               TOP + HEIGHT - scaled(served, setup->clients, HEIGHT));
    }
    puts("'/>");
}
