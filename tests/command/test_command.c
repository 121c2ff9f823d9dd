/* The command redial, as its user runs it: COMMAND is the program. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE     /* posix_openpt */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/support.h"
#include "../examples/child.h"

#ifndef PATIENCE_MS
#define PATIENCE_MS 120000      /* only a test that fails waits so long */
#endif
#define CTRL_C "\003"
#define CTRL_Z "\032"

/* The options of most tests: waits of 1 ms, 2 ms, and so on. */
#define QUICK COMMAND, "--base", "1ms", "--mode", "none"
#define SH(script) "--", "sh", "-c", script, NULL
#define START(...) start((const char *const[]){ __VA_ARGS__ })
#define START_ON_TERMINAL(...) start_on_terminal((const char *const[]){ __VA_ARGS__ })
#define RUN(...) (START(__VA_ARGS__), finish())

struct text {
    int fd;
    size_t length;
    char bytes[8192];
};

/* redial and the program that it runs. On a terminal, in, out and err are the terminal. */
static struct {
    pid_t pid;
    int in;
    struct text out, err;
    int status;                 /* as waitpid has it */
} run;

/* ---- starting ---- */

static int ignored, blocked;    /* these signals are, when redial begins; 0: none */
static pid_t running;           /* redial, to be stopped if its test fails; 0: it is not running */

static const struct { int number; const char *name; } passed_on[] = {
    { SIGHUP, "HUP" }, { SIGINT, "INT" }, { SIGQUIT, "QUIT" }, { SIGTERM, "TERM" }, { SIGUSR1, "USR1" },
    { SIGUSR2, "USR2" }
};

/* Whoever runs the tests in the background may ignore some of the signals. */
static _Noreturn void become(const char *const *arguments)
{
    child_follows_parent(SIGKILL);
    for (size_t i = 0; i < LENGTH(passed_on); i++)
        signal(passed_on[i].number, SIG_DFL);
    if (ignored)
        signal(ignored, SIG_IGN);
    if (blocked) {
        sigset_t mask;
        sigemptyset(&mask);
        sigaddset(&mask, blocked);
        sigprocmask(SIG_BLOCK, &mask, NULL);
    }
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(99);
}

static void make_pipe(int ends[2])
{
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[1], F_SETFD, FD_CLOEXEC), 0);
}

static void prepare(void)
{
    poison(&run, sizeof run);
    run.out.length = run.err.length = 0;
    run.out.bytes[0] = run.err.bytes[0] = '\0';
}

/* In a group of its own, as a shell starts it: so it can be stopped, whoever runs the tests. */
static void start(const char *const *arguments)
{
    int in[2], out[2], err[2];
    prepare();
    make_pipe(in);
    make_pipe(out);
    make_pipe(err);
    run.pid = fork();
    assert_true(run.pid >= 0);
    if (run.pid == 0 && setpgid(0, 0) == 0 && dup2(in[0], 0) == 0 && dup2(out[1], 1) == 1 && dup2(err[1], 2) == 2)
        become(arguments);
    running = run.pid;
    close(in[0]);
    close(out[1]);
    close(err[1]);
    run.in = in[1];
    run.out.fd = out[0];
    run.err.fd = err[0];
}

/* Starts a session on a terminal. The test is its keyboard and its screen. No shell could continue the session. */
static void start_on_terminal(const char *const *arguments)
{
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    prepare();
    assert_true(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0);
    run.pid = fork();
    assert_true(run.pid >= 0);
    if (run.pid == 0 && setsid() > 0) {
        int screen = open(ptsname(keyboard), O_RDWR);
        if (ioctl(screen, TIOCSCTTY, 0) == 0 && dup2(screen, 0) == 0 && dup2(screen, 1) == 1 && dup2(screen, 2) == 2)
            become(arguments);
        _exit(99);
    }
    running = run.pid;
    run.in = run.out.fd = keyboard;
    run.err.fd = -1;
}

/* ---- talking, and ending ---- */

