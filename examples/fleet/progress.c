/* A line of progress on a terminal's stderr. SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#ifdef _WIN32
#include <io.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <unistd.h>
#endif

#include <redial.h>

#include "progress.h"

static uint32_t clock_ms(void)
{
    const struct redial_env *env = redial_system();
    return env->now_ms(env);
}

struct progress progress_begin(void)
{
    struct progress progress = { .begun_ms = clock_ms(), .terminal = isatty(fileno(stderr)) };
    return progress;
}

bool progress_due(struct progress *progress)
{
    uint32_t now_ms = progress->terminal ? clock_ms() : 0;
    if (!progress->terminal || now_ms - progress->begun_ms <= 1000 || now_ms - progress->shown_ms <= 100)
        return false;
    progress->shown_ms = now_ms;
    return true;
}

void progress_show(struct progress *progress, const char *line)
{
    progress->shown = true;
    fprintf(stderr, "\r%-70s\r%s", "", line);
}

void progress_wipe(struct progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r%70s\r", "");
    progress->shown = false;
}
