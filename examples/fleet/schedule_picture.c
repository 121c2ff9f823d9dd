/* The picture of schedule: for each wait a line while it certainly runs, and a bar where it may end.
   SPDX-License-Identifier: MIT */
#include "schedule.h"
#include "svg.h"

#define MARGIN 12u
#define LEFT 84u
#define WIDE 590u
#define RIGHT 818u
#define TOP 112u
#define ROW 28u

static unsigned x_of(const struct schedule *schedule, uint64_t ms)
{
    return LEFT + (unsigned)(ms * WIDE / schedule->end_ms);
}

static void title(const struct schedule *schedule, char *out, size_t size)
{
    const struct redial_policy *policy = schedule->policy;
    int used = snprintf(out, size, "When a call retries: base %s ms, cap %s ms, ", show_number(policy->base_ms).text,
                        show_number(policy->cap_ms).text);
    if (policy->jitter <= REDIAL_JITTER_SPREAD)
        used += snprintf(out + used, size - (size_t)used, "jitter %s ms, ", show_number(policy->jitter_ms).text);
    snprintf(out + used, size - (size_t)used, "%s", schedule->mode);
}

static void legend(FILE *file, unsigned y)
{
    svg_box(file, LEFT, y - 7, 24, 4, "#aaa");
    svg_text(file, LEFT + 31, y, SVG_LEFT, "", "certainly waiting");
    svg_box(file, LEFT + 158, y - 10, 24, 11, "#000");
    svg_text(file, LEFT + 189, y, SVG_LEFT, "", "the retry comes somewhere in here");
    svg_text(file, RIGHT, y, SVG_RIGHT, "b", "its wait, seconds");
}

static void row(FILE *file, const struct schedule *schedule, uint32_t number, unsigned y)
{
    const struct schedule_wait *wait = &schedule->waits[number];
    unsigned from = x_of(schedule, wait->certain_ms), sure = x_of(schedule, wait->earliest_ms);
    unsigned to = x_of(schedule, wait->latest_ms);
    char text[80];
    snprintf(text, sizeof text, "retry %u", (unsigned)number + 1);
    svg_text(file, LEFT - 8, y + 14, SVG_RIGHT, "", text);
    svg_box(file, from, y + 8, sure - from, 4, "#aaa");
    svg_box(file, sure, y + 3, to > sure ? to - sure : 1, 14, "#000");
    snprintf(text, sizeof text, wait->least_ms == wait->most_ms ? "%s" : "%s to %s",
             schedule_seconds(schedule, wait->least_ms).text, schedule_seconds(schedule, wait->most_ms).text);
    svg_text(file, RIGHT, y + 14, SVG_RIGHT, "", text);
}

static void time_axis(FILE *file, const struct schedule *schedule, unsigned y)
{
    uint64_t step = svg_step(schedule->end_ms, 10), ms;
    for (ms = 0; ms <= schedule->end_ms; ms += step) {
        svg_line(file, x_of(schedule, ms), TOP, x_of(schedule, ms), y, "grid");
        svg_line(file, x_of(schedule, ms), y, x_of(schedule, ms), y + 5, "axis");
        svg_text(file, x_of(schedule, ms), y + 19, SVG_MIDDLE, "s",
                 step % 1000 ? show_digits(ms, 3).text : show_number(ms / 1000).text);
    }
    svg_line(file, LEFT, y, LEFT + WIDE, y, "axis");
    svg_text(file, LEFT + WIDE / 2, y + 38, SVG_MIDDLE, "", "seconds after the first failure");
}

bool schedule_picture(const char *path, const struct schedule *schedule)
{
    unsigned y = TOP + schedule->rows * ROW;
    char text[160];
    uint32_t i;
    FILE *file;
    title(schedule, text, sizeof text);
    file = svg_open(path, 830, y + 52, text);
    if (!file)
        return false;
    svg_text(file, MARGIN, 28, SVG_LEFT, "h", text);
    schedule_summary(schedule, text, sizeof text);
    svg_text(file, MARGIN, 51, SVG_LEFT, "", text);
    legend(file, 82);
    if (schedule->rows)
        time_axis(file, schedule, y);
    for (i = 0; i < schedule->rows; i++)
        row(file, schedule, i, TOP + i * ROW);
    fprintf(file, "</svg>\n");
    return svg_close(file);
}
