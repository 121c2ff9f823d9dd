/* What a fleet of clients does to a server, by jitter mode: a simulation on redial_begin and redial_next.
   SPDX-License-Identifier: MIT

       herd                                              1,000 clients, a server that needs 100 s for them
       herd --clients 100000 --retry-after slot          the same, and the server hands out places in a queue
       herd --outage 60 --capacity 100 --svg fleet.svg   after a minute of no answer, with a picture
       herd --help                                       all options

   herd_model.h says exactly what is modelled. The same seed gives the same table on every machine. Ctrl-C ends the
   run with the table so far. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <unistd.h>
#endif

#include "herd.h"
#include "show.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* ---- progress: on a terminal's stderr, once the run has taken a second ---- */

struct progress {
    const char *name;
    uint32_t clients, begun_ms, shown_ms;
    bool terminal, shown;
};

static struct progress begin_progress(uint32_t clients)
{
    const struct redial_env *world = redial_system();
    struct progress progress = { .clients = clients, .begun_ms = world->now_ms(world),
                                 .terminal = isatty(fileno(stderr)) };
    return progress;
}

static bool watch(void *user, const struct herd_result *so_far)
{
    struct progress *progress = user;
    const struct redial_env *world = redial_system();
    uint32_t now_ms;
    if (progress->terminal) {
        now_ms = world->now_ms(world);
        if (now_ms - progress->begun_ms > 1000 && now_ms - progress->shown_ms > 100) {
            progress->shown_ms = now_ms;
            progress->shown = true;
            fprintf(stderr, "\r%-6s  %s s simulated, %s %% served ", progress->name,
                    show_number(so_far->now_ms / 1000).text, show_ratio(so_far->served, progress->clients, 100).text);
        }
    }
    return !interrupted;
}

static void wipe(struct progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r%60s\r", "");
    progress->shown = false;
}

/* ---- the run ---- */

static bool run_row(struct herd_row *row, const struct herd_task *task, struct progress *progress)
{
    progress->name = row->name;
    row->setup = task->setup;
    row->setup.watch = watch;
    row->setup.user = progress;
    row->setup.policy.jitter = row->jitter;
    row->run = herd_run(&row->setup, &row->result);
    wipe(progress);
    if (!row->run)
        fprintf(stderr, "herd: no memory for %lu clients\n", (unsigned long)task->setup.clients);
    return row->run;
}

static bool run_rows(struct herd_row *rows, const struct herd_task *task)
{
    struct progress progress = begin_progress(task->setup.clients);
    uint32_t i;
    for (i = 0; i < HERD_ROWS; i++)
        if (task->mode == HERD_ALL_MODES || task->mode == (uint32_t)rows[i].jitter) {
            if (!run_row(&rows[i], task, &progress))
                return false;
            herd_print_row(&rows[i]);
            if (interrupted)    /* asked here, so that there is a row to tell how far it got */
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

int main(int argc, char **argv)
{
    struct herd_row rows[HERD_ROWS] = { { .name = "none", .jitter = REDIAL_JITTER_NONE },
                                        { .name = "added", .jitter = REDIAL_JITTER_ADDED },
                                        { .name = "spread", .jitter = REDIAL_JITTER_SPREAD },
                                        { .name = "equal", .jitter = REDIAL_JITTER_EQUAL },
                                        { .name = "full", .jitter = REDIAL_JITTER_FULL } };
    struct herd_task task;
    bool fine;
    unsigned i;
    herd_read(argc, argv, &task);
    signal(SIGINT, interrupt);
    herd_print_head(&task.setup);
    fine = run_rows(rows, &task);
    if (fine)
        herd_print_floor(&task.setup);
    if (fine && !interrupted && task.svg)
        fine = draw_rows(rows, task.svg);
    for (i = 0; i < HERD_ROWS; i++)
        herd_free(&rows[i].result);
    return interrupted ? 130 : fine ? 0 : 1;
}
