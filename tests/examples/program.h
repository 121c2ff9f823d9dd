/* Runs an example while the test writes to it and reads what it says, errors included. SPDX-License-Identifier: MIT */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "child.h"
#include "../unit/support.h"

static struct program {
    pid_t pid;
    int input;                       /* -1: closed */
    int output;                      /* its stdout and stderr */
    char said[64 * 1024];            /* so far */
    size_t length, awaited;          /* of it; up to the end of the line that was awaited last */
} program;

static inline void program_start(const char *const *line)
{
    int input[2], output[2];
    assert_true(pipe(input) == 0 && pipe(output) == 0);
    program.pid = fork();
    if (program.pid == 0) {
        close(input[1]);
        child_follows_parent(SIGKILL);
        if (dup2(input[0], 0) == 0 && dup2(output[1], 1) == 1 && dup2(output[1], 2) == 2)
            execv(line[0], (char *const *)(uintptr_t)line);
        _exit(127);
    }
    assert_true(program.pid > 0);
    close(input[0]);
    close(output[1]);
    fcntl(input[1], F_SETFD, FD_CLOEXEC);   /* a server that is started later must not hold it open */
    program.input = input[1];
    program.output = output[0];
    program.said[0] = '\0';
    program.length = program.awaited = 0;
}

static inline void say(const char *text)
{
    assert_int_equal(write(program.input, text, strlen(text)), strlen(text));
}

/* False: it has ended. */
static inline bool program_read(void)
{
    ssize_t more = read(program.output, program.said + program.length, sizeof program.said - 1 - program.length);
    if (more <= 0)
        return false;
    program.length += (size_t)more;
    program.said[program.length] = '\0';
    return true;
}

/* Reads until the text comes, in a line after the one that was awaited before. */
static inline void wait_until_it_says(const char *text)
{
    const char *found;
    while ((found = strstr(program.said + program.awaited, text)) == NULL)
        if (!program_read())
            fail_msg("\"%s\" is not in:\n%s", text, program.said);
    program.awaited = (size_t)(found - program.said) + strcspn(found, "\n");
}

/* Reads to the end. Returns the exit status, or -1 after a signal. */
static inline int exit_status(void)
{
    int status = 0;
    while (program_read())
        ;
    close(program.output);
    waitpid(program.pid, &status, 0);
    program.pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline int wait_until_it_ends(void)
{
    if (program.input >= 0)
        close(program.input);
    return exit_status();
}

/* The input stays open until the program has ended, so that the signal alone can be the reason. */
static inline int end_by(int signal_number)
{
    int status;
    kill(program.pid, signal_number);
    status = exit_status();
    close(program.input);
    return status;
}

/* For a test that failed before the program had ended. */
static inline int kill_program(void **state)
{
    if (program.pid > 0) {
        kill(program.pid, SIGKILL);
        wait_until_it_ends();
    }
    return 0;
}

#define assert_said(text) assert_contains(program.said, text)

static inline void assert_not_said(const char *text)
{
    if (strstr(program.said, text))
        fail_msg("\"%s\" is in:\n%s", text, program.said);
}

static inline unsigned times_said(const char *text)
{
    unsigned count = 0;
    for (const char *at = program.said; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

#endif
