/* Runs an example with Redis while the test writes to it and reads what it says. SPDX-License-Identifier: MIT */
#ifndef REDIS_PROGRAM_H
#define REDIS_PROGRAM_H

#include "redis_fixture.h"

static struct program {
    pid_t pid;
    int input;                  /* -1: closed */
    FILE *output;               /* its stdout and stderr */
    char said[64 * 1024];       /* so far */
} program;

/* In the child. */
static inline void exec_program(const char *options, const int *input, const int *output)
{
    static char port[8], copy[256];
    const char *line[32] = { PROGRAM, "--port", port };
    unsigned count = 3;
    snprintf(port, sizeof port, "%u", (unsigned)redis_port);
    snprintf(copy, sizeof copy, "%s", options);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        line[count++] = word;
    line[count] = NULL;
    close(input[1]);
    child_follows_parent(SIGKILL);
    if (dup2(input[0], 0) == 0 && dup2(output[1], 1) == 1 && dup2(output[1], 2) == 2)
        execv(line[0], (char *const *)(uintptr_t)line);
    _exit(127);
}

/* options: parted by blanks. A later option counts. */
static inline void start_program(const char *options)
{
    int input[2], output[2];
    assert_true(pipe(input) == 0 && pipe(output) == 0);
    program.said[0] = '\0';
    program.pid = fork();
    if (program.pid == 0)
        exec_program(options, input, output);
    assert_true(program.pid > 0);
    close(input[0]);
    close(output[1]);
    fcntl(input[1], F_SETFD, FD_CLOEXEC);   /* a server that is started later must not hold it open */
    program.input = input[1];
    program.output = fdopen(output[0], "r");
    assert_non_null(program.output);
}

static inline void say(const char *text)
{
    assert_int_equal(write(program.input, text, strlen(text)), strlen(text));
}

static inline bool read_line(void)
{
    size_t used = strlen(program.said);
    return fgets(program.said + used, (int)(sizeof program.said - used), program.output) != NULL;
}

/* Reads until a line that is new has the text in it. */
static inline void wait_until_it_says(const char *text)
{
    size_t used = strlen(program.said);
    while (!strstr(program.said + used, text))
        if (!read_line())
            fail_msg("\"%s\" is not in:\n%s", text, program.said);
}

/* Reads to the end. Returns the exit status, or -1 after a signal. */
static inline int exit_status(void)
{
    int status = 0;
    while (read_line())
        ;
    fclose(program.output);
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

/* After a test that failed on its way. */
static inline int kill_program(void **state)
{
    (void)state;
    if (program.pid > 0) {
        kill(program.pid, SIGKILL);
        waitpid(program.pid, NULL, 0);
        close(program.input);
        fclose(program.output);
    }
    program.pid = 0;
    return 0;
}

static inline void assert_said(const char *text)
{
    if (!strstr(program.said, text))
        fail_msg("\"%s\" is not in:\n%s", text, program.said);
}

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
