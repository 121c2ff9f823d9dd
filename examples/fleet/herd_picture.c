/* The picture of herd. On the left is the share served over time: a curve for each jitter mode, and the best that is
   possible. On the right is the load on the server: a panel for each mode, clipped at twice its capacity.
   SPDX-License-Identifier: MIT

   It begins when the server comes back. The tenth of a second in which all clients call first is left out: it is the
   same in every mode. */
#include <string.h>

#include "herd.h"
#include "show.h"
#include "svg.h"

#define MARGIN 12u
#define TOP 152u            /* of both plots */
#define HIGH 370u
#define LEFT 62u            /* the curves */
#define LEFT_WIDE 300u
#define RIGHT 412u          /* the load */
#define RIGHT_WIDE 286u
#define PANEL 46u           /* its height, under a line of text */
#define COLUMNS 150u        /* at most so many, each a whole number of seconds wide */

struct frame {
    const struct herd_setup *setup;
    const struct herd_row *rows[HERD_ROWS];     /* those that have run, the last to be through first */
    unsigned count;
    uint32_t first;                             /* tick */
    uint32_t column_s, columns;
};

/* ---- measuring: one frame that all modes share ---- */

static uint32_t served_ms(const struct herd_row *row)
{
    return row->result.served == herd_requests(&row->setup) ? row->result.last_served_ms : UINT32_MAX;
}

static bool later(const struct herd_row *a, const struct herd_row *b)
{
    return served_ms(a) != served_ms(b) ? served_ms(a) > served_ms(b) : a->result.served < b->result.served;
}

static void insert(struct frame *frame, const struct herd_row *row)
{
    unsigned i = frame->count++;
    for (; i > 0 && later(row, frame->rows[i - 1]); i--)
        frame->rows[i] = frame->rows[i - 1];
    frame->rows[i] = row;
}

static struct frame measure(const struct herd_row *rows)
{
    struct frame frame = { .setup = NULL };
    uint32_t i, end_s = 1;
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run)
            insert(&frame, &rows[i]);
    frame.setup = &frame.rows[0]->setup;
    for (i = 0; i < frame.count; i++)
        if (frame.rows[i]->result.now_ms > frame.setup->outage_ms + end_s * 1000)
            end_s = (frame.rows[i]->result.now_ms - frame.setup->outage_ms + 999) / 1000;
    frame.first = frame.setup->outage_ms / HERD_TICK_MS;
    frame.column_s = svg_step(end_s, COLUMNS);
    frame.columns = (end_s - 1) / frame.column_s + 1;
    return frame;
}

static unsigned x_of(const struct frame *frame, uint32_t number, unsigned wide)
{
    return number * wide / frame->columns;
}

/* The sum over a column. */
static uint64_t column(const struct frame *frame, const struct herd_row *row, const uint32_t *counts, uint32_t number)
{
    uint32_t each = frame->column_s * (1000 / HERD_TICK_MS), tick = frame->first + number * each, i;
    uint64_t sum = 0;
    for (i = 0; i < each && tick + i < row->result.ticks; i++)
        sum += tick + i == 0 ? 0 : counts[tick + i];
    return sum;
}

static uint32_t since_recovery_s(const struct frame *frame, uint32_t ms)
{
    return ms > frame->setup->outage_ms ? (ms - frame->setup->outage_ms + 500) / 1000 : 0;
}

/* ---- left: the share served ---- */

static unsigned y_of(const struct frame *frame, uint64_t served)
{
    return TOP + HIGH - (unsigned)(served * HIGH / herd_requests(frame->setup));
}

static void curve(FILE *file, const struct frame *frame, const struct herd_row *row)
{
    uint64_t served = frame->first == 0 ? row->result.taken[0] : 0;
    uint32_t number;
    fprintf(file, "<path class=\"l%u\" d=\"M%u %u", (unsigned)row->jitter, LEFT, y_of(frame, served));
    for (number = 0; number < frame->columns; number++) {
        served += column(frame, row, row->result.taken, number);
        fprintf(file, "L%u %u", LEFT + x_of(frame, number + 1, LEFT_WIDE), y_of(frame, served));
    }
    fprintf(file, "\"/>\n");
}

static void floor_curve(FILE *file, const struct frame *frame)
{
    uint64_t all = herd_requests(frame->setup), end_ms = (uint64_t)frame->columns * frame->column_s * 1000, share;
    fprintf(file, "<path class=\"limit\" d=\"M%u %u", LEFT, y_of(frame, 0));
    for (share = 1; share <= 50; share++) {
        uint64_t ms = herd_least_ms(frame->setup, (uint32_t)(all * share / 50)) - frame->setup->outage_ms;
        if (ms <= end_ms)
            fprintf(file, "L%u %u", LEFT + (unsigned)(ms * LEFT_WIDE / end_ms), y_of(frame, all * share / 50));
    }
    fprintf(file, "\"/>\n");
}

