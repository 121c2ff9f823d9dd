/* Simulates a fleet of clients and a server in each jitter mode, with redial_begin and redial_next.
   SPDX-License-Identifier: MIT

       herd                                          1,000 clients; the server needs 100 s
       herd --clients 100000 --retry-after 60        everybody gets the same Retry-After
       herd --outage 60 --capacity 100 --seconds     nothing answers for a minute; for gnuplot
       herd --clients 640 --workers 64 --jobs 100 --pause 1s --capacity 100 --retry-after 1 \
            --gate 429                               processes of 64 clients, which share a gate
       herd --help                                   all options

   herd_model.h describes the model exactly. The same seed gives the same table on every machine.
   Ctrl-C ends the run with the table so far. */
#include <signal.h>
#include <stdio.h>

#include "../common/stdout.h"
#include "herd.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool watch(const struct herd_result *so_far)
{
    (void)so_far;
    return !interrupted;
}

static bool run_row(struct herd_row *row, const struct herd_task *task)
{
    row->setup = task->setup;
    row->setup.policy.jitter = row->jitter;
    row->setup.watch = watch;
    row->run = herd_run(&row->setup, &row->result);
    if (!row->run)
        fprintf(stderr, "herd: no memory for %lu clients\n", (unsigned long)row->setup.clients);
    else if (!task->seconds)
        herd_print_row(row);
    return row->run;
}

/* The row of an interrupted run is printed, too, so there is always one. */
static bool run_rows(struct herd_row *rows, const struct herd_task *task)
{
    bool fine = true;
    unsigned i;
    for (i = 0; i < HERD_ROWS && fine; i++)
        if (task->mode == HERD_ALL_MODES || task->mode == (uint32_t)rows[i].jitter)
            fine = run_row(&rows[i], task) && !interrupted;
    return fine || interrupted;
}

static bool run(struct herd_row *rows, const struct herd_task *task)
{
    if (!task->seconds)
        herd_print_head(&task->setup);
    if (!run_rows(rows, task))
        return false;
    if (task->seconds)
        herd_print_seconds(rows);
    else
        herd_print_floor(&task->setup);
    return true;
}

int main(int argc, char **argv)
{
    struct herd_row rows[HERD_ROWS] = { { .name = "none", .jitter = REDIAL_JITTER_NONE },
                                        { .name = "added", .jitter = REDIAL_JITTER_ADDED },
                                        { .name = "wide", .jitter = REDIAL_JITTER_WIDE },
                                        { .name = "full", .jitter = REDIAL_JITTER_FULL } };
    struct herd_task task;
    bool fine;
    unsigned i;
    herd_read(argc, argv, &task);
    signal(SIGINT, interrupt);
    fine = run(rows, &task);
    for (i = 0; i < HERD_ROWS; i++)
        herd_free(&rows[i].result);
    return stdout_end("herd", interrupted ? 130 : fine ? EXIT_SUCCESS : EXIT_FAILURE);
}