static void say(const char *text)
{
    assert_int_equal(write(run.in, text, strlen(text)), strlen(text));
}

/* False: it has ended. */
static bool read_more(struct text *text)
{
    struct pollfd waiting = { text->fd, POLLIN, 0 };
    ssize_t count;
    if (poll(&waiting, 1, PATIENCE_MS) <= 0)
        fail_msg("neither more text nor an end came after: %s", text->bytes);
    count = read(text->fd, text->bytes + text->length, sizeof text->bytes - 1 - text->length);
    if (count <= 0)
        return false;
    text->length += (size_t)count;
    text->bytes[text->length] = '\0';
    return true;
}

static void read_until(struct text *text, const char *wanted)
{
    while (!strstr(text->bytes, wanted))
        if (!read_more(text))
            fail_msg("no '%s' in: %s", wanted, text->bytes);
}

static void read_to_the_end(struct text *text)
{
    if (text->fd < 0)
        return;
    while (read_more(text))
        ;
    close(text->fd);
}

static void wait_for(void)
{
    assert_int_equal(waitpid(run.pid, &run.status, 0), run.pid);
    running = 0;
}

static void wait_until_stopped(void)
{
    assert_int_equal(waitpid(run.pid, &run.status, WUNTRACED), run.pid);
    assert_true(WIFSTOPPED(run.status));
}

/* The output ends when the last process of the group has ended, so none is left. */
static void finish(void)
{
    if (run.in != run.out.fd)
        close(run.in);
    read_to_the_end(&run.out);
    read_to_the_end(&run.err);
    wait_for();
}

static void assert_exit(int status)
{
    if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != status)
        fail_msg("waitpid says 0x%x, not exit status %d; stderr: %s", (unsigned)run.status, status, run.err.bytes);
}

static void assert_ended_by(int number)
{
    if (!WIFSIGNALED(run.status) || WTERMSIG(run.status) != number)
        fail_msg("waitpid says 0x%x, not signal %d; stderr: %s", (unsigned)run.status, number, run.err.bytes);
}

/* Each test has an empty folder, in which the program can count. */
static char folder[] = "command.XXXXXX";

