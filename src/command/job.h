/* Runs a program once, as a shell would. SPDX-License-Identifier: MIT */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Shells, env and timeout use the same exit statuses. */
enum { JOB_TIMED_OUT = 124, JOB_NOT_RUNNABLE = 126, JOB_NOT_FOUND = 127, JOB_SIGNAL = 128 };

struct job_end {
    int status; /* as in a shell's $?; always JOB_TIMED_OUT after a timeout */
    int signal; /* the signal that ended the program; 0: none */
    int error; /* the errno value if no process could be started; else 0 */
    bool timed_out;
};

/* After timeout_ms (UINT32_MAX: never) the program gets SIGTERM, and later SIGKILL; with the option
   group this is for all of its process group. Signals that come to us are passed on, if the
   terminal has not done so. Call signals_begin before. */
struct job_end job_run(const struct options *options, uint32_t timeout_ms);

#endif
