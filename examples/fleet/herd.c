/* Simulates a fleet of clients and a server in each jitter mode, with redial_begin and redial_next.
   SPDX-License-Identifier: MIT

       herd                                              1,000 clients, a server that needs 100 s for them
       herd --clients 100000 --retry-after slot          the same, and the server hands out places in a queue
       herd --outage 60 --capacity 100 --svg fleet.svg   nothing answers for a minute; it draws a picture, too
       herd --table answers                              the same Retry-After for everybody, side by side
       herd --table gates --clients 640 --workers 64 --jobs 100 --pause 1000 --capacity 100 --retry-after 1
                                                         processes that share a gate: which answers may close it
       herd --help                                       all options

   herd_model.h describes the model exactly. The same seed gives the same table on every machine. Ctrl-C ends the
   run with the table so far. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "herd.h"
#include "progress.h"
#include "show.h"

/* ---- one run, with progress ---- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

bool herd_interrupted(void)
{
    return interrupted;
}

struct watched {
    const char *name;
    const struct herd_setup *setup;
    struct progress *progress;
};

static bool watch(void *user, const struct herd_result *so_far)
{
    const struct watched *watched = user;
    char line[100];
    if (progress_due(watched->progress)) {
        snprintf(line, sizeof line, "%-6s  %s s simulated, %s %% served ", watched->name,
                 show_number(so_far->now_ms / 1000).text,
                 show_ratio(so_far->served, herd_requests(watched->setup), 100).text);
        progress_show(watched->progress, line);
    }
    return !interrupted;
}

bool herd_show_run(const char *name, const struct herd_setup *setup, struct herd_result *result)
{
    static struct progress progress;
    struct watched watched = { name, setup, &progress };
    struct herd_setup run = *setup;
    bool fine;
    if (!progress.begun_ms)
        progress = progress_begin();
    run.watch = watch;
    run.user = &watched;
    fine = herd_run(&run, result);
    progress_wipe(&progress);
    if (!fine)
        fprintf(stderr, "herd: no memory for %lu clients\n", (unsigned long)setup->clients);
    return fine;
}

/* ---- the table of the jitter modes, and its picture ---- */

static bool run_row(struct herd_row *row, const struct herd_task *task)
{
    row->setup = task->setup;
    row->setup.policy.jitter = row->jitter;
    row->run = herd_show_run(row->name, &row->setup, &row->result);
    return row->run;
}

static bool run_rows(struct herd_row *rows, const struct herd_task *task)
{
    uint32_t i;
    for (i = 0; i < HERD_ROWS; i++)
        if (task->mode == HERD_ALL_MODES || task->mode == (uint32_t)rows[i].jitter) {
            if (!run_row(&rows[i], task))
                return false;
            herd_print_row(&rows[i]);
            if (interrupted)    /* checked here, so that the row of an interrupted run is printed, too */
                break;
        }
    return true;
}

static bool draw_rows(const struct herd_row *rows, const char *path)
{
    bool fine = herd_picture(path, rows);
    if (!fine)
        fprintf(stderr, "herd: --svg %s: can't be written: %s\n", path, strerror(errno));
    return fine;
}

static bool modes(const struct herd_task *task)
{
    struct herd_row rows[HERD_ROWS] = { { .name = "none", .jitter = REDIAL_JITTER_NONE },
                                        { .name = "added", .jitter = REDIAL_JITTER_ADDED },
                                        { .name = "spread", .jitter = REDIAL_JITTER_SPREAD },
                                        { .name = "equal", .jitter = REDIAL_JITTER_EQUAL },
                                        { .name = "full", .jitter = REDIAL_JITTER_FULL } };
    bool fine;
    unsigned i;
    herd_print_head(&task->setup);
    fine = run_rows(rows, task);
    if (fine)
        herd_print_floor(&task->setup);
    if (fine && !interrupted && task->svg)
        fine = draw_rows(rows, task->svg);
    for (i = 0; i < HERD_ROWS; i++)
        herd_free(&rows[i].result);
    return fine;
}

int main(int argc, char **argv)
{
    struct herd_task task;
    bool fine;
    herd_read(argc, argv, &task);
    signal(SIGINT, interrupt);
    herd_print_setup(&task);
    fine = task.table == HERD_MODES ? modes(&task) : herd_grid(&task);
    return interrupted ? 130 : fine ? 0 : 1;
}
