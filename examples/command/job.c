/* What job.h says. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"
#include "redial.h"
#include "signals.h"
#include "terminal.h"

#define LOOK_MS 10      /* how often we look whether anything is left of the group: no signal tells us that */

struct job {
    pid_t pid;          /* of the program, and the number of its group */
    bool ended;
    int status;         /* as waitpid has it */
    enum { RUNNING, ASKED_TO_END, KILLED } stage;
    uint32_t since_ms, limit_ms, kill_ms;    /* when the stage began, and how long it may last; UINT32_MAX: for ever */
};

static uint32_t now_ms(void)
{
    const struct redial_env *system = redial_system();
    return system->now_ms(system);
}

/* ---- beginning ---- */

static _Noreturn void become(char *const arguments[])
{
    int error;
    setpgid(0, 0);
    signals_restore();
    execvp(arguments[0], arguments);
    error = errno;
    fprintf(stderr, "redial: %s: %s\n", arguments[0], strerror(error));
    _exit(error == ENOENT ? JOB_NOT_FOUND : JOB_NOT_RUNNABLE);
}

/* Both processes make the group: whichever is the first, it is there before it is used. */
static pid_t begin(char *const arguments[])
{
    pid_t pid = fork();
    if (pid == 0)
        become(arguments);
    if (pid > 0)
        setpgid(pid, pid);
    return pid;
}

/* ---- following ---- */

/* To the group; to the program alone, where that has gone to another group. */
static void send_group(const struct job *job, int number)
{
    if (kill(-job->pid, number) != 0 && !job->ended)
        kill(job->pid, number);
}

/* A program that wants the terminal gets it, or waits with us in the background until it is ours. */
static bool follow_to_terminal(const struct job *job)
{
    if (terminal_give(job->pid))
        return true;
    return terminal_is_elsewhere() && kill(0, SIGSTOP) == 0;
}

/* Whoever waits for us has to know that the program was stopped: so we stop with it, and both go on together. What the
   terminal stops is a whole group, and so it is here. */
static void follow_stop(const struct job *job, int number)
{
    bool go_on = false;
    if (number == SIGTTIN || number == SIGTTOU)
        go_on = follow_to_terminal(job);
    else if (number == SIGTSTP)
        go_on = kill(terminal_take() ? 0 : getpid(), SIGSTOP) == 0;
    if (go_on)
        send_group(job, SIGCONT);
}

/* A Ctrl-C came to the program alone if the terminal was the program's. */
static void follow_end(struct job *job)
{
    int number = WIFSIGNALED(job->status) ? WTERMSIG(job->status) : 0;
    job->ended = true;
    if (terminal_take() && (number == SIGINT || number == SIGQUIT))
        signals_end_by(number);
}

static void follow(struct job *job)
{
    while (!job->ended && waitpid(job->pid, &job->status, WNOHANG | WUNTRACED) == job->pid) {
        if (WIFSTOPPED(job->status))
            follow_stop(job, WSTOPSIG(job->status));
        else
            follow_end(job);
    }
}

/* ---- ending ---- */

static uint32_t left_ms(const struct job *job)
{
    uint32_t spent_ms = now_ms() - job->since_ms;
    if (job->limit_ms == UINT32_MAX)
        return UINT32_MAX;
    return spent_ms < job->limit_ms ? job->limit_ms - spent_ms : 0;
}

static void next_stage(struct job *job)
{
    bool first = job->stage == RUNNING;
    send_group(job, first ? SIGTERM : SIGKILL);
    send_group(job, SIGCONT);     /* what is stopped would not end */
    job->stage = first ? ASKED_TO_END : KILLED;
    job->since_ms = now_ms();
    job->limit_ms = first ? job->kill_ms : UINT32_MAX;
}

/* A program that ended by itself may leave others behind: a service, say. One that was too slow may not. */
static bool over(const struct job *job)
{
    return job->ended && (job->stage != ASKED_TO_END || (kill(-job->pid, 0) != 0 && errno == ESRCH));
}

static void see_to_the_end(struct job *job)
{
    for (;;) {
        uint32_t left = left_ms(job);
        int number;
        follow(job);
        if (over(job))
            return;
        if (left == 0)
            next_stage(job);
        else
            signals_wait(job->ended && left > LOOK_MS ? LOOK_MS : left);
        while ((number = signals_take()) != 0)
            send_group(job, number);
    }
}

static struct job_end end_of(const struct job *job)
{
    struct job_end end = { .timed_out = job->stage != RUNNING };
    if (end.timed_out)
        end.status = JOB_TIMED_OUT;
    else if (WIFEXITED(job->status))
        end.status = WEXITSTATUS(job->status);
    else {
        end.signal = WTERMSIG(job->status);
        end.status = JOB_SIGNAL + end.signal;
    }
    return end;
}

struct job_end job_run(char *const arguments[], uint32_t timeout_ms, uint32_t kill_ms)
{
    struct job job = { .since_ms = now_ms(), .limit_ms = timeout_ms, .kill_ms = kill_ms };
    job.pid = begin(arguments);
    if (job.pid < 0)
        return (struct job_end){ .status = JOB_NOT_RUNNABLE, .error = errno };
    see_to_the_end(&job);
    return end_of(&job);
}
