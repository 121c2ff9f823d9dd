/* What the fixture of Redis needs around its server. SPDX-License-Identifier: MIT */
#ifndef CHILD_H
#define CHILD_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* In the child of a fork: ends with its parent, where the system can do that. */
static inline void child_follows_parent(int signal_number)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal_number);
#else
    (void)signal_number;
#endif
}

/* Appends the words of a text to a command line. Blanks separate the words. The rest of the line is NULL. */
static inline void add_words(const char **line, char *text)
{
    char *word;
    while (*line)
        line++;
    for (word = strtok(text, " "); word; word = strtok(NULL, " "))
        *line++ = word;
}

/* Removes the folder with all that is in it. 0: it is removed. */
static inline int remove_folder(const char *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#endif
