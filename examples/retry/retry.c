/* retry: runs a program until its exit status is 0. It needs POSIX. SPDX-License-Identifier: MIT

   An entrypoint of a container that waits for its database, and retries nothing else:

       exec retry -s 75 sh -c 'pg_isready || exit 75; exec app'

   It is no supervisor: what ended with 0 is not started again, and nobody looks after orphans. A
   time limit ends the program, but not its group: `retry timeout -k 2 600 script` does that.
   A file on stdin is read from its beginning by each attempt. What came from a pipe is gone. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "redial.h"

enum { NO_PROCESS = 71, TIMED_OUT = 124, NOT_RUNNABLE = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };

static const char usage[] =
    "usage: retry [options] program [arguments]: runs it until its exit status is 0\n"
    "  -w SECONDS  the first wait; each one is about twice as long as the last [1]\n"
    "  -W SECONDS  the longest wait [32, or twice the first if that is more]\n"
    "  -r N        retries after the first attempt [5]\n"
    "  -t SECONDS  the limit of an attempt: SIGTERM, and SIGKILL 2 s later [none]\n"
    "  -T SECONDS  the limit of all attempts and waits [none]\n"
    "  -s STATUS   retry this exit status; repeat it for more [all but 126 and 127]\n"
    "  -q          say nothing about retries\n"
    "It exits with the last status: 128+N after signal N, 124 if a limit ended the program.\n";

/* WIDE, because many machines may run the same program at the same time. */
static struct redial_policy policy = { .base_ms = 1000, .max_retries = 5,
                                       .jitter = REDIAL_JITTER_WIDE };
static bool chosen[256], any_chosen, quiet;
static sigset_t mask;                   /* the signals that are blocked in the program */
static volatile sig_atomic_t ending;    /* the first signal that ends the retries; 0: none came */
static const int caught[] = { SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM };
static struct sigaction before[sizeof caught / sizeof *caught];
static pid_t program;                   /* the process that runs; 0: none */
static int end;                         /* how it ended, for WIFEXITED */

/* Only `cancelled` and `wait_ms` let it in. The terminal sends Ctrl-C and Ctrl-\ to the program,
   too. Where the system does not say who sent them, as on OpenBSD, it gets a second one. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    bool terminal = info->si_code > 0 && info->si_code != SI_USER;
    (void)context;
    if (!ending && number != SIGCHLD)
        ending = number;
    if (program && number != SIGCHLD && !(terminal && (number == SIGINT || number == SIGQUIT)))
        kill(program, number);
}

/* What is ignored, as by nohup, stays so. But if SIGCHLD did, exit statuses would be lost. */
static void catch_signals(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO, .sa_sigaction = on_signal };
    sigfillset(&action.sa_mask);
    sigprocmask(SIG_SETMASK, &action.sa_mask, &mask);
    sigdelset(&mask, SIGCHLD);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        sigaction(caught[i], &action, &before[i]);
        if (before[i].sa_handler == SIG_IGN && caught[i] != SIGCHLD)
            sigaction(caught[i], &before[i], NULL);
    }
}

static bool cancelled(const struct redial_env *env)
{
    sigset_t blocked;
    (void)env;
    sigprocmask(SIG_SETMASK, &mask, &blocked);   /* what has come is handled here */
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    return ending != 0;
}

/* False: the program has ended or, if none runs, a signal has come. True: before that, ms have
   passed (UINT32_MAX: never). A signal that comes before pselect is blocked until then. */
static bool wait_ms(const struct redial_env *env, uint32_t ms)
{
    uint32_t since_ms = env->now_ms(env);
    while (program ? waitpid(program, &end, WNOHANG) == 0 : !ending) {
        uint32_t spent_ms = env->now_ms(env) - since_ms, left_ms = ms - spent_ms;
        struct timespec left = { (time_t)(left_ms / 1000), (long)(left_ms % 1000) * 1000000 };
        if (spent_ms >= ms && ms != UINT32_MAX)
            return true;
        pselect(0, NULL, NULL, NULL, &left, &mask);
    }
    return false;
}