static int enter(void **state)
{
    ignored = blocked = 0;
    strcpy(strchr(folder, '.'), ".XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    if (running && kill(running, SIGTERM) == 0 && kill(running, SIGCONT) == 0)   /* it passes them on */
        waitpid(running, NULL, 0);
    running = 0;
    unlink("runs");
    return chdir("..") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* ---- until it succeeds ---- */

TEST(a_program_that_succeeds_is_run_once_and_nothing_is_said)
{
    RUN(QUICK, SH("echo out; echo err >&2"));
    assert_exit(0);
    assert_string_equal(run.out.bytes, "out\n");
    assert_string_equal(run.err.bytes, "err\n");
}

TEST(the_program_gets_its_input_and_its_arguments_as_they_are)
{
    START(QUICK, "--", "sh", "-c", "cat; printf '<%s>' \"$@\"", "sh", "--base", "", "--", "a b", NULL);
    say("first\nsecond");
    finish();
    assert_exit(0);
    assert_string_equal(run.out.bytes, "first\nsecond<--base><><--><a b>");
}

TEST(a_program_is_run_until_it_succeeds_with_a_line_for_each_retry)
{
    RUN(QUICK, SH("echo run | tee -a runs; [ $(grep -c . runs) = 3 ] || exit 4"));
    assert_exit(0);
    assert_string_equal(run.out.bytes, "run\nrun\nrun\n");
    assert_string_equal(run.err.bytes, "redial: exit status 4: retry 1 of 5 in 1 ms\n"
                                       "redial: exit status 4: retry 2 of 5 in 2 ms\n");
}

TEST(the_last_exit_status_is_handed_on_when_no_retry_is_left)
{
    RUN(QUICK, "--retries", "2", SH("echo run | tee -a runs; exit 1$(grep -c . runs)"));
    assert_exit(13);
    assert_string_equal(run.out.bytes, "run\nrun\nrun\n");
    assert_contains(run.err.bytes, "redial: exit status 13: no retry left; attempts: 3; time: ");
}

TEST(retries_without_a_limit_are_not_counted_down)
{
    RUN(QUICK, "--cap", "1ms", "--retries", "unlimited", SH("echo >>runs; [ $(grep -c '' runs) = 20 ]"));
    assert_exit(0);
    assert_contains(run.err.bytes, "redial: exit status 1: retry 19 in 1 ms\n");
}

TEST(quiet_says_nothing)
{
    RUN(QUICK, "--retries", "1", "--quiet", SH("exit 1"));
    assert_exit(1);
    assert_string_equal(run.err.bytes, "");
}

TEST(explain_prints_the_schedule_before_the_first_attempt)
{
    RUN(QUICK, "--explain", "--retries", "2", SH("echo now >&2"));
    assert_exit(0);
    assert_contains(run.err.bytes, "    2   0.002 to  0.002  0.003 to 0.003 |");
    assert_contains(run.err.bytes, "The last retry comes 0.003 to 0.003 s after the first failure.\n");
    assert_string_equal(strstr(run.err.bytes, "now"), "now\n");
    assert_string_equal(run.out.bytes, "");
}

/* ---- which exit statuses ---- */

TEST(only_the_listed_exit_statuses_are_retried)
{
    RUN(QUICK, "--retry-status", "1,22,124", SH("echo run | tee -a runs; exit 2$(grep -c . runs | tr 12 23)"));
    assert_exit(23);
    assert_string_equal(run.out.bytes, "run\nrun\n");
    assert_contains(run.err.bytes, "redial: exit status 22: retry 1 of 5 in 1 ms\n"
                          "redial: exit status 23: not worth a retry; attempts: 2; time: ");
}

TEST(a_program_that_is_not_found_fails_at_once)
{
    RUN(QUICK, "--", "./no-such-program", NULL);
    assert_exit(127);
    assert_contains(run.err.bytes, "redial: ./no-such-program: No such file or directory\n"
                          "redial: exit status 127: not worth a retry; attempts: 1;");
}

TEST(a_file_that_cannot_be_run_fails_at_once)
{
    RUN(QUICK, "--", "./", NULL);
    assert_exit(126);
    assert_contains(run.err.bytes, "redial: exit status 126: not worth a retry; attempts: 1;");
}

TEST(a_program_that_is_not_found_is_retried_if_127_is_listed)
{
    RUN(QUICK, "--retries", "1", "--retry-status", "127", "--", "./no-such-program", NULL);
    assert_exit(127);
    assert_contains(run.err.bytes, "redial: exit status 127: no retry left; attempts: 2;");
}

TEST(it_goes_on_when_its_standard_error_is_closed)
{
    START(QUICK, SH("read line; echo run | tee -a runs; [ $(grep -c . runs) = 3 ]"));
    close(run.err.fd);
    run.err.fd = -1;
    say("line\n");
    finish();
    assert_exit(0);
    assert_string_equal(run.out.bytes, "run\nrun\nrun\n");
}

TEST(a_program_that_a_signal_ended_has_the_status_128_and_the_signal)
{
    RUN(QUICK, "--retries", "1", "--retry-status", "137", SH("echo run; kill -KILL $$"));
    assert_exit(137);
    assert_string_equal(run.out.bytes, "run\nrun\n");
    assert_contains(run.err.bytes, "redial: ended by signal 9 (Killed): retry 1 of 1 in 1 ms\n");
}

TEST(an_exit_status_is_handed_on_even_if_the_caller_ignored_or_blocked_sigchld)
{
    ignored = SIGCHLD;
    RUN(QUICK, "--retries", "0", SH("exit 3"));
    assert_exit(3);
    ignored = 0;
    blocked = SIGCHLD;
    START(QUICK, "--retries", "0", SH("echo run; read line; exit 3"));
    read_until(&run.out, "run\n");
    say("line\n");
    finish();
    assert_exit(3);
}

/* ---- time ---- */

TEST(an_attempt_that_takes_too_long_is_ended_with_the_status_124)
{
    RUN(QUICK, "--retries", "1", "--timeout", "1ms", "--", "sleep", "1000", NULL);
    assert_exit(124);
    assert_contains(run.err.bytes, "redial: timed out: retry 1 of 1 in 1 ms\n"
                                   "redial: timed out: no retry left; attempts: 2;");
}

/* "clean" is written when SIGTERM is caught, and "late" when it can do no harm any more; on a slow machine some
   attempts end before. */
TEST(a_program_may_clean_up_when_its_time_is_over)
{
    RUN(QUICK, "--cap", "1ms", "--retries", "unlimited", "--timeout", "200ms", "--kill-after", "4000000000ms",
        SH("[ ! -e runs ] || exit 0; trap 'echo clean >runs; exit 9' TERM; while :; do :; done"));
    assert_exit(0);
    assert_contains(run.err.bytes, "redial: timed out: retry 1 in 1 ms\n");
}

TEST(a_program_that_ignores_sigterm_is_killed_with_its_group)
{
    RUN(QUICK, "--cap", "1ms", "--retries", "unlimited", "--timeout", "200ms", "--kill-after", "1ms",
        SH("[ ! -e runs ] || exit 0; trap '' TERM; sleep 1000 & echo late >runs; sleep 1000"));
    assert_exit(0);
    assert_contains(run.err.bytes, "redial: timed out: retry 1 in 1 ms\n");
}

/* The program itself ends at once by SIGTERM, and another one of its group does not. */
TEST(processes_left_in_the_group_after_a_timeout_are_killed)
{
    RUN(QUICK, "--cap", "1ms", "--retries", "unlimited", "--timeout", "200ms", "--kill-after", "1ms",
        SH("[ ! -e runs ] || exit 0; (trap '' TERM; echo late >runs; sleep 1000) & exec sleep 1000"));
    assert_exit(0);
    assert_contains(run.err.bytes, "redial: timed out: retry 1 in 1 ms\n");
}

TEST(a_stopped_program_is_ended_too)
{
    RUN(QUICK, "--retries", "0", "--timeout", "50ms", "--kill-after", "4000000000ms", SH("kill -STOP $$"));
    assert_exit(124);
}

TEST(the_limit_of_within_ends_an_attempt)
{
    RUN(QUICK, "--within", "50ms", "--retries", "unlimited", "--", "sleep", "1000", NULL);
    assert_exit(124);
    assert_contains(run.err.bytes, "redial: timed out: no time left; attempts: 1;");
}

TEST(a_wait_beyond_the_limit_of_within_is_not_begun)
{
    RUN(COMMAND, "--base", "600000ms", "--cap", "600000ms", "--within", "600000ms", SH("exit 7"));
    assert_exit(7);
    assert_contains(run.err.bytes, "redial: exit status 7: no time left; attempts: 1;");
}

TEST(a_program_that_ends_by_itself_may_leave_another_behind)
{
    START(QUICK, SH("exec 3<&0; { read line; echo \"$line\"; } <&3 & exit 0"));
    wait_for();
    assert_exit(0);
    say("still here\n");
    close(run.in);
    read_until(&run.out, "still here");
    read_to_the_end(&run.out);
    read_to_the_end(&run.err);
}

/* ---- signals ---- */

/* A shell runs its traps between two commands, but not while it waits for a command. */
TEST(a_signal_is_passed_on_and_ends_the_retrying)
{
    char script[128];
    for (size_t i = 0; i < LENGTH(passed_on); i++) {
        snprintf(script, sizeof script, "trap 'echo got; exit 7' %s; echo run; while :; do :; done", passed_on[i].name);
        START(QUICK, SH(script));
        read_until(&run.out, "run\n");
        kill(run.pid, passed_on[i].number);
        finish();
        assert_exit(7);
        assert_string_equal(run.out.bytes, "run\ngot\n");
        assert_null(strstr(run.err.bytes, "redial"));
    }
}

TEST(redial_ends_by_the_signal_that_ended_the_program)
{
    for (size_t i = 0; i < LENGTH(passed_on); i++) {
        START(QUICK, SH("ulimit -c 0; echo run; exec sleep 1000"));
        read_until(&run.out, "run\n");
        kill(run.pid, passed_on[i].number);
        finish();
        assert_ended_by(passed_on[i].number);
        assert_string_equal(run.out.bytes, "run\n");
    }
}

TEST(a_signal_ends_a_program_that_is_stopped)
{
    START(QUICK, SH("(kill -STOP $$; while grep -q 'State:.[DRS]' /proc/$$/status; do :; done; echo stopped) & wait"));
    read_until(&run.out, "stopped\n");
    kill(run.pid, SIGTERM);
    finish();
    assert_ended_by(SIGTERM);
}

TEST(a_program_that_succeeds_in_spite_of_a_signal_has_succeeded)
{
    START(QUICK, SH("trap 'exit 0' TERM; echo run; while :; do :; done"));
    read_until(&run.out, "run\n");
    kill(run.pid, SIGTERM);
    finish();
    assert_exit(0);
}

TEST(a_signal_ends_a_wait)
{
    for (size_t i = 0; i < LENGTH(passed_on); i++) {
        START(COMMAND, "--base", "4000000000ms", "--cap", "4000000000ms", SH("exit 1"));
        read_until(&run.err, "retry 1 of 5 in 4000000000 ms\n");
        kill(run.pid, passed_on[i].number);
        finish();
        assert_ended_by(passed_on[i].number);
    }
}

TEST(sigtstp_stops_it_in_a_wait_too)
{
    START(COMMAND, "--base", "4000000000ms", "--cap", "4000000000ms", SH("exit 1"));
    read_until(&run.err, "retry 1 of 5 in 4000000000 ms\n");
    kill(run.pid, SIGTSTP);
    wait_until_stopped();
    kill(run.pid, SIGCONT);
    kill(run.pid, SIGTERM);
    finish();
    assert_ended_by(SIGTERM);
}

TEST(a_signal_at_the_end_of_an_attempt_ends_the_retrying)
{
    RUN(QUICK, SH("echo run; kill -TERM $PPID; exit 1"));
    assert_string_equal(run.out.bytes, "run\n");
    assert_true(run.status != 0);
}

TEST(a_signal_that_was_ignored_stays_ignored)
{
    ignored = SIGHUP;
    RUN(QUICK, SH("echo run | tee -a runs; kill -HUP $PPID $$; [ $(grep -c . runs) = 2 ]"));
    assert_exit(0);
    assert_string_equal(run.out.bytes, "run\nrun\n");
}

TEST(the_program_has_the_signals_as_redial_found_them)
{
    RUN(QUICK, "--retries", "0", SH("kill -PIPE $$; exit 1"));
    assert_exit(128 + SIGPIPE);
    RUN(QUICK, "--retries", "0", SH("ulimit -c 0; kill -QUIT $$; exit 1"));
    assert_exit(128 + SIGQUIT);
}

/* ---- a terminal ---- */

/* The last line that the program reads, and prints. */
static void hello_arrives(void)
{
    say("hello\n");
    finish();
    assert_exit(0);
    assert_contains(run.out.bytes, "got hello");
}

static void lines_arrive_in_two_attempts(void)
{
    read_until(&run.out, "ask");
    say("one\n");
    read_until(&run.out, "got one");
    say("two\n");
    finish();
    assert_exit(0);
    assert_contains(run.out.bytes, "got two");
}

TEST(a_program_may_read_from_the_terminal_in_every_attempt)
{
    START_ON_TERMINAL(QUICK, SH("echo ask; read line; echo got $line; [ $line = two ]"));
    lines_arrive_in_two_attempts();
}

TEST(ctrl_c_ends_a_program_that_has_not_asked_for_the_terminal)
{
    START_ON_TERMINAL(QUICK, SH("echo run; exec sleep 1000"));
    read_until(&run.out, "run");
    say(CTRL_C);
    finish();
    assert_ended_by(SIGINT);
    assert_null(strstr(run.out.bytes, "retry"));
}

TEST(ctrl_c_ends_a_program_that_has_the_terminal)
{
    START_ON_TERMINAL(QUICK, SH("read line; echo run; exec sleep 1000"));
    say("line\n");
    read_until(&run.out, "run");
    say(CTRL_C);
    finish();
    assert_ended_by(SIGINT);
    assert_null(strstr(run.out.bytes, "retry"));
}

/* The shell gets the job back once all of it has stopped, and continues it. */
#define IN_A_SHELL "/bin/sh", "-c", "set -m; \"$@\" | cat; echo back; fg", "sh"

static void ctrl_z_stops(void)
{
    say(CTRL_Z);
    read_until(&run.out, "back");
}

TEST(ctrl_z_stops_a_program_and_redial_with_it)
{
    const char *const arguments[] = { IN_A_SHELL, QUICK, SH("echo run; read line <runs; echo got $line") };
    int fifo;
    assert_int_equal(mkfifo("runs", 0600), 0);
    start_on_terminal(arguments);
    read_until(&run.out, "run");
    ctrl_z_stops();
    fifo = open("runs", O_WRONLY);      /* returns when the program goes on */
    assert_int_equal(write(fifo, "hello\n", 6), 6);
    close(fifo);
    finish();
    assert_exit(0);
    assert_contains(run.out.bytes, "got hello");
}

TEST(ctrl_z_stops_a_program_that_has_the_terminal_too)
{
    START_ON_TERMINAL(IN_A_SHELL, QUICK, SH("read line; echo run; read line; echo got $line"));
    say("line\n");
    read_until(&run.out, "run");
    ctrl_z_stops();
    hello_arrives();
}

TEST(ctrl_z_stops_nothing_that_no_shell_could_continue)
{
    START_ON_TERMINAL(QUICK, SH("read line; echo run; read line; echo got $line"));
    say("line\n");
    read_until(&run.out, "run");
    say(CTRL_Z);
    hello_arrives();
}

TEST(a_program_in_a_redial_in_a_redial_may_read_from_the_terminal)
{
    START_ON_TERMINAL(QUICK, "--", QUICK, SH("echo ask; read line; echo got $line; [ $line = two ]"));
    lines_arrive_in_two_attempts();
}

TEST(ctrl_z_stops_a_redial_in_a_redial)
{
    START_ON_TERMINAL(IN_A_SHELL, QUICK, "--", QUICK, SH("read line; echo run; read line; echo got $line"));
    say("line\n");
    read_until(&run.out, "run");
    ctrl_z_stops();
    hello_arrives();
}

/* The shell does what it does at a prompt: it starts a job in the background, continues it there once it has stopped,
   and brings it to the front once it has stopped again. */
static const char background[] = "set -m; stopped() { until jobs >runs && grep -q Stopped runs; do :; done; };"
                                 "\"$@\" & stopped; bg; stopped; echo stopped; fg";

TEST(a_program_in_the_background_waits_for_the_terminal)
{
    START_ON_TERMINAL("/bin/sh", "-c", background, "sh", QUICK, SH("read line; echo got $line"));
    read_until(&run.out, "stopped");
    hello_arrives();
}

TEST(a_redial_in_a_redial_in_the_background_waits_for_the_terminal)
{
    START_ON_TERMINAL("/bin/sh", "-c", background, "sh", QUICK, "--", QUICK, SH("read line; echo got $line"));
    read_until(&run.out, "stopped");
    hello_arrives();
}

/* ---- the command line ---- */

TEST(help_names_the_options_and_what_126_and_127_do)
{
    RUN(COMMAND, "--help", NULL);
    assert_exit(0);
    assert_contains(run.out.bytes, "usage: redial [options] -- program [arguments]\n");
    assert_contains(run.out.bytes, "126");
    assert_contains(run.out.bytes, "  --kill-after TIME     from SIGTERM to SIGKILL [2s]\n");
    assert_contains(run.out.bytes, "  --quiet               print no line for each retry\n");
    assert_contains(run.out.bytes, "  --retries N           attempts after the first [5]\n");
}

/* MANUAL is the man page, in which the option --base is "Fl -base". */
static bool has_word(const char *at, const char *end, const char *word, size_t length)
{
    for (; at < end; at++)
        if (isspace((unsigned char)*at) && strncmp(at + 1, word, length) == 0
            && !isalnum((unsigned char)at[1 + length]))
            return true;
    return false;
}

TEST(the_manual_describes_each_option_of_the_help_and_its_default)
{
    char manual[16384], wanted[64], *line;
    unsigned options = 0, defaults = 0;
    child_read(MANUAL, manual, sizeof manual);
    RUN(COMMAND, "--help", NULL);
    for (line = strstr(run.out.bytes, "\n  --"); line; line = strstr(line + 1, "\n  --"), options++) {
        const char *value = line + strcspn(line + 1, "[\n") + 1, *item;
        size_t length = strcspn(value + 1, "]\n");
        snprintf(wanted, sizeof wanted, "\n.It Fl %.*s", (int)strcspn(line + 4, " "), line + 4);
        item = strstr(manual, wanted);
        if (!item)
            fail_msg("not in the manual:%s", wanted);
        if (*value != '[')
            continue;
        if (!has_word(item, strstr(item + 1, "\n.It"), value + 1, length))
            fail_msg("its default, %.*s, is not in the manual:%s", (int)length, value + 1, wanted);
        defaults++;
    }
    assert_true(options > 10);
    assert_int_equal(defaults, 8);
}

TEST(the_version_is_that_of_the_library)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "redial %d.%d.%d\n", REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR,
             REDIAL_VERSION_PATCH);
    RUN(COMMAND, "--version", NULL);
    assert_exit(0);
    assert_string_equal(run.out.bytes, wanted);
}

