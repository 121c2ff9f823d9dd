/* Runs an example with Redis. SPDX-License-Identifier: MIT */
#ifndef REDIS_PROGRAM_H
#define REDIS_PROGRAM_H

#include "program.h"
#include "redis_fixture.h"

/* Blanks separate the options. If an option comes twice, the last one counts. */
static inline void start_program(const char *options)
{
    char port[8], words[256];
    const char *line[32] = { PROGRAM, "--port", port };
    snprintf(port, sizeof port, "%u", (unsigned)redis_port);
    snprintf(words, sizeof words, "%s", options);
    add_words(line, words);
    program_start(line);
}

#endif