static _Noreturn void become(char **words)
{
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)   /* a signal may be here already */
        sigaction(caught[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    execvp(words[0], words);
    const int error = errno;
    fprintf(stderr, "retry: %s: %s\n", words[0], strerror(error));
    _exit(error == ENOENT || error == ENOTDIR ? NOT_FOUND : NOT_RUNNABLE);
}

/* One attempt. Returns the status as in a shell's $?. */
static int run(char **words, const struct redial_env *env, uint32_t limit_ms)
{
    pid_t pid = fork();
    if (pid == 0)
        become(words);
    if (pid < 0)
        return perror("retry: can't start a process"), NO_PROCESS;   /* that may pass */
    if (cancelled(env))   /* a Ctrl-C came, perhaps before there were two of us */
        kill(pid, ending);
    program = pid;
    const bool late = wait_ms(env, limit_ms);
    if (late && kill(pid, SIGTERM) == 0 && wait_ms(env, 2000) && kill(pid, SIGKILL) == 0)
        wait_ms(env, UINT32_MAX);
    program = 0;
    return late ? TIMED_OUT : WIFSIGNALED(end) ? BY_SIGNAL + WTERMSIG(end) : WEXITSTATUS(end);
}

static struct redial_outcome outcome_of(int status)
{
    if (status == 0)
        return redial_done();
    if (status == NOT_RUNNABLE || status == NOT_FOUND || (any_chosen && !chosen[status]))
        return redial_fail(status);
    return redial_retry(status, 0);
}

static void say_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    fprintf(stderr, "retry: status %d: retry %u of %u in %u ms\n", event->outcome.code,
            (unsigned)event->retry, (unsigned)policy.max_retries, (unsigned)event->delay_ms);
}

static uint32_t number(int option, const char *text, unsigned unit, double least, double most)
{
    char *rest;
    double value = strtod(text, &rest);
    if (!*text || *rest || text[strspn(text, unit == 1 ? "0123456789" : "0123456789.")]
        || value < least || value > most || (option == 's' && (value == 126 || value == 127))) {
        fprintf(stderr, "retry: -%c %s: must be a %snumber from %.10g to %.10g%s\n", option, text,
                unit == 1 ? "whole " : "", least, most, option == 's' ? ", not 126 or 127" : "");
        exit(2);
    }
    return (uint32_t)(value * unit + 0.5);
}

static bool read_options(int argc, char **argv)
{
    const char *longest = NULL;
    int option;
    while ((option = getopt(argc, argv, "+w:W:r:t:T:s:q")) != -1)
        switch (option) {
        case 'w': policy.base_ms = number(option, optarg, 1000, 0.001, 2e6); break;
        case 'W': longest = optarg; break;
        case 'r': policy.max_retries = number(option, optarg, 1, 0, 1e9); break;
        case 't': policy.attempt_ms = number(option, optarg, 1000, 0.001, 2e6); break;
        case 'T': policy.max_elapsed_ms = number(option, optarg, 1000, 0.001, 2e6); break;
        case 's': chosen[number(option, optarg, 1, 1, 255)] = any_chosen = true; break;
        case 'q': quiet = true; break;
        default: return false;
        }
    policy.cap_ms = longest ? number('W', longest, 1000, policy.base_ms / 1000.0, 2e6)
                            : policy.base_ms > 16000 ? 2 * policy.base_ms : 32000;
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct redial_env env = *redial_system();
    struct redial_call call;
    off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    int status = EXIT_FAILURE;
    if (!read_options(argc, argv))
        return fputs(usage, stderr), 2;
    catch_signals();
    env.wait_ms = wait_ms;
    env.cancelled = cancelled;
    env.on_wait = quiet ? NULL : say_wait;
    struct redial_step step = redial_loop_begin(&call, &policy, &env);
    while (step.verdict == REDIAL_RETRY) {
        lseek(STDIN_FILENO, input, SEEK_SET);   /* a pipe can't */
        status = run(argv + optind, &env, step.timeout_ms);
        step = redial_loop_next(&call, &env, outcome_of(status));
    }
    if (step.verdict != REDIAL_DONE && cancelled(&env)) {   /* it may come as late as here */
        signal(ending, SIG_DFL);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        raise(ending);                /* so that the caller sees it */
        return BY_SIGNAL + ending;    /* process 1 of a container goes on after that */
    }
    if (step.verdict != REDIAL_DONE && !quiet)
        fprintf(stderr, "retry: status %d: %s\n", status, redial_verdict_name(step.verdict));
    return status;
}
