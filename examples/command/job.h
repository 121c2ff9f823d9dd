/* Runs a program once, in a process group of its own. SPDX-License-Identifier: MIT */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stdint.h>

/* The exit statuses that shells, env and timeout use, too. */
enum { JOB_TIMED_OUT = 124, JOB_NOT_RUNNABLE = 126, JOB_NOT_FOUND = 127, JOB_SIGNAL = 128 };

struct job_end {
    int status;         /* what a shell would have in $?; JOB_TIMED_OUT, where it was, however it ended then */
    int signal;         /* the signal that ended it; 0: none */
    int error;          /* no process could be made, for this reason; 0: one was made */
    bool timed_out;
};

/* arguments[0] is looked up in PATH; NULL ends them. After timeout_ms (UINT32_MAX: never) the group gets SIGTERM, and
   after kill_ms more SIGKILL, if anything is left of it. Signals that come to us are passed on to the group. It needs
   signals_begin. */
struct job_end job_run(char *const arguments[], uint32_t timeout_ms, uint32_t kill_ms);

#endif