static void refuses(const char *const *arguments, const char *line)
{
    start(arguments);
    finish();
    assert_exit(2);
    assert_string_equal(run.err.bytes, line);
    assert_string_equal(run.out.bytes, "");
}

static void refuses_a_list(const char *list)
{
    static const char rule[] = "must be whole numbers from 1 to 255, with commas between them";
    char line[128];
    snprintf(line, sizeof line, "redial: --retry-status %s: %s\n", list, rule);
    refuses((const char *const[]){ COMMAND, "--retry-status", list, SH("echo run") }, line);
}

TEST(a_wrong_command_line_is_refused_with_the_reason)
{
    static const char *const lists[] = {
        "", "0", "256", "1,", ",1", "1,,2", "1 2", "-1", "1x", "18446744073709551617"
    };
    static const char no_program[] =
        "redial: the program is missing: write redial [options] -- program [arguments]\n";
    for (size_t i = 0; i < LENGTH(lists); i++)
        refuses_a_list(lists[i]);
    refuses((const char *const[]){ COMMAND, NULL }, no_program);
    refuses((const char *const[]){ COMMAND, "--quiet", "--", NULL }, no_program);
    refuses((const char *const[]){ COMMAND, "--wrong", SH("echo run") },
            "redial: --wrong: no such option; --help lists them\n");
    refuses((const char *const[]){ COMMAND, "--quiet=1", SH("echo run") }, "redial: --quiet: takes no value\n");
    refuses((const char *const[]){ COMMAND, "--base", "5ms", "--cap", "2ms", SH("echo run") },
            "redial: --base 5ms --cap 2ms --jitter 1s: cap_ms must not be less than base_ms\n");
}

int main(void)
{
    return run_all_with(enter, leave, NULL, NULL);
}
