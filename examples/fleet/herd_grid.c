/* The tables of herd with two dimensions: answers and jitter modes, or answers and gates.
   SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "herd.h"
#include "show.h"

#define COLUMNS 5u

struct line {
    const char *name;
    enum herd_answer answer;
    uint32_t after_s;
};

struct grid {
    const char *corner;         /* above the names of the lines */
    int wide;                   /* of those */
    const struct line *lines;   /* the last one has no name */
    const char *const *columns;
    bool share;                 /* tell how many were served */
    void (*vary)(struct herd_setup *setup, const struct line *line, unsigned column);
    const char *corner_too;     /* below corner */
    const char *note;
};

/* ---- answers and jitter modes ---- */

static const struct line answers[] = {
    { "none", HERD_PLAIN, 0 }, { "1", HERD_CONSTANT, 1 }, { "5", HERD_CONSTANT, 5 }, { "30", HERD_CONSTANT, 30 },
    { "60", HERD_CONSTANT, 60 }, { "a place", HERD_SLOT, 0 }, { NULL, HERD_PLAIN, 0 }
};
static const enum redial_jitter modes[COLUMNS] = {
    REDIAL_JITTER_NONE, REDIAL_JITTER_ADDED, REDIAL_JITTER_SPREAD, REDIAL_JITTER_EQUAL, REDIAL_JITTER_FULL
};
static const char *const mode_names[COLUMNS + 1] = { "none", "added", "spread", "equal", "full" };

static void vary_answer(struct herd_setup *setup, const struct line *line, unsigned column)
{
    setup->answer = line->answer;
    setup->after_s = line->after_s;
    setup->policy.jitter = modes[column];
}

/* ---- answers and gates ---- */

static const struct line senders[] = {
    { "429", HERD_CONSTANT, 0 }, { "503", HERD_PLAIN, 0 }, { NULL, HERD_PLAIN, 0 }
};
static const char *const gate_names[] = { "no gate", "closed on 429", "on 429 and 503", NULL };

/* Either the quota refuses requests, or the server can take all of them and one replica is bad. */
static void vary_gate(struct herd_setup *setup, const struct line *line, unsigned column)
{
    setup->gate = (enum herd_gate)column;
    if (line->answer == HERD_CONSTANT) {
        setup->bad_percent = 0;
        return;
    }
    setup->capacity = 1000000000;
    setup->per_ms = 1000;
    setup->window_ms = 0;
}

/* ---- printing ---- */

static bool wanted(const struct herd_task *task, unsigned column)
{
    return task->table == HERD_GATES || task->mode == HERD_ALL_MODES || task->mode == (uint32_t)modes[column];
}

static void print_head(const struct grid *grid, const struct herd_task *task)
{
    unsigned column;
    printf("%-*s", grid->wide, grid->corner);
    for (column = 0; grid->columns[column]; column++)
        if (wanted(task, column))
            printf(" %*s", grid->share ? 22 : 13, grid->columns[column]);
    printf("\n%-*s", grid->wide, grid->corner_too);
    for (column = 0; grid->columns[column]; column++)
        if (wanted(task, column))
            printf(grid->share ? "  served %7s %6s" : " %5s %7s", grid->share ? "wasted" : "calls", "after");
    printf("\n");
    fflush(stdout);
}

static void print_cell(const struct grid *grid, const struct herd_setup *setup, const struct herd_result *result)
{
    char after[40];
    if (result->gave_up)
        snprintf(after, sizeof after, "never");
    else if (result->served == herd_requests(setup))
        snprintf(after, sizeof after, "%s", show_ratio(result->last_served_ms, 1000, 1).text);
    else
        snprintf(after, sizeof after, ">%s", show_number(result->now_ms / 1000).text);
    if (grid->share)
        printf("  %5s%% %7s %6s", show_ratio(result->served, herd_requests(setup), 100).text,
               show_number(result->calls - result->served).text, after);
    else
        printf(" %5s %7s", show_ratio(result->calls, setup->clients, 1).text, after);
    fflush(stdout);
}

/* ---- the run ---- */

static bool run_cell(const struct grid *grid, const struct herd_task *task, const struct line *line, unsigned column)
{
    struct herd_setup setup = task->setup;
    struct herd_result result;
    grid->vary(&setup, line, column);
    if (!herd_show_run(line->name, &setup, &result))
        return false;
    if (!herd_interrupted())
        print_cell(grid, &setup, &result);
    herd_free(&result);
    return true;
}

static bool run_line(const struct grid *grid, const struct herd_task *task, const struct line *line)
{
    unsigned column;
    bool fine = true;
    printf("%-*s", grid->wide, line->name);
    fflush(stdout);
    for (column = 0; fine && grid->columns[column] && !herd_interrupted(); column++)
        if (wanted(task, column))
            fine = run_cell(grid, task, line, column);
    printf("%s\n", herd_interrupted() ? " (interrupted)" : "");
    return fine;
}

bool herd_grid(const struct herd_task *task)
{
    static const struct grid of_answers = { "Retry-", 7, answers, mode_names, false, vary_answer,
                                             "After", "calls: calls a client" };
    static const struct grid of_gates = { "answer", 7, senders, gate_names, true, vary_gate,
                                           "", "wasted: calls that were not served" };
    const struct grid *grid = task->table == HERD_GATES ? &of_gates : &of_answers;
    const struct line *line;
    bool fine = true;
    print_head(grid, task);
    for (line = grid->lines; fine && line->name && !herd_interrupted(); line++)
        fine = run_line(grid, task, line);
    printf("\n%s; after: seconds until all were served\n", grid->note);
    return fine;
}
