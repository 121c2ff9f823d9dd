/* redial: runs a program until it succeeds. SPDX-License-Identifier: MIT

       redial --retries unlimited --within 5m --retry-status 1,2 -- pg_isready

   redial.1 is its manual. To copy: job.c runs a program with a time limit, as if the shell had
   started the program itself; signals.c waits for signals; output.c holds what it prints. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "schedule.h"
#include "options.h"
#include "input.h"
#include "job.h"
#include "output.h"
#include "redial.h"
#include "signals.h"
#include "times.h"

struct command {
    struct options options;
    struct job_end end; /* of the last attempt */
    bool signal_in_attempt; /* so the program could decide what to do */
};

/* ---- messages: one line each, to stderr ---- */

static void describe(const struct job_end *end, char *out, size_t size)
{
    if (end->error)
        snprintf(out, size, "can't start a process: %s", strerror(end->error));
    else if (end->timed_out)
        snprintf(out, size, "timed out");
    else if (end->signal)
        snprintf(out, size, "ended by signal %d (%s)", end->signal, strsignal(end->signal));
    else
        snprintf(out, size, "exit status %d", end->status);
}

static void say_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct command *command = env->user;
    char what[128], of[24] = "";
    if (command->options.quiet)
        return;
    describe(&command->end, what, sizeof what);
    if (command->options.policy.max_retries != REDIAL_NO_LIMIT)
        snprintf(of, sizeof of, " of %lu", (unsigned long)command->options.policy.max_retries);
    fprintf(stderr, "redial: %s: retry %lu%s in %s\n", what, (unsigned long)event->retry, of,
            times_said(event->delay_ms).text);
}

static const char *why(enum redial_verdict verdict)
{
    if (verdict == REDIAL_FAILED)
        return "not worth a retry";
    return verdict == REDIAL_EXHAUSTED ? "no retry left" : "no time left";
}

static void say_end(const struct command *command, const struct redial_report *report)
{
    char what[128];
    if (command->options.quiet || report->verdict == REDIAL_DONE || signals_ending())
        return;
    describe(&command->end, what, sizeof what);
    fprintf(stderr, "redial: %s: %s; attempts: %lu; time: %s\n", what, why(report->verdict),
            (unsigned long)report->attempts, times_said(report->elapsed_ms).text);
}

static void explain(const struct redial_policy *policy)
{
    schedule_print(stderr, policy);
    fputs("This assumes that attempts fail at once; the time that they take comes on top.\n",
          stderr);
    if (ferror(stderr))
        exit(EXIT_FAILURE);
}

/* ---- signals ---- */

/* Handles the signals that come while no program runs. As process 1 of a container we also reap the
   orphans of others. */
static bool cancelled(const struct redial_env *env)
{
    int number;
    (void)env;
    signals_wait(0, -1);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    while ((number = signals_take()) != 0)
        if (number == SIGTSTP)
            signals_stop();
    return signals_ending() != 0;
}

static bool wait_ms(const struct redial_env *env, uint32_t ms)
{
    uint32_t began_ms = env->now_ms(env), spent_ms = 0;
    while (!cancelled(env) && spent_ms < ms) {
        signals_wait(ms - spent_ms, -1);
        spent_ms = env->now_ms(env) - began_ms;
    }
    return signals_ending() == 0;
}

/* After a signal that ended the program or the wait, redial ends by it, and after Ctrl-C if the
   program did not end with 0: a shell script then sees that it should stop. */
static int finish(const struct command *command, const struct redial_report *report)
{
    int number = signals_ending();
    if (number != 0 && report->verdict != REDIAL_DONE
        && (!command->signal_in_attempt || signals_interrupts(number)
            || command->end.signal == number))
        signals_die(number);
    if (report->verdict == REDIAL_TIMED_OUT && report->attempts == 0)
        return JOB_TIMED_OUT;
    return report->last.code;
}

/* ---- attempts ---- */

static struct redial_outcome outcome_of(const struct command *command)
{
    const struct job_end *end = &command->end;
    struct redial_outcome outcome = redial_fail(end->status);
    if (end->error)
        outcome = redial_errno(end->error);
    else if (end->status == 0)
        outcome = redial_done();
    else if (command->options.retried[end->status])
        outcome = redial_retry(end->status, 0);
    outcome.code = end->status;
    return outcome;
}

static struct redial_outcome run_once(void *user, const struct redial_attempt *attempt)
{
    struct command *command = user;
    input_open();
    if (command->options.hold_output)
        output_hold();
    command->end = job_run(&command->options, attempt->timeout_ms);
    input_close();
    output_end();
    command->signal_in_attempt = signals_ending() != 0;
    return outcome_of(command);
}

int main(int argc, char **argv)
{
    static struct command command;
    struct redial_env env = *redial_system();
    struct redial_report report;
    options_read(&command.options, argc, argv);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    if (command.options.explain)
        explain(&command.options.policy);
    input_begin(command.options.keep_input);
    signals_begin();
    env.cancelled = cancelled;
    env.wait_ms = wait_ms;
    env.on_wait = say_wait;
    env.user = &command;
    redial_run(&command.options.policy, &env, run_once, &command, &report);
    output_print(report.verdict == REDIAL_DONE);
    say_end(&command, &report);
    return finish(&command, &report);
}
