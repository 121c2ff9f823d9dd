/* The picture of schedule: the policy in the four modes with jitter, side by side. For each retry it has a line
   while its wait certainly runs, and a bar where it may come; then, when the call gives up.
   SPDX-License-Identifier: MIT */
#include <string.h>

#include "schedule_picture.h"
#include "svg.h"

#define MARGIN 12u
#define TOP 128u
#define ROW 30u
#define HEAD 40u            /* above the rows of a panel */
#define FOOT 76u            /* below them */
#define WIDE 300u           /* of a panel's time axis */

struct panel {
    const struct schedule *schedule;
    uint64_t end_ms;        /* of the time axis of all panels */
    unsigned left, top, rows;
};

static unsigned x_of(const struct panel *panel, uint64_t ms)
{
    return panel->left + (unsigned)(ms * WIDE / panel->end_ms);
}

static unsigned bottom(const struct panel *panel)
{
    return panel->top + HEAD + panel->rows * ROW;
}

static void row(FILE *file, const struct panel *panel, uint32_t number)
{
    const struct schedule_wait *wait = &panel->schedule->waits[number];
    unsigned from = x_of(panel, wait->certain_ms), sure = x_of(panel, wait->earliest_ms);
    unsigned to = x_of(panel, wait->latest_ms), y = panel->top + HEAD + number * ROW;
    char text[40], style[4];
    snprintf(text, sizeof text, "%u", (unsigned)number + 1);
    snprintf(style, sizeof style, "f%u", (unsigned)panel->schedule->policy->jitter);
    svg_text(file, panel->left - 8, y + 20, SVG_RIGHT, "s", text);
    svg_box(file, from, y + 12, sure - from, 4, "sure");
    svg_box(file, sure, y + 4, to > sure + 3 ? to - sure : 3, 20, style);
}

static void time_axis(FILE *file, const struct panel *panel)
{
    uint64_t step = svg_step(panel->end_ms, 5), ms;
    for (ms = 0; ms <= panel->end_ms; ms += step) {
        svg_line(file, x_of(panel, ms), panel->top + HEAD, x_of(panel, ms), bottom(panel), "grid");
        svg_text(file, x_of(panel, ms), bottom(panel) + 24, SVG_MIDDLE, "s",
                 step % 1000 ? show_digits(ms, 3).text : show_number(ms / 1000).text);
    }
    svg_line(file, panel->left, bottom(panel), panel->left + WIDE, bottom(panel), "axis");
}

static void give_up(const struct schedule *schedule, char *out, size_t size)
{
    const struct schedule_wait *last = &schedule->waits[schedule->rows ? schedule->rows - 1 : 0];
    if (schedule->rows == 0)
        snprintf(out, size, "gives up at once");
    else if (redial_longest_waits_ms(schedule->policy) == UINT64_MAX)
        snprintf(out, size, "never gives up");
    else if (schedule->rows == schedule->policy->max_retries)
        snprintf(out, size, "gives up after %s to %s s", schedule_seconds(schedule, last->earliest_ms).text,
                 schedule_seconds(schedule, last->latest_ms).text);
    else
        snprintf(out, size, "gives up within %s s",
                 schedule_seconds(schedule, redial_longest_waits_ms(schedule->policy)).text);
}

static void draw_panel(FILE *file, const struct panel *panel)
{
    char text[120], style[8];
    uint32_t i;
    snprintf(style, sizeof style, "c%u b", (unsigned)panel->schedule->policy->jitter);
    svg_text(file, panel->left, panel->top + 24, SVG_LEFT, style, panel->schedule->mode);
    give_up(panel->schedule, text, sizeof text);
    svg_text(file, panel->left + WIDE, panel->top + 24, SVG_RIGHT, "s", text);
    time_axis(file, panel);
    for (i = 0; i < panel->schedule->rows; i++)
        row(file, panel, i);
}

/* ---- all of them ---- */

static void describe(const struct redial_policy *policy, char *out, size_t size)
{
    int used = snprintf(out, size, "base %s ms, cap %s ms, jitter %s ms, ", show_number(policy->base_ms).text,
                        show_number(policy->cap_ms).text, show_number(policy->jitter_ms).text);
    if (policy->max_retries == REDIAL_NO_LIMIT)
        used += snprintf(out + used, size - (size_t)used, "unlimited retries");
    else
        used += snprintf(out + used, size - (size_t)used, "%s retries", show_number(policy->max_retries).text);
    if (policy->max_elapsed_ms)
        snprintf(out + used, size - (size_t)used, ", at most %s ms", show_number(policy->max_elapsed_ms).text);
}

static void heading(FILE *file, const struct redial_policy *policy)
{
    char text[160];
    describe(policy, text, sizeof text);
    svg_text(file, MARGIN, 32, SVG_LEFT, "h", "When a call retries, by jitter mode");
    svg_text(file, MARGIN, 62, SVG_LEFT, "", text);
    svg_box(file, MARGIN, 84, 26, 4, "sure");
    svg_text(file, MARGIN + 36, 92, SVG_LEFT, "s", "certainly waiting");
    svg_box(file, MARGIN + 200, 76, 26, 20, "f4");
    svg_text(file, MARGIN + 236, 92, SVG_LEFT, "s", "retry 1, 2, 3 ... comes somewhere in here");
}

bool schedule_picture(const char *path, const struct schedule *schedules, unsigned count)
{
    struct panel panel = { .end_ms = 1 };
    unsigned i, lines = (count + 1) / 2;
    FILE *file;
    for (i = 0; i < count; i++) {
        panel.end_ms = schedules[i].end_ms > panel.end_ms ? schedules[i].end_ms : panel.end_ms;
        panel.rows = schedules[i].rows > panel.rows ? schedules[i].rows : panel.rows;
    }
    file = svg_open(path, TOP + lines * (HEAD + panel.rows * ROW + FOOT) - 12, "When a call retries, by jitter mode");
    if (!file)
        return false;
    heading(file, schedules[0].policy);
    for (i = 0; i < count; i++) {
        panel.schedule = &schedules[i];
        panel.left = i % 2 ? 400 : 44;
        panel.top = TOP + i / 2 * (HEAD + panel.rows * ROW + FOOT);
        draw_panel(file, &panel);
        svg_text(file, panel.left + WIDE / 2, bottom(&panel) + 46, SVG_MIDDLE, "s", "seconds after the first failure");
    }
    return svg_close(file);
}
