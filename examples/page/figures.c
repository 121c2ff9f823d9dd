/* The figures of a run as text. SPDX-License-Identifier: MIT */
#include <string.h>

#include "../../src/command/show.h"
#include "figures.h"

static void add(char text[FIGURES_SIZE], const char *more)
{
    size_t used = strlen(text), length = strlen(more);
    if (used + length < FIGURES_SIZE)
        memcpy(text + used, more, length + 1);
}

static void add_figure(char text[FIGURES_SIZE], struct shown figure, const char *unit)
{
    add(text, figure.text);
    add(text, unit);
    add(text, "|");
}

static void add_all_served(char text[FIGURES_SIZE], const struct herd_setup *setup, const struct herd_result *result)
{
    if (result->served == herd_requests(setup)) {
        add_figure(text, show_ratio(result->last_served_ms, 1000, 1), " s");
    } else if (result->gave_up) {
        add(text, "never|");
    } else {
        add(text, "> ");
        add_figure(text, show_ratio(result->now_ms, 1000, 1), " s");
    }
}

/* The peak is of a second. */
static struct shown times_capacity(const struct herd_setup *setup, const struct herd_result *result)
{
    return show_ratio((uint64_t)herd_peak(setup, result, 1000) * (setup->per_ms ? setup->per_ms : 1000),
                      (uint64_t)setup->capacity * 1000, 1);
}

void figures_of_run(const struct herd_setup *setup, const struct herd_result *result, char text[FIGURES_SIZE])
{
    uint32_t requests = herd_requests(setup);
    text[0] = '\0';
    add_figure(text, show_ratio(result->calls, requests, 1), "");
    add_all_served(text, setup, result);
    add_figure(text, show_ratio(result->early, requests, 100), " %");
    add_figure(text, show_ratio(herd_peak(setup, result, 1000), setup->clients, 100), " %");
    add_figure(text, show_number(result->calls - result->served), "");
    add_figure(text, show_number(result->gave_up), "");
    add_figure(text, times_capacity(setup, result), "");
    add_figure(text, show_ratio(result->served, requests, 100), " %");
    add_figure(text, show_number(result->served), "");
}

void figures_of_floor(const struct herd_setup *setup, char text[FIGURES_SIZE])
{
    text[0] = '\0';
    add_figure(text, show_ratio(herd_least_calls(setup), herd_requests(setup), 1), "");
    add_figure(text, show_ratio(herd_least_ms(setup, herd_requests(setup)), 1000, 1), " s");
}