/* The x at which a curve reaches so many. */
static unsigned reaches(const struct frame *frame, const struct herd_row *row, uint64_t wanted)
{
    uint64_t served = frame->first == 0 ? row->result.taken[0] : 0;
    uint32_t number;
    for (number = 0; number < frame->columns && served < wanted; number++)
        served += column(frame, row, row->result.taken, number);
    return LEFT + x_of(frame, number, LEFT_WIDE);
}

/* Each label is at the right, and a thin line leads to its curve: at the curve's end, or lower, so that labels do not
   meet. The first row ends lowest. */
static void label(FILE *file, const struct frame *frame, const struct herd_row *row, unsigned y)
{
    uint64_t level = (uint64_t)(TOP + HIGH - y) * herd_requests(frame->setup) / HIGH;
    unsigned x = reaches(frame, row, level);
    char style[16], text[60];
    snprintf(style, sizeof style, "l%u thin", (unsigned)row->jitter);
    svg_line(file, x, y, LEFT + LEFT_WIDE - 60, y, style);
    fprintf(file, "<circle cx=\"%u\" cy=\"%u\" r=\"5\" class=\"f%u\"/>\n", x, y, (unsigned)row->jitter);
    snprintf(style, sizeof style, "c%u b halo", (unsigned)row->jitter);
    if (served_ms(row) != UINT32_MAX)
        snprintf(text, sizeof text, "%s %s s", row->name, show_number(since_recovery_s(frame, served_ms(row))).text);
    else
        snprintf(text, sizeof text, "%s", row->name);
    svg_text(file, LEFT + LEFT_WIDE, y + 6, SVG_RIGHT, style, text);
}

/* A curve that ends below the labels has its name at its end. */
static void label_end(FILE *file, const struct herd_row *row, unsigned y)
{
    char style[16];
    snprintf(style, sizeof style, "c%u b halo", (unsigned)row->jitter);
    svg_text(file, LEFT + LEFT_WIDE, y - 10, SVG_RIGHT, style, row->name);
}

static void labels(FILE *file, const struct frame *frame)
{
    unsigned i, y = TOP + 30 + 30 * frame->count, end;
    for (i = 0; i < frame->count; i++) {
        end = y_of(frame, frame->rows[i]->result.served);
        y -= 30;
        if (end > y && served_ms(frame->rows[i]) == UINT32_MAX)
            label_end(file, frame->rows[i], end);
        else
            label(file, frame, frame->rows[i], y);
    }
}

static void time_axis(FILE *file, const struct frame *frame, unsigned left, unsigned wide)
{
    uint32_t end_s = frame->columns * frame->column_s, step = svg_step(end_s, 5), s;
    svg_line(file, left, TOP + HIGH, left + wide, TOP + HIGH, "axis");
    for (s = 0; s <= end_s; s += step) {
        unsigned x = left + (unsigned)((uint64_t)s * wide / end_s);
        svg_line(file, x, TOP + HIGH, x, TOP + HIGH + 6, "axis");
        svg_text(file, x, TOP + HIGH + 26, SVG_MIDDLE, "s", show_number(s).text);
    }
}

static void left_plot(FILE *file, const struct frame *frame)
{
    unsigned share, i;
    char text[40];
    svg_text(file, MARGIN, TOP - 14, SVG_LEFT, "b", "Served, %");
    for (share = 0; share <= 100; share += 25) {
        unsigned y = TOP + HIGH - share * HIGH / 100;
        svg_line(file, LEFT, y, LEFT + LEFT_WIDE, y, "grid");
        snprintf(text, sizeof text, "%u", share);
        svg_text(file, LEFT - 8, y + 6, SVG_RIGHT, "s", text);
    }
    time_axis(file, frame, LEFT, LEFT_WIDE);
    for (i = 0; i < frame->count; i++)
        curve(file, frame, frame->rows[i]);
    floor_curve(file, frame);
    labels(file, frame);
}

/* ---- right: the load ---- */

static void area(FILE *file, const struct frame *frame, const struct herd_row *row, unsigned base)
{
    const struct herd_setup *setup = frame->setup;
    uint64_t room = (uint64_t)setup->capacity * frame->column_s * 1000;     /* times per_ms: for a column */
    uint64_t per_ms = setup->per_ms ? setup->per_ms : 1000;
    uint32_t number;
    fprintf(file, "<path class=\"area f%u\" d=\"M%u %u", (unsigned)row->jitter, RIGHT, base);
    for (number = 0; number < frame->columns; number++) {
        uint64_t high = column(frame, row, row->result.arrived, number) * per_ms * (PANEL / 2) / room;
        if (high > PANEL)
            high = PANEL;
        fprintf(file, "V%uH%u", base - (unsigned)high, RIGHT + x_of(frame, number + 1, RIGHT_WIDE));
    }
    fprintf(file, "V%uz\"/>\n", base);
}

