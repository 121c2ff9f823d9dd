/* Runs a program and keeps what it prints. SPDX-License-Identifier: MIT */
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

struct child {
    pid_t pid;
    int exit_status;             /* -1: a signal ended it */
    char out_file[512], err_file[512];
    char out[64 * 1024], err[64 * 1024];   /* as much of both as fits, ended by a NUL */
};

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

static inline void child_start(struct child *child, const char *dir, const char *const *arguments)
{
    snprintf(child->out_file, sizeof child->out_file, "%s/out", dir);
    snprintf(child->err_file, sizeof child->err_file, "%s/err", dir);
    unlink(child->out_file);
    unlink(child->err_file);
    child->out[0] = child->err[0] = '\0';
    child->pid = fork();
    if (child->pid == 0) {
        int out = open(child->out_file, O_WRONLY | O_CREAT, 0600);
        int err = open(child->err_file, O_WRONLY | O_CREAT, 0600);
        child_follows_parent(SIGKILL);
        if (dup2(out, 1) == 1 && dup2(err, 2) == 2)
            execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
}

static inline void child_read(const char *file, char *text, size_t size)
{
    FILE *stream = fopen(file, "r");
    text[0] = '\0';
    if (stream) {
        text[fread(text, 1, size - 1, stream)] = '\0';
        fclose(stream);
    }
}

static inline void child_finish(struct child *child)
{
    int status = 0;
    waitpid(child->pid, &status, 0);
    child->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child_read(child->out_file, child->out, sizeof child->out);
    child_read(child->err_file, child->err, sizeof child->err);
}

#endif
