/* The picture of herd: requests a second over time, a strip for each jitter mode, one scale for all.
   SPDX-License-Identifier: MIT

   It begins when the server comes back. The tenth of a second in which all clients call first is left out: it is the
   same in every mode. A strip is as high as its own peak needs, so that nothing is cut and nothing is blank. */
#include <string.h>

#include "herd.h"
#include "show.h"
#include "svg.h"

#define MARGIN 12u
#define LEFT 84u
#define WIDE 722u
#define TOP 96u
#define HIGH 180u       /* of the highest strip */
#define HEAD 34u        /* above each strip, for its title */
#define COLUMNS 360u    /* at most so many, each a whole number of seconds wide */

struct frame {
    const struct herd_setup *setup;
    uint32_t first, column_s, columns;
    uint32_t most;      /* requests a second that are HIGH pixels */
};

/* ---- measuring: one frame that all the strips share ---- */

static uint32_t column(const struct frame *frame, const uint32_t *counts, uint32_t ticks, uint32_t number)
{
    uint32_t each = frame->column_s * (1000 / HERD_TICK_MS), tick = frame->first + number * each, i, sum = 0;
    for (i = 0; i < each && tick + i < ticks; i++)
        sum += tick + i == 0 ? 0 : counts[tick + i];
    return (sum + frame->column_s / 2) / frame->column_s;
}

static uint32_t highest(const struct frame *frame, const struct herd_row *row)
{
    uint32_t number, most = frame->setup->capacity;
    for (number = 0; number < frame->columns; number++) {
        uint32_t rate = column(frame, row->result.arrived, row->result.ticks, number);
        if (rate > most)
            most = rate;
    }
    return most;
}

static struct frame measure(const struct herd_row *rows)
{
    struct frame frame = { .most = 1 };
    uint32_t i, end_ms = 0;
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run) {
            frame.setup = &rows[i].setup;
            if (rows[i].result.now_ms > end_ms)
                end_ms = rows[i].result.now_ms;
        }
    frame.first = frame.setup->outage_ms / HERD_TICK_MS;
    end_ms -= end_ms > frame.setup->outage_ms ? frame.setup->outage_ms : end_ms;
    frame.column_s = svg_step((end_ms + 999) / 1000, COLUMNS);
    frame.columns = (end_ms + 999) / 1000 / frame.column_s + 1;
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run && highest(&frame, &rows[i]) > frame.most)
            frame.most = highest(&frame, &rows[i]);
    return frame;
}

static unsigned x_of(const struct frame *frame, uint32_t number)
{
    return LEFT + number * WIDE / frame->columns;
}

static unsigned high_of(const struct frame *frame, uint64_t rate)
{
    return (unsigned)((rate * HIGH + frame->most / 2) / frame->most);
}

/* ---- one strip ---- */

static void bars(FILE *file, const struct frame *frame, unsigned base, const uint32_t *counts, uint32_t ticks,
                 const char *fill)
{
    uint32_t number;
    fprintf(file, "<path fill=\"%s\" d=\"", fill);
    for (number = 0; number < frame->columns; number++) {
        unsigned x = x_of(frame, number), high;
        uint32_t rate = column(frame, counts, ticks, number);
        if (rate == 0)
            continue;
        high = high_of(frame, rate) ? high_of(frame, rate) : 1;   /* a few are not none */
        fprintf(file, "M%u %uh%uv-%uH%uz", x, base, x_of(frame, number + 1) - x, high, x);
    }
    fprintf(file, "\"/>\n");
}

static void scale(FILE *file, const struct frame *frame, unsigned base, uint32_t most)
{
    uint32_t step = svg_step(frame->most, 5);
    uint64_t rate;
    for (rate = step; rate <= most; rate += step) {
        svg_line(file, LEFT, base - high_of(frame, rate), LEFT + WIDE, base - high_of(frame, rate), "grid");
        svg_text(file, LEFT - 6, base - high_of(frame, rate) + 4, SVG_RIGHT, "s", show_number(rate).text);
    }
    if (most < step && high_of(frame, frame->setup->capacity) > 10)
        svg_text(file, LEFT - 6, base - high_of(frame, frame->setup->capacity) + 4, SVG_RIGHT, "s",
                 show_number(frame->setup->capacity).text);
    svg_text(file, LEFT - 6, base + 4, SVG_RIGHT, "s", "0");
}

static uint32_t since_recovery_s(const struct herd_row *row, uint32_t ms)
{
    return ms > row->setup.outage_ms ? (ms - row->setup.outage_ms + 500) / 1000 : 0;
}

static void headings(FILE *file, const struct herd_row *row, unsigned y)
{
    static const char *const names[] = {
        [REDIAL_JITTER_NONE] = "None: w",
        [REDIAL_JITTER_ADDED] = "Added: w + U[0, jitter], at most the cap",
        [REDIAL_JITTER_SPREAD] = "Spread: as added; U[cap/2, cap] at the cap",
        [REDIAL_JITTER_EQUAL] = "Equal: U[w/2, w]",
        [REDIAL_JITTER_FULL] = "Full: U[0, w]"
    };
    const struct herd_result *result = &row->result;
    char text[160];
    if (result->served == row->setup.clients)
        snprintf(text, sizeof text, "all served after %s s, %s calls a client",
                 show_number(since_recovery_s(row, result->last_served_ms)).text,
                 show_ratio(result->calls, row->setup.clients, 1).text);
    else
        snprintf(text, sizeof text, "%s %% served in %s s, %s calls a client",
                 show_ratio(result->served, row->setup.clients, 100).text,
                 show_number(since_recovery_s(row, result->now_ms)).text,
                 show_ratio(result->calls, row->setup.clients, 1).text);
    svg_text(file, LEFT, y, SVG_LEFT, "b", names[row->jitter]);
    svg_text(file, LEFT + WIDE, y, SVG_RIGHT, "", text);
}

