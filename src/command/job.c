/* Implements job.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"
#include "output.h"
#include "redial.h"
#include "signals.h"
#include "terminal.h"

#define LOOK_MS 10 /* how often we check whether the group is empty; there is no signal for that */

struct job {
    pid_t pid; /* of the program, and the number of its group */
    bool ended;
    bool interrupted; /* a signal came when it had ended, but not its output */
    int status; /* from waitpid */
    enum { RUNNING, ASKED_TO_END, KILLED } stage;
    uint32_t since_ms; /* when the stage began */
    uint32_t limit_ms; /* how long it may last; UINT32_MAX: for ever */
    uint32_t kill_ms;
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
    output_become();
    signals_restore();
    execvp(arguments[0], arguments);
    error = errno;
    fprintf(stderr, "redial: %s: %s\n", arguments[0], strerror(error));
    _exit(error == ENOENT || error == ENOTDIR ? JOB_NOT_FOUND : JOB_NOT_RUNNABLE);
}

/* Both processes create the group, so it exists before it is used, whichever process is first. */
static pid_t begin(char *const arguments[])
{
    pid_t pid = fork();
    if (pid == 0)
        become(arguments);
    if (pid > 0)
        setpgid(pid, pid);
    output_started();
    return pid;
}

/* ---- following ---- */

/* Sends the signal to the group, or to the program alone if that has moved to another group. */
static void send_group(const struct job *job, int number)
{
    if (kill(-job->pid, number) != 0 && !job->ended)
        kill(job->pid, number);
}

/* Gives the terminal to a program that needs it. In the background, both stop until the terminal
   is ours. If they were continued there, or if no shell could continue them, SIGTTIN would not
   stop them for long. */
static bool follow_to_terminal(const struct job *job)
{
    bool elsewhere = terminal_is_elsewhere();
    if (elsewhere)
        signals_stop_by(SIGTTIN, true);
    while (terminal_is_elsewhere())
        kill(0, SIGSTOP);
    return terminal_give(job->pid) || elsewhere;
}

/* Our parent must see that the program was stopped, and why: it may be another redial. So we stop
   with it, and both continue together. The terminal stops a whole group, and so do we. */
static void follow_stop(const struct job *job, int number)
{
    bool go_on = number == SIGTSTP;
    if (number == SIGTTIN || number == SIGTTOU)
        go_on = follow_to_terminal(job);
    else if (go_on)
        signals_stop_by(SIGTSTP, terminal_take());
    if (go_on)
        send_group(job, SIGCONT);
}

/* If the program had the terminal, only the program got the Ctrl-C, and not we. */
static void follow_end(struct job *job)
{
    int number = WIFSIGNALED(job->status) ? WTERMSIG(job->status) : 0;
    job->ended = true;
    if (terminal_take() && (number == SIGINT || number == SIGQUIT))
        signals_end_by(number);
}

static void follow(struct job *job)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid != job->pid) /* process 1 gets the orphans of all others */
            continue;
        job->status = status;
        if (WIFSTOPPED(status))
            follow_stop(job, WSTOPSIG(status));
        else
            follow_end(job);
    }
}

void job_reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

/* ---- ending ---- */

static uint32_t left_ms(const struct job *job)
{
    uint32_t spent_ms = now_ms() - job->since_ms;
    if (job->limit_ms == UINT32_MAX)
        return UINT32_MAX;
    return spent_ms < job->limit_ms ? job->limit_ms - spent_ms : 0;
}

/* A stopped process would not end. */
static void ask_to_end(const struct job *job, int number)
{
    send_group(job, number);
    send_group(job, SIGCONT);
}

static void pass_on(struct job *job, int number)
{
    if (number != SIGTSTP) {
        ask_to_end(job, number);
        job->interrupted = job->ended;
        return;
    }
    send_group(job, number);
    if (job->ended)
        follow_stop(job, number);
}

static void next_stage(struct job *job)
{
    bool first = job->stage == RUNNING;
    ask_to_end(job, first ? SIGTERM : SIGKILL);
    job->stage = first ? ASKED_TO_END : KILLED;
    job->since_ms = now_ms();
    job->limit_ms = first ? job->kill_ms : UINT32_MAX;
}

/* If the output is held, others may be writing the rest of it when the program has ended. After a
   signal, only a success needs it. */
static bool output_ended(const struct job *job)
{
    return output_fd() < 0 || job->interrupted || (signals_ending() != 0 && job->status != 0);
}

/* A program that ended by itself may leave processes behind, for example a service. One that timed
   out may not. */
static bool over(const struct job *job)
{
    if (job->stage == RUNNING)
        return job->ended && output_ended(job);
    return job->ended && (job->stage == KILLED || (kill(-job->pid, 0) != 0 && errno == ESRCH));
}

/* Until when we need not look: the end of the stage, if nothing happens. */
static uint32_t calm_ms(const struct job *job, uint32_t left)
{
    bool look = job->ended && job->stage == ASKED_TO_END;
    return look && left > LOOK_MS ? LOOK_MS : left;
}

static void see_to_the_end(struct job *job)
{
    for (;;) {
        uint32_t left = left_ms(job);
        int number;
        follow(job);
        output_read();
        if (over(job))
            return;
        if (left == 0)
            next_stage(job);
        else
            signals_wait(calm_ms(job, left), output_fd());
        while ((number = signals_take()) != 0)
            pass_on(job, number);
    }
}

static struct job_end end_of(const struct job *job)
{
    int status = job->status; /* Apple's macros take the address, and cast const away */
    struct job_end end = { .timed_out = job->stage != RUNNING };
    if (end.timed_out)
        end.status = JOB_TIMED_OUT;
    else if (WIFEXITED(status) && !job->interrupted)
        end.status = WEXITSTATUS(status);
    else {
        end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : signals_ending();
        end.status = JOB_SIGNAL + end.signal;
    }
    return end;
}

struct job_end job_run(char *const arguments[], uint32_t timeout_ms, uint32_t kill_ms)
{
    struct job_end end;
    struct job job = { .since_ms = now_ms(), .limit_ms = timeout_ms, .kill_ms = kill_ms };
    job.pid = begin(arguments);
    if (job.pid < 0)
        return (struct job_end){ .status = JOB_NOT_RUNNABLE, .error = errno };
    see_to_the_end(&job);
    end = end_of(&job);
    terminal_settle(end.signal != 0 || end.timed_out);
    return end;
}
