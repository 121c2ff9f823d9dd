/* Runs a program, and looks at what it prints. SPDX-License-Identifier: MIT

   The program leads a session, reads nothing, and writes to pipes. If it has not ended after
   PATIENCE_MS, the test fails. Use program_kill as the teardown of each test. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "support.h"

/* A row of a test's table may leave out its last members. */
#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

#define PATIENCE_MS 60000     /* for the slowest program on a loaded machine */

struct output {
    int fd;                     /* -1: it has ended */
    size_t length, seen;        /* seen: up to the end of what was awaited last */
    char bytes[64 * 1024];
};

static struct program {
    pid_t pid;                  /* 0: none is running */
    uint32_t began_ms;
    struct output out, err;
    int status;                 /* the exit status, or -N after signal N */
    void (*before)(void);       /* NULL, or called in the new process, to change what it inherits */
} program;

/* ---- starting ---- */

/* Whoever runs the tests may have opened more files, and may ignore some of the signals. */
static inline _Noreturn void program_become(const char *const *arguments)
{
    int number;
    for (number = 3; number < 256; number++)
        close(number);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    /* What survives a test that was killed does not keep a processor busy for ever. */
    setrlimit(RLIMIT_CPU, &(struct rlimit){ 300, 300 });
    for (number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    if (program.before)
        program.before();
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

/* With the words of this text, which blanks separate. */
static inline void program_start_words(const char *file, const char *format, ...)
{
    static char text[128 * 1024];
    const char *arguments[128] = { file };
    int count = 1, out[2], err[2], null = open("/dev/null", O_RDONLY);
    char *word;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (word = strtok(text, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    assert_true(pipe(out) == 0 && pipe(err) == 0);
    program.began_ms = real_now_ms();
    program.pid = fork();
    assert_true(program.pid >= 0);
    if (program.pid == 0 && setsid() > 0 && dup2(null, 0) == 0 && dup2(out[1], 1) == 1
        && dup2(err[1], 2) == 2)
        program_become(arguments);
    close(null);
    close(out[1]);
    close(err[1]);
    program.out = (struct output){ .fd = out[0] };
    program.err = (struct output){ .fd = err[0] };
}

/* ---- for program.before: nothing can be written to stdout ---- */

/* Where there is no /dev/full, stdout is open for reading alone. */
static inline void fill_disk(void)
{
    int full = open("/dev/full", O_WRONLY);
    dup2(full >= 0 ? full : open("/dev/null", O_RDONLY), 1);
}

static inline void close_stdout(void)
{
    close(1);
}

/* ---- reading ---- */

static inline void output_read(struct output *output)
{
    ssize_t count =
        read(output->fd, output->bytes + output->length, sizeof output->bytes - 1 - output->length);
    if (count <= 0) {
        close(output->fd);
        output->fd = -1;
        return;
    }
    output->length += (size_t)count;
    output->bytes[output->length] = '\0';
}

/* False: both outputs have ended. */
static inline bool program_read(void)
{
    struct pollfd ends[] = { { program.out.fd, POLLIN, 0 }, { program.err.fd, POLLIN, 0 } };
    uint32_t spent_ms;
    if (program.out.fd < 0 && program.err.fd < 0)
        return false;
    spent_ms = real_now_ms() - program.began_ms;
    if (spent_ms >= PATIENCE_MS || poll(ends, 2, (int)(PATIENCE_MS - spent_ms)) <= 0)
        fail_msg("it did not end in time after it said:\n%s%s", program.out.bytes,
                 program.err.bytes);
    if (ends[0].revents)
        output_read(&program.out);
    if (ends[1].revents)
        output_read(&program.err);
    return true;
}

/* Reads until the text comes after what was awaited before. */
static inline void await(struct output *output, const char *text)
{
    const char *found;
    while ((found = strstr(output->bytes + output->seen, text)) == NULL)
        if (!program_read())
            fail_msg("\"%s\" is not in:\n%s\nstderr:\n%s", text, output->bytes, program.err.bytes);
    output->seen = (size_t)(found - output->bytes) + strlen(text);
}

/* ---- ending ---- */

/* The output ends when the last process that could write to it has ended. */
static inline void program_end(void)
{
    int status = 0;
    while (program_read())
        ;
    waitpid(program.pid, &status, 0);
    program.pid = 0;
    program.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* For a test that failed before the program ended. SIGTERM is for a program that runs others. */
static inline int program_kill(void **state)
{
    struct pollfd end = { program.out.fd, POLLIN, 0 };
    (void)state;
    program.before = NULL;
    if (program.pid > 0 && kill(program.pid, SIGTERM) == 0 && kill(program.pid, SIGCONT) == 0) {
        poll(&end, 1, 1000);
        kill(program.pid, SIGKILL);
        waitpid(program.pid, NULL, 0);
    }
    program.pid = 0;
    return 0;
}

static inline void assert_status(int status)
{
    if (program.status != status)
        fail_msg("it ended with %d, not %d:\n%s%s", program.status, status, program.out.bytes,
                 program.err.bytes);
}

/* After Ctrl-C it says this and ends with 1, at once: in less than 5 s, for a busy machine. */
static inline void program_interrupt(const char *said)
{
    uint32_t since = real_now_ms();
    kill(program.pid, SIGINT);
    program_end();
    assert_true(real_now_ms() - since < 5000);
    assert_status(1);
    assert_contains(program.err.bytes, said);
}

#endif
