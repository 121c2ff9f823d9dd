/* Implements job.h. SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"
#include "output.h"
#include "redial.h"
#include "signals.h"

#define STOP_MS 1000 /* a program that has not stopped by then may be one that does not */
#define LOOK_MS 20 /* how often we check whether the group is empty; there is no signal for that */

struct job {
    const struct options *options;
    pid_t pid; /* of the program, and the number of its group */
    bool ended; /* it is reaped when the attempt is over: until then the number is no other's */
    bool failed;
    bool timed_out;
    bool interrupted; /* a signal came when it had ended, but not its output */
    enum { RUNNING, ASKED_TO_END, KILLED } stage;
    uint32_t since_ms; /* when the stage began */
    uint32_t limit_ms; /* how long it may last; UINT32_MAX: for ever */
};

static uint32_t now_ms(void)
{
    const struct redial_env *system = redial_system();
    return system->now_ms(system);
}

/* ---- beginning ---- */

static _Noreturn void become(const struct options *options)
{
    int error;
    if (options->group)
        setpgid(0, 0);
    output_become();
    signals_restore();
    execvp(options->program[0], options->program);
    error = errno;
    fprintf(stderr, "redial: %s: %s\n", options->program[0], strerror(error));
    _exit(error == ENOENT || error == ENOTDIR ? JOB_NOT_FOUND : JOB_NOT_RUNNABLE);
}

/* Both processes create the group, so it exists before it is used, whichever process is first. */
static pid_t begin(const struct options *options)
{
    pid_t pid = signals_fork();
    if (pid == 0)
        become(options);
    if (pid > 0 && options->group)
        setpgid(pid, pid);
    return pid;
}

/* ---- signals ---- */

static void send_signal(const struct job *job, int number)
{
    if (!job->options->group || kill(-job->pid, number) != 0)
        kill(job->pid, number);
}

/* A stopped process would not end. */
static void ask_to_end(const struct job *job, int number)
{
    send_signal(job, number);
    send_signal(job, SIGCONT);
}

/* Looks for a child that has ended, and does not reap it. */
static bool find_child(idtype_t which, pid_t pid, int what, siginfo_t *child)
{
    child->si_pid = 0;
    return waitid(which, (id_t)pid, child, what | WEXITED | WNOHANG | WNOWAIT) == 0
           && child->si_pid != 0;
}

/* After the program, which gets the signal from the terminal, too: the shell takes the terminal
   when we stop. */
static void stop(const struct job *job)
{
    uint32_t began_ms = now_ms(), spent_ms = 0;
    siginfo_t child;
    if (job->options->group)
        send_signal(job, SIGTSTP);
    while (spent_ms < STOP_MS && !find_child(P_PID, job->pid, WSTOPPED, &child)) {
        signals_wait(STOP_MS - spent_ms, -1);
        spent_ms = now_ms() - began_ms;
    }
    signals_stop();
    if (job->options->group)
        send_signal(job, SIGCONT);
}

/* The terminal sends those that interrupt to our whole group, and so to the program. */
static void pass_on(const struct job *job, int number)
{
    if (number == SIGTSTP)
        stop(job);
    else if (job->options->group || !signals_interrupts(number))
        ask_to_end(job, number);
}

/* ---- following ---- */

static void take_signals(struct job *job)
{
    bool ended = job->ended;
    int number;
    while ((number = signals_take()) != 0) {
        pass_on(job, number);
        job->interrupted |= ended && number != SIGTSTP;
    }
}

/* Process 1 gets the orphans of all others. The signals that came until now came in the attempt. */
static void follow(struct job *job)
{
    siginfo_t child;
    while (!job->ended && find_child(P_ALL, 0, 0, &child))
        if (child.si_pid != job->pid)
            waitpid(child.si_pid, NULL, 0);
        else {
            signals_wait(0, -1);
            take_signals(job);
            job->failed = child.si_code != CLD_EXITED || child.si_status != 0;
            job->ended = true;
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
    uint32_t kill_ms = job->options->kill_ms;
    if (first)
        job->timed_out = !job->ended;
    ask_to_end(job, first ? SIGTERM : SIGKILL);
    job->stage = first ? ASKED_TO_END : KILLED;
    job->since_ms = now_ms();
    job->limit_ms = first && kill_ms ? kill_ms : UINT32_MAX;
}

/* Others in the group of a program that has ended, and is not reaped. On Linux kill() finds the
   program itself; elsewhere it finds only processes that run. */
static bool others_run(pid_t group)
{
    DIR *processes = kill(-group, 0) == 0 ? opendir("/proc") : NULL;
    struct dirent *process;
    bool found = false;
    while (processes && !found && (process = readdir(processes)) != NULL) {
        pid_t pid = (pid_t)atol(process->d_name);
        found = pid > 0 && pid != group && getpgid(pid) == group
                && waitpid(pid, NULL, WNOHANG) != pid; /* process 1 reaps them here */
    }
    if (processes)
        closedir(processes);
    return found;
}

/* If the output is held, others may be writing the rest of it when the program has ended. After a
   signal, only a success needs it. */
static bool output_ended(const struct job *job)
{
    return output_fd() < 0 || job->interrupted || (signals_ending() != 0 && job->failed);
}

/* A program that ended by itself may leave processes behind, for example a service. In a group, one
   that timed out may not. */
static bool over(const struct job *job)
{
    if (job->stage == RUNNING)
        return job->ended && output_ended(job);
    return job->ended && (job->stage == KILLED || !job->options->group || !others_run(job->pid));
}

/* It looks before it waits: what came in signals_fork wakes nobody up. */
static void see_to_the_end(struct job *job)
{
    for (;;) {
        uint32_t left = left_ms(job);
        take_signals(job);
        follow(job);
        output_read();
        if (over(job))
            return;
        if (left == 0)
            next_stage(job);
        else
            signals_wait(job->stage == ASKED_TO_END && left > LOOK_MS ? LOOK_MS : left,
                         output_fd());
    }
}

static struct job_end end_of(const struct job *job)
{
    struct job_end end = { .status = JOB_TIMED_OUT, .timed_out = job->timed_out };
    int status = 0;
    waitpid(job->pid, &status, 0);
    if (end.timed_out)
        return end;
    if (job->interrupted)
        end.signal = signals_ending();
    else if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    end.status = end.signal ? JOB_SIGNAL + end.signal : WEXITSTATUS(status);
    return end;
}

struct job_end job_run(const struct options *options, uint32_t timeout_ms)
{
    struct job job = { .options = options, .since_ms = now_ms(), .limit_ms = timeout_ms };
    int error;
    job.pid = begin(options);
    error = errno;
    output_started();
    if (job.pid < 0)
        return (struct job_end){ .status = JOB_NOT_RUNNABLE, .error = error };
    see_to_the_end(&job);
    return end_of(&job);
}
