/* What the tests of the command share: COMMAND is the program. SPDX-License-Identifier: MIT */
#ifndef COMMAND_H
#define COMMAND_H

#define PATIENCE_MS 20000
#include "../common/program.h"

/* The options of most tests: waits of 1 ms, 2 ms, and so on. */
#define QUICK COMMAND, "--base", "1ms", "--mode", "none"
#define LONG COMMAND, "--mode", "none", "--cap", "1193h", "--base"
#define SH(script) "sh", "-c", script, NULL
#define ARGS(...) (const char *const[]){ __VA_ARGS__ }
#define START(...) program_start(ARGS(__VA_ARGS__))
#define RUN(...) program_run(ARGS(__VA_ARGS__))

static const char *row;     /* what is being tried, for a failure's message; NULL: nothing */

/* Each test has an empty folder, in which the program can count. */
static char folder[] = "command.XXXXXX";

static inline int enter(void **state)
{
    strcpy(strchr(folder, '.'), ".XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave(void **state)
{
    program_kill(state);
    unlink("runs");
    if (row)
        print_error("\nThe row that failed: %s\n", row);
    row = NULL;
    return chdir("..") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* Debian can do without ps, and other systems have no /proc. */
#define STATE(pid) "{ sed -n 's/^State:.//p' /proc/" pid "/status || ps -o state= -p " pid "; }" \
    " 2>/dev/null"

#endif