static void strip(FILE *file, const struct frame *frame, const struct herd_row *row, unsigned base)
{
    unsigned limit = base - high_of(frame, frame->setup->capacity), most = highest(frame, row);
    scale(file, frame, base, most);
    bars(file, frame, base, row->result.arrived, row->result.ticks, "#aaa");
    bars(file, frame, base, row->result.taken, row->result.ticks, "#000");
    svg_line(file, LEFT, limit, LEFT + WIDE, limit, "limit");
    svg_line(file, LEFT, base, LEFT + WIDE, base, "axis");
    headings(file, row, base - high_of(frame, most) - 8);
}

/* ---- around the strips ---- */

static void time_axis(FILE *file, const struct frame *frame, unsigned y)
{
    uint32_t end_s = frame->columns * frame->column_s, step = svg_step(end_s, 8), s;
    for (s = 0; s < end_s; s += step) {
        svg_line(file, x_of(frame, s / frame->column_s), y, x_of(frame, s / frame->column_s), y + 5, "axis");
        svg_text(file, x_of(frame, s / frame->column_s), y + 19, SVG_MIDDLE, "s", show_number(s).text);
    }
    svg_text(file, LEFT + WIDE / 2, y + 38, SVG_MIDDLE, "",
             frame->setup->outage_ms ? "seconds after the server came back" : "seconds after the first call of all");
}

static void legend(FILE *file, const struct frame *frame, unsigned y)
{
    const struct redial_policy *policy = &frame->setup->policy;
    char text[100];
    svg_text(file, MARGIN, y, SVG_LEFT, "", "Requests a second:");
    svg_box(file, 140, y - 10, 12, 11, "#000");
    svg_text(file, 157, y, SVG_LEFT, "", "served");
    svg_box(file, 214, y - 10, 12, 11, "#aaa");
    svg_text(file, 231, y, SVG_LEFT, "", "refused");
    svg_line(file, 294, y - 5, 322, y - 5, "limit");
    snprintf(text, sizeof text, "what the server can take: %s", show_number(frame->setup->capacity).text);
    svg_text(file, 329, y, SVG_LEFT, "", text);
    snprintf(text, sizeof text, "w: %s s × 2ⁿ, at most the cap, %s s", show_ratio(policy->base_ms, 1000, 1).text,
             show_ratio(policy->cap_ms, 1000, 1).text);
    svg_text(file, LEFT + WIDE, y, SVG_RIGHT, "", text);
}

static void title(const struct herd_setup *setup, char *out, size_t size)
{
    if (setup->outage_ms)
        snprintf(out, size, "How %s clients come back after %s s of outage, by jitter mode",
                 show_number(setup->clients).text, show_number(setup->outage_ms / 1000).text);
    else
        snprintf(out, size, "How %s clients that called at once come back, by jitter mode",
                 show_number(setup->clients).text);
}

/* Adds the modes whose peak the server can take, or those whose peak it can't; returns how many those are. */
static unsigned list(char *out, size_t size, const struct herd_row *rows, bool within)
{
    unsigned i, count = 0;
    for (i = 0; i < HERD_ROWS; i++) {
        uint32_t peak = rows[i].run ? herd_peak(&rows[i].setup, &rows[i].result) : 0;
        size_t used = strlen(out);
        if (!rows[i].run || (peak <= rows[i].setup.capacity) != within)
            continue;
        snprintf(out + used, size - used, "%s%s", count++ ? ", " : "", rows[i].name);
        used = strlen(out);
        if (!within)
            snprintf(out + used, size - used, " (%s times)", show_ratio(peak, rows[i].setup.capacity, 1).text);
    }
    return count;
}

static void conclusion(FILE *file, const struct herd_row *rows, unsigned y)
{
    char within[100] = "", beyond[200] = "", text[400] = "";
    unsigned fine = list(within, sizeof within, rows, true), bad = list(beyond, sizeof beyond, rows, false);
    snprintf(text, sizeof text, "%s%s%s%s%s", fine ? "Within what the server can take: " : "", within,
             fine && bad ? ". Peaks beyond it: " : bad ? "Every mode peaks beyond what the server can take: " : "",
             beyond, ".");
    svg_text(file, MARGIN, y, SVG_LEFT, "", text);
}

bool herd_picture(const char *path, const struct herd_row rows[HERD_ROWS])
{
    struct frame frame = measure(rows);
    unsigned i, y = TOP;
    char name[160];
    FILE *file;
    title(frame.setup, name, sizeof name);
    for (i = 0; i < HERD_ROWS; i++)
        y += rows[i].run ? HEAD + high_of(&frame, highest(&frame, &rows[i])) : 0;
    file = svg_open(path, 830, y + 52, name);
    if (!file)
        return false;
    svg_text(file, MARGIN, 28, SVG_LEFT, "h", name);
    conclusion(file, rows, 51);
    legend(file, &frame, 77);
    y = TOP - 10;
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run) {
            y += HEAD + high_of(&frame, highest(&frame, &rows[i]));
            strip(file, &frame, &rows[i], y);
        }
    time_axis(file, &frame, y);
    fprintf(file, "</svg>\n");
    return svg_close(file);
}