static void panel(FILE *file, const struct frame *frame, const struct herd_row *row, unsigned base)
{
    uint64_t per_ms = frame->setup->per_ms ? frame->setup->per_ms : 1000;
    char style[8], text[80];
    snprintf(style, sizeof style, "c%u b", (unsigned)row->jitter);
    svg_text(file, RIGHT, base - PANEL - 7, SVG_LEFT, style, row->name);
    snprintf(text, sizeof text, "%s calls, peak %s ×",
             show_ratio(row->result.calls, herd_requests(&row->setup), 1).text,
             show_ratio(herd_peak(&row->setup, &row->result, 1000) * per_ms, (uint64_t)frame->setup->capacity * 1000,
                        1).text);
    svg_text(file, RIGHT + RIGHT_WIDE, base - PANEL - 7, SVG_RIGHT, "s", text);
    area(file, frame, row, base);
    svg_line(file, RIGHT, base - PANEL / 2, RIGHT + RIGHT_WIDE, base - PANEL / 2, "limit");
    svg_line(file, RIGHT, base, RIGHT + RIGHT_WIDE, base, "axis");
}

static void right_plot(FILE *file, const struct frame *frame)
{
    unsigned i;
    svg_text(file, RIGHT, TOP - 14, SVG_LEFT, "b", "Load (cut off at 2 × capacity)");
    time_axis(file, frame, RIGHT, RIGHT_WIDE);
    for (i = 0; i < frame->count; i++)
        panel(file, frame, frame->rows[i], TOP + HIGH - (frame->count - 1 - i) * (HIGH / HERD_ROWS));
}

/* ---- around them ---- */

static void ending(const struct frame *frame, const struct herd_row *row, char *out, size_t size)
{
    if (served_ms(row) != UINT32_MAX)
        snprintf(out, size, "%s s", show_number(since_recovery_s(frame, served_ms(row))).text);
    else
        snprintf(out, size, "&gt; %s s", show_number(since_recovery_s(frame, row->result.now_ms)).text);
}

/* Describes the picture: how long the quickest and the slowest mode take. */
static void finding(const struct frame *frame, char *out, size_t size)
{
    const struct herd_row *first = frame->rows[frame->count - 1], *last = frame->rows[0];
    char soon[60], late[60];
    ending(frame, first, soon, sizeof soon);
    ending(frame, last, late, sizeof late);
    if (frame->count == 1)
        snprintf(out, size, "All served in %s with jitter “%s”", soon, first->name);
    else
        snprintf(out, size, "All served in %s with jitter “%s”, in %s with “%s”", soon, first->name, late,
                 last->name);
}

static void setting(FILE *file, const struct frame *frame)
{
    const struct herd_setup *setup = frame->setup;
    char text[160];
    int used = snprintf(text, sizeof text, "%s clients; ", show_number(setup->clients).text);
    if (setup->outage_ms)
        used += snprintf(text + used, sizeof text - (size_t)used, "back after an outage of %s s; ",
                         show_number(setup->outage_ms / 1000).text);
    snprintf(text + used, sizeof text - (size_t)used, "base %s s, cap %s s",
             show_ratio(setup->policy.base_ms, 1000, 1).text, show_ratio(setup->policy.cap_ms, 1000, 1).text);
    svg_text(file, MARGIN, 62, SVG_LEFT, "", text);
    used = snprintf(text, sizeof text, "server: %s requests %s", show_number(setup->capacity).text,
                    setup->per_ms == 1000 ? "a second" : "in ");
    if (setup->per_ms != 1000)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s ms", show_number(setup->per_ms).text);
    snprintf(text + used, sizeof text - (size_t)used,
             setup->window_ms ? ", in windows of %s ms" : ", bursts of %s ms",
             show_number(setup->window_ms ? setup->window_ms : setup->burst_ms).text);
    svg_text(file, MARGIN, 88, SVG_LEFT, "", text);
}

bool herd_picture(const char *path, const struct herd_row rows[HERD_ROWS])
{
    struct frame frame = measure(rows);
    char text[200];
    FILE *file;
    finding(&frame, text, sizeof text);
    file = svg_open(path, TOP + HIGH + 88, text);
    if (!file)
        return false;
    svg_text(file, MARGIN, 32, SVG_LEFT, "h", text);
    setting(file, &frame);
    left_plot(file, &frame);
    right_plot(file, &frame);
    svg_text(file, SVG_WIDE / 2, TOP + HIGH + 50, SVG_MIDDLE, "",
             frame.setup->outage_ms ? "seconds after the server came back" : "seconds after the first call of all");
    svg_line(file, MARGIN, TOP + HIGH + 70, MARGIN + 40, TOP + HIGH + 70, "limit");
    svg_text(file, MARGIN + 50, TOP + HIGH + 76, SVG_LEFT, "s",
             "what the server can take: nobody is served sooner");
    return svg_close(file);
}
