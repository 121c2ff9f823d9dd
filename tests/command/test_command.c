/* The command redial, as its user runs it, in a session of its own. SPDX-License-Identifier: MIT */
#include "command.h"
#include <ctype.h>

/* ---- what a program inherits ---- */

static void ignore_signals(void)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
}

static void block_children(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
}

#ifdef __linux__

/* A subreaper, which only Linux has, gets orphans as process 1 does. */
static void get_orphans(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

#endif

/* ---- one program after another ---- */

#define COUNT "echo run | tee -a runs; "
#ifdef __APPLE__   /* its strsignal adds the number */
#define BY_SIGNAL(number, name) "ended by signal " #number " (" name ": " #number ")"
#else
#define BY_SIGNAL(number, name) "ended by signal " #number " (" name ")"
#endif
#define UNLIMITED "--cap 1ms --retries unlimited --retry-status 124 --timeout 200ms "

/* The words of the options follow QUICK. Without a script they name the program, too. If err ends
   with *, more follows. A "late" program has written the file runs, so that a slow machine can't
   end the attempt too early. */
static const struct run {
    const char *what, *options, *script;
    int status;
    const char *out, *err;
    void (*before)(void);
    uint32_t least_ms;      /* that the whole takes */
} runs[] = {
    { "a program that succeeds is run once, and nothing is said", "", "echo out; echo err >&2", 0,
      "out\n", "err\n" },
    { "it is run until it succeeds, with a line for each retry", "",
      COUNT "[ $(grep -c . runs) = 3 ] || exit 4", 0, "run\nrun\nrun\n",
      "redial: exit status 4: retry 1 of 5 in 1 ms\n"
      "redial: exit status 4: retry 2 of 5 in 2 ms\n" },
    { "the last exit status is handed on", "--retries 1", COUNT "exit 1$(grep -c . runs)", 12,
      "run\nrun\n", "redial: exit status 11: retry 1 of 1 in 1 ms\n"
      "redial: exit status 12: no retry left; attempts: 2; time: *" },
    { "retries without a limit are not counted down", "--cap 1ms --retries unlimited",
      COUNT "[ $(grep -c . runs) = 2 ]", 0, "run\nrun\n",
      "redial: exit status 1: retry 1 in 1 ms\n" },
    { "--quiet says nothing", "--retries 1 --quiet", "exit 1", 1, "", "" },
    { "--explain prints the schedule before the first attempt", "--explain --retries 1",
      "echo now >&2", 0, "",
      "retry           wait, s         time, s\n"
      "    1   0.001 to  0.001  0.001 to 0.001 |......................................#\n*" },
    { "only listed statuses are retried", "--retry-status 1,22,124",
      COUNT "exit 2$(grep -c . runs | tr 12 23)", 23, "run\nrun\n",
      "redial: exit status 22: retry 1 of 5 in 1 ms\n"
      "redial: exit status 23: not worth a retry; attempts: 2; time: *" },
    { "a program that is not found fails at once", "./no-such", NULL, 127, "",
      "redial: ./no-such: No such file or directory\n"
      "redial: exit status 127: not worth a retry; attempts: 1; time: *" },
    { "what is not found because there is no such folder, as well", "-- /dev/null/no-such", NULL,
      127, "", "redial: /dev/null/no-such: Not a directory\n*" },
    { "what is no program fails at once", "-- ./", NULL, 126, "",
      "redial: ./: Permission denied\n"
      "redial: exit status 126: not worth a retry; attempts: 1; time: *" },
    { "what is listed is retried, and signal N is 128+N", "--retries 2 --retry-status 127,137",
      COUNT "[ $(grep -c . runs) = 1 ] && exit 127; kill -KILL $$", 137, "run\nrun\nrun\n",
      "redial: exit status 127: retry 1 of 2 in 1 ms\n"
      "redial: " BY_SIGNAL(9, "Killed") ": retry 2 of 2 in 2 ms\n*" },
    { "SIGPIPE, as redial found it, is not retried", "", "kill -PIPE $$; exit 1", 141, "",
      "redial: " BY_SIGNAL(13, "Broken pipe") ": not worth a retry; attempts: 1; time: *" },
    { "an attempt that takes too long is ended", "--retries 1 --timeout 1ms", "exec sleep 1000",
      124, "", "redial: timed out: retry 1 of 1 in 1 ms\n"
      "redial: timed out: no retry left; attempts: 2; time: *" },
    { "it may clean up when its time is over, and 0 kills it never", UNLIMITED "--kill-after 0",
      "[ ! -e runs ] || exit 0; trap 'echo clean >runs; exit 9' TERM; while :; do :; done", 0, "",
      "redial: timed out: retry 1 in 1 ms\n*" },
    { "one that ignores SIGTERM is killed", UNLIMITED "--kill-after 1ms",
      "[ ! -e runs ] || exit 0; trap '' TERM; echo late >runs; while :; do :; done", 0, "",
      "redial: timed out: retry 1 in 1 ms\n*" },
    { "one that ignores SIGTERM is killed with its group", UNLIMITED "--group --kill-after 1ms",
      "[ ! -e runs ] || exit 0; trap '' TERM; sleep 1000 & echo late >runs; sleep 1000", 0, "",
      "redial: timed out: retry 1 in 1 ms\n*" },
    { "what is left of a group gets the time to clean up", UNLIMITED "--group --kill-after 1193h",
      "[ ! -e runs ] || exit 0; (trap 'sleep 0.1; echo clean >runs; exit' TERM; "
      "while :; do :; done) & exec sleep 1000", 0, "", "redial: timed out: retry 1 in 1 ms\n*" },
    { "what is left of a group after that is killed", UNLIMITED "--group --kill-after 300ms",
      "[ ! -e runs ] || exit 0; (trap '' TERM; echo late >runs; sleep 1000) & exec sleep 1000", 0,
      "", "redial: timed out: retry 1 in 1 ms\n*", .least_ms = 200 + 300 },
    { "a stopped program is ended, too", "--retries 0 --timeout 50ms --kill-after 1193h",
      "kill -STOP $$", 124, "", "redial: timed out: no retry left; attempts: 1; time: *" },
    { "a stopped group, as well", "--group --retries 0 --timeout 50ms --kill-after 1193h",
      "kill -STOP $$", 124, "", "redial: timed out: no retry left; attempts: 1; time: *" },
    { "the limit of --within ends an attempt", "--within 50ms --retries unlimited",
      "exec sleep 1000", 124, "", "redial: timed out: no time left; attempts: 1; time: *" },
    { "a wait beyond that limit is not begun", "--base 10m --cap 10m --within 10m", "exit 7", 7, "",
      "redial: exit status 7: no time left; attempts: 1; time: *" },
    { "SIGCHLD and Ctrl-Z cut no wait short", "--base 300ms --cap 300ms --retries 1",
      COUNT "[ $(grep -c . runs) = 2 ] || { (for signal in CHLD TSTP CONT; do sleep 0.04;"
      " kill -$signal $PPID; done) >&- 2>&- & exit 1; }", 0, "run\nrun\n",
      "redial: exit status 1: retry 1 of 1 in 300 ms\n", .least_ms = 300 },
    { "a signal that was ignored stays ignored", "",
      COUNT "kill -HUP $PPID $$; [ $(grep -c . runs) = 2 ]", 0, "run\nrun\n",
      "redial: exit status 1: retry 1 of 5 in 1 ms\n", ignore_signals },
    { "the status is seen even if SIGCHLD was ignored", "--quiet --retries 0", "exit 3", 3, "", "",
      ignore_signals },
    { "the status is seen even if SIGCHLD was blocked", "--quiet --retries 0", "sleep 0.1; exit 3",
      3, "", "", block_children },
#ifdef __linux__
    { "as process 1 it reaps orphans in an attempt and takes none for the program", "--retries 0",
      "(exit 7 & echo $! >runs); while kill -0 $(cat runs); do :; done; sleep 0.1; exit 3", 3, "",
      "*", get_orphans },
    { "as process 1 it does not wait for orphans that a timeout has ended",
      "--group --retries 0 --timeout 200ms --kill-after 1193h", "sleep 1000 & wait", 124, "", "*",
      get_orphans },
#endif
};

/* What a row says of the program that has ended. Of `err` counts what stands before a "*". */
static void check_end(int status, const char *out, const char *err)
{
    size_t length = strcspn(err, "*");
    if (program.status != status || strcmp(program.out.bytes, out) != 0
        || strncmp(program.err.bytes, err, length) != 0
        || (!err[length] && program.err.bytes[length]))
        fail_msg("it ended with %d and said:\n%s%s", program.status, program.out.bytes,
                 program.err.bytes);
    unlink("runs");
    row = NULL;
}

static void check_run(const struct run *run)
{
    const char *arguments[24] = { QUICK };
    char words[128], *word;
    size_t count = 5;
    row = run->what;
    snprintf(words, sizeof words, "%s", run->options);
    for (word = strtok(words, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    if (run->script)
        memcpy(arguments + count, ARGS("--", SH(run->script)), 5 * sizeof *arguments);
    program.before = run->before;
    program_run(arguments);
    program.before = NULL;
    assert_true(real_now_ms() - program.began_ms >= run->least_ms);
    check_end(run->status, run->out, run->err);
}

/* The session has first no terminal, and then one that nobody uses. */
static void in_both_sessions(void (*check)(void))
{
    check();
    program.keyboard = open_keyboard();
    check();
    close(program.keyboard);
    program.keyboard = 0;
}

static void check_runs(void)
{
    for (size_t i = 0; i < LENGTH(runs); i++)
        check_run(&runs[i]);
}

TEST(a_program_runs_until_it_succeeds_or_is_not_worth_it_or_has_no_retry_or_time)
{
    in_both_sessions(check_runs);
}

TEST(the_program_gets_its_input_and_its_arguments_as_they_are)
{
    START(QUICK, "sh", "-c", "cat; printf '<%s>' \"$@\"", "sh", "--base", "", "--", "a b",
          NULL);
    say("first\nsecond");
    program_end();
    assert_status(0);
    assert_string_equal(program.out.bytes, "first\nsecond<--base><><--><a b>");
}

TEST(it_goes_on_when_its_standard_error_is_closed)
{
    START(QUICK, SH("read line; echo run | tee -a runs; [ $(grep -c . runs) = 3 ]"));
    close(program.err.fd);
    program.err.fd = -1;
    say("line\n");
    program_end();
    assert_status(0);
    assert_string_equal(program.out.bytes, "run\nrun\nrun\n");
}

TEST(a_program_that_ends_by_itself_may_leave_another_behind)
{
    START(QUICK, SH("exec 3<&0; { read line; echo \"$line\"; } <&3 & exit 0"));
    assert_int_equal(waitpid(program.pid, &program.status, 0), program.pid);
    program.pid = 0;
    assert_int_equal(program.status, 0);
    say("still here\n");
    await(&program.out, "still here");
    while (program_read())
        ;
    close(program.in);
}

/* ---- in a pipe ---- */

/* A shell runs the line. FULL: no file may have more than a block, and a write beyond that fails.
   If err ends with *, more follows. */
#define R "\"$0\" --base 1ms --mode none --retries 1 "
#define FULL "trap '' XFSZ; ulimit -f 1; "
#define TWICE "sh -c 'cat; exit 3'"
#define ELSEWHERE_R "\"$1\" --base 1ms --mode none --retries 1 "
/* The first attempt leaves a process behind, which reads when the second one has begun. */
#define LEAVES \
    "sh -c 'if [ -e runs ]; then rm runs; until [ -e runs ]; do :; done; cat; exit; fi;" \
    " echo run >runs; exec 3<&0; { while [ -e runs ]; do :; done; cat <&3 >/dev/null; " \
    "echo run >runs; } >&- 2>&- & exit 3'"
#define SAYS "redial: exit status 3: retry 1 of 1 in 1 ms\n*"

static const struct line {
    const char *what, *line;
    int status;
    const char *out, *err;
} lines[] = {
    { "a file is set back to where it was, without an option",
      "seq 3 >runs; { read one; " R TWICE "; } <runs", 3, "2\n3\n2\n3\n", SAYS },
    { "who reads it afterwards goes on where the last attempt ended",
      "seq 3 >runs; { " R "sh -c 'read one; exit 3'; cat; } <runs", 0, "2\n3\n", SAYS },
    { "the same elsewhere, where it can't be opened anew",
      "seq 3 >runs; { read one; " ELSEWHERE_R "sh -c 'read two; exit 3'; cat; } <runs", 0, "3\n",
      SAYS },
    { "what one attempt has read from a pipe is lost for the next", "seq 3 | " R TWICE, 3,
      "1\n2\n3\n", SAYS },
    { "--keep-input gives it to every attempt", "seq 3 | " R "--keep-input " TWICE, 3,
      "1\n2\n3\n1\n2\n3\n", SAYS },
    { "--keep-input keeps every byte", "head -c 300000 /dev/zero >runs; "
      "cat runs | " R "--quiet --keep-input -- cmp runs -", 0, "", "" },
    { "--keep-input leaves a file where it was", "seq 3 >runs; { read one; " R "--keep-input "
      TWICE "; } <runs", 3, "2\n3\n2\n3\n", SAYS },
    { "a process that was left behind does not move what the next attempt reads of a file",
      "seq 3 >input; " R LEAVES " <input; rm input", 0, "1\n2\n3\n", SAYS },
    { "or of what is stored", "seq 3 | " R "--keep-input " LEAVES, 0, "1\n2\n3\n", SAYS },
    { "or of what is stored elsewhere", "seq 3 | " ELSEWHERE_R "--keep-input " LEAVES, 0,
      "1\n2\n3\n", SAYS },
    { "what is stored has no name, and is in TMPDIR", "mkdir runs.d; export TMPDIR=runs.d; echo | "
      R "--keep-input --hold-output -- ls runs.d; rmdir runs.d; echo | " R "--keep-input -- true",
      1, "", "redial: can't make a file in runs.d: No such file or directory\n" },
    { "--keep-input needs an input that can be read", R "--keep-input -- echo run <&-", 1, "",
      "redial: can't keep the input: Bad file descriptor\n" },
    { "--keep-input needs room", FULL "head -c 9999 /dev/zero | " R "--keep-input -- echo run", 1,
      "", "redial: can't keep the input: File too large\n" },
    { "--hold-output prints only what the attempt printed that succeeded",
      R "--hold-output -- sh -c '" COUNT "[ $(grep -c . runs) = 2 ] && echo done'", 0,
      "run\ndone\n", "redial: exit status 1: retry 1 of 1 in 1 ms\n" },
    { "--hold-output prints what the last one printed to standard error if none succeeded",
      R "--hold-output -- sh -c 'echo run >>runs; grep -c . runs; exit 3'", 3, "",
      "redial: exit status 3: retry 1 of 1 in 1 ms\n2\n"
      "redial: exit status 3: no retry left; attempts: 2; *" },
    { "--hold-output holds every byte", "head -c 300000 /dev/zero >runs; "
      R "--hold-output -- cat runs | cmp - runs", 0, "", "" },
    { "--hold-output waits for what others print for the program",
      R "--hold-output -- sh -c '{ sleep 0.1; echo late; } & exit 0'", 0, "late\n", "" },
    { "--hold-output waits for others no longer than --timeout, and the status counts",
      R "--retries unlimited --cap 1ms --hold-output --timeout 500ms "
      "sh -c 'echo early; sleep 100 2>&- & echo $! >runs'; "
      "status=$?; kill $(cat runs) && exit $status", 0, "early\n", "*" },
    { "with --group they are ended, too", R "--retries unlimited --cap 1ms --group --hold-output "
      "--timeout 500ms sh -c 'echo early; sleep 100 2>&- & echo $! >runs'; "
      "status=$?; kill $(cat runs) 2>&- || exit $status", 0, "early\n", "*" },
    { "an attempt that timed out is over whoever has its output", R "--retries unlimited --cap 1ms "
      "--hold-output --timeout 200ms --kill-after 1193h sh -c '[ ! -e runs ] || exit 0; "
      "sleep 100 2>&- & echo $! >run; mv run runs; wait'; kill $(cat runs)", 0, "",
      "redial: timed out: retry 1 in 1 ms\n*" },
    { "with --group nothing goes on beside the next attempt", R "--retries unlimited --cap 1ms "
      "--group --timeout 200ms --kill-after 1193h sh -c 'if [ -e runs ]; then "
      "kill $(cat runs) || echo ended; exit 0; fi; sleep 1000 & echo $! >run; mv run runs; wait'",
      0, "ended\n", "redial: timed out: retry 1 in 1 ms\n*" },
    { "SIGXFSZ does not end redial before the program", "ulimit -f 1; " R "--hold-output "
      "sh -c 'head -c 9999 /dev/zero; echo run >&2'", 1, "",
      "run\nredial: can't hold the output: File too large\n" },
#ifdef __linux__
    { "an empty TMPDIR is /tmp", "export TMPDIR=; echo | " R "--keep-input "
      "readlink /proc/self/fd/0 | cut -c 1-12", 0, "/tmp/redial.\n", "" },
    { "the program gets no other file", "echo | " R "--keep-input --hold-output -- "
      "ls /proc/self/fd", 0, "0\n1\n2\n3\n", "" },
#endif
    { "--hold-output needs no standard error", R "--hold-output -- sh -c 'echo run; exit 3' 2>&-",
      3, "", "" },
    { "--hold-output needs room before the next attempt",
      FULL R "--hold-output -- sh -c 'echo run >&2; head -c 9999 /dev/zero; exit 3'", 1, "",
      "run\nredial: can't hold the output: File too large\n" },
    { "--hold-output needs room even if the program does not see it",
      FULL R "--hold-output -- head -c 9999 /dev/zero", 1, "",
      "redial: can't hold the output: File too large\n" },
    { "--hold-output ends by SIGPIPE if nobody reads",
      "{ " R "--hold-output -- seq 99999; echo $? >&2; } | :", 0, "", "141\n" },
    { "--hold-output needs nobody who reads its errors", "{ " R "--retries 0 --hold-output -- "
      "sh -c 'seq 99999; exit 3'; echo $? >runs; } 2>&1 | :; cat runs", 0, "3\n", "" },
    { "--hold-output needs an output", R "--hold-output -- echo run >&-", 1, "",
      "redial: can't write to standard output: Bad file descriptor\n" },
};

static void check_line(const struct line *line)
{
    row = line->what;
    RUN("/bin/sh", "-c", line->line, COMMAND, ELSEWHERE, NULL);
    check_end(line->status, line->out, line->err);
}

static void check_lines(void)
{
    for (size_t i = 0; i < LENGTH(lines); i++)
        check_line(&lines[i]);
}

TEST(in_a_pipe_the_input_may_be_kept_and_the_output_held)
{
    in_both_sessions(check_lines);
}

/* ---- signals ---- */

static const struct signal {
    int number;
    bool interrupts;    /* without --group it is not passed on */
} signals[] = {
    { SIGHUP, true }, { SIGINT, true }, { SIGQUIT, true },
    { SIGTERM, false }, { SIGALRM, false }, { SIGUSR1, false }, { SIGUSR2, false }
};

/* A shell runs its traps between two commands, but not while it waits for a command. */
static const struct ending {
    const char *script;
    int status;             /* -1: that of the signal */
} endings[] = {
    { "trap 'echo got; exit 7' %d; echo run; while :; do :; done", 7 },
    { "trap 'echo got; exit 0' %d; echo run; while :; do :; done", 0 },
    { "ulimit -c 0; exec cat", -1 }   /* bash itself ignores SIGQUIT */
};

static void pass_on(const struct signal *number, const struct ending *end, const char *option)
{
    char script[128];
    bool status_counts = end->status == 0 || (end->status > 0 && !number->interrupts);
    row = strsignal(number->number);
    snprintf(script, sizeof script, end->script, number->number);
    START(QUICK, option, SH(script));
    say("run\n");
    await(&program.out, "run\n");
    kill(program.pid, number->number);
    program_finish();
    assert_status(status_counts ? end->status : -number->number);
    assert_string_equal(program.out.bytes, end->status < 0 ? "run\n" : "run\ngot\n");
    assert_null(strstr(program.err.bytes, "redial"));
    row = NULL;
}

static void pass_all_on(void)
{
    for (size_t i = 0; i < LENGTH(signals); i++)
        for (size_t j = 0; j < LENGTH(endings); j++) {
            pass_on(&signals[i], &endings[j], "--group");
            if (!signals[i].interrupts)
                pass_on(&signals[i], &endings[j], "--");
        }
}

TEST(a_signal_is_passed_on_and_the_program_decides_about_the_end)
{
    in_both_sessions(pass_all_on);
}

/* SIGALRM, which comes later, reaches the program. Whatever else came, Ctrl-C is what counts. */
TEST(what_the_terminal_sends_to_the_program_is_not_passed_on_but_ends_the_retrying)
{
    static const char script[] = "trap 'echo got' HUP INT QUIT; trap 'echo first' USR1; "
                                 "trap 'exit %d' ALRM; echo run; while :; do :; done";
    char words[128];
    for (size_t i = 0; i < 2 * LENGTH(signals); i++) {
        int number = signals[i / 2].number, status = i % 2 ? 7 : 0;
        if (!signals[i / 2].interrupts)
            continue;
        row = strsignal(number);
        snprintf(words, sizeof words, script, status);
        START(QUICK, "--retry-status", "1", SH(words));
        await(&program.out, "run\n");
        kill(program.pid, SIGUSR1);
        await(&program.out, "first\n");
        kill(program.pid, number);
        kill(program.pid, SIGALRM);
        program_end();
        assert_status(status ? -number : 0);
        assert_string_equal(program.out.bytes, "run\nfirst\n");
        assert_string_equal(program.err.bytes, "");
    }
    row = NULL;
}

/* A process that ignores SIGTERM has the output, and says when the program has ended, which is then
   a zombie. */
#define HOLD "exec 3<&0; trap '' TERM; { while " STATE("$$") " | grep -q '^[DIRST]'; do :; done; " \
    "echo ended >&2; exec 2>&-; read line; echo $line; } <&3 & trap - TERM; "

TEST(a_signal_ends_the_wait_for_the_rest_of_an_output)
{
    START(QUICK, "--hold-output", SH(HOLD "exit 0"));
    await(&program.err, "ended\n");
    kill(program.pid, SIGTERM);
    program_finish();
    assert_status(-SIGTERM);
}

TEST(after_a_signal_only_a_success_needs_the_rest_of_an_output_that_is_held)
{
    START(QUICK, "--hold-output", SH(HOLD "trap 'exit 7' TERM; echo run >&2; wait"));
    await(&program.err, "run\n");
    kill(program.pid, SIGTERM);
    program_finish();
    assert_status(7);
    START(QUICK, "--hold-output", SH(HOLD "trap 'exit 0' TERM; echo run >&2; wait"));
    await(&program.err, "run\n");
    kill(program.pid, SIGTERM);
    await(&program.err, "ended\n");
    say("line\n");
    program_finish();
    assert_status(0);
    assert_string_equal(program.out.bytes, "line\n");
}

TEST(a_signal_ends_a_program_that_is_stopped)
{
    START(QUICK, SH("(kill -STOP $$; while " STATE("$$") " | grep -q '^[DIRSU]'; do :; done; "
                    "echo stopped) & wait"));
    await(&program.out, "stopped\n");
    kill(program.pid, SIGTERM);
    program_end();
    assert_status(-SIGTERM);
}

TEST(a_signal_ends_a_wait_which_is_said_in_minutes_or_hours_if_it_is_long)
{
    static const char *const waits[LENGTH(signals)][2] = {
        { "60", "60000 ms" }, { "60.001", "1.0 minutes" }, { "90", "1.5 minutes" },
        { "3599", "60.0 minutes" }, { "1h", "1.0 hours" }, { "6h", "6.0 hours" },
        { "1193h", "1193.0 hours" }
    };
    char wanted[64];
    for (size_t i = 0; i < LENGTH(signals); i++) {
        row = waits[i][0];
        snprintf(wanted, sizeof wanted, "redial: exit status 1: retry 1 of 5 in %s\n", waits[i][1]);
        START(LONG, row, SH("exit 1"));
        await(&program.err, wanted);
        kill(program.pid, signals[i].number);
        program_end();
        assert_status(-signals[i].number);
    }
    row = NULL;
}

TEST(a_signal_at_the_end_of_an_attempt_ends_the_retrying)
{
    RUN(QUICK, SH("echo run; kill -TERM $PPID; exit 1"));
    assert_string_equal(program.out.bytes, "run\n");
    assert_true(program.status != 0);
}

#ifdef __linux__

TEST(as_process_1_it_reaps_orphans_that_end_in_a_wait)
{
    uint32_t began_ms = real_now_ms();
    pid_t orphan;
    program.before = get_orphans;
    START(LONG, "1h", SH("exec 3<&0; { read line; } <&3 & echo $!; exit 1"));
    await(&program.err, "retry 1");
    await(&program.out, "\n");
    orphan = (pid_t)atol(program.out.bytes);
    assert_int_equal(kill(orphan, 0), 0);
    say("line\n");
    while (kill(orphan, 0) == 0)
        assert_true(real_now_ms() - began_ms < PATIENCE_MS);
    kill(program.pid, SIGTERM);
    program_end();
    assert_status(-SIGTERM);
}

#endif

/* ---- the command line ---- */

static bool item_says(const char *item, const char *format, const char *value)
{
    char wanted[64];
    const char *end = strstr(item + 1, "\n.It "), *at;
    snprintf(wanted, sizeof wanted, format, value);
    at = strstr(item, wanted);
    return at && (!end || at < end) && !isalnum((unsigned char)at[strlen(wanted)]);
}

TEST(help_names_the_options_and_the_manual_describes_each_with_its_default)
{
    char manual[16384], wanted[64], value[16];
    FILE *file = fopen(MANUAL, "r");
    int defaults = 0;
    assert_non_null(file);
    manual[fread(manual, 1, sizeof manual - 1, file)] = '\0';
    fclose(file);
    RUN(COMMAND, "--help", NULL);
    assert_status(0);
    assert_contains(program.out.bytes, "usage: redial [options] program [arguments]\n");
    assert_narrow();
    assert_contains(program.out.bytes,
                    "  --kill-after TIME     from SIGTERM to SIGKILL; 0: never [2s]\n");
    assert_contains(program.out.bytes, "  --quiet               print no line for each retry\n");
    for (const char *line = program.out.bytes; (line = strstr(line, "\n  --")) != NULL; line++) {
        snprintf(wanted, sizeof wanted, "\n.It Fl %.*s", (int)strcspn(line + 4, " "), line + 4);
        assert_contains(manual, wanted);
        if (sscanf(line + 1, "%*[^[\n][%15[^]]", value) == 1) {
            const char *item = strstr(manual, wanted);
            if (!item_says(item, "by default %s", value)
                && !item_says(item, "\n%s, the default", value)
                && !item_says(item, "\n.Cm %s ,\nthe default", value))
                fail_msg("the manual does not name the default %s of %s", value,
                         wanted + strlen("\n.It Fl "));
            defaults++;
        }
    }
    assert_int_equal(defaults, 8);
}

TEST(explain_shows_the_ranges_and_says_when_it_gives_up)
{
    static const char *const ends[][2] = {
        { "--retries 0", "There is no wait: the first attempt is the only one." },
        { "--mode wide --base 500ms", "The last retry comes 15.500 to 31.000 s after the first" },
        { "--mode full", "The last retry comes 0.0 to 31.0 s after the first failure." },
        { "--mode none", "The last retry comes 31.0 to 31.0 s after the first failure." },
        { "--retries 3 --base 60", "The last retry comes 300.0 to 301.0 s after the first" },
        { "--retries 2 --base 1192h", "The last retry comes 8586167.3 to 8586168.3 s after" },
        { "--retries 20", "It gives up after at most 516.0 s of waiting." },
        { "--retries 40 --mode none --base 1ms --cap 1193h",
          "It gives up after at most 38653367.295 s of waiting." },
        { "--retries 20 --base 500ms --within 1m",
          "It gives up after at most 59.999 s of waiting." },
        { "--retries unlimited --base 500ms --within 1m",
          "It gives up after at most 59.999 s of waiting." },
        { "--retries unlimited", "It never gives up. No wait is longer than 32.0 s." },
        { "--mode added --cap 4 --retries 3", "\n    3  4.0 to 4.0  7.0 to 9.0 |" },
        { "--mode wide --cap 4 --retries 3", "\n    2  2.0 to 4.0   3.0 to  6.0 |" },
        { "--mode none --cap 4 --within 7", "\n    2  2.0 to 2.0  3.0 to 3.0 |" },
        { "--mode full --base 100ms --retries 2 --within 250ms",
          "\n    2   0.000 to  0.200  0.000 to 0.249 |" },
    };
    for (size_t i = 0; i < LENGTH(ends); i++) {
        row = ends[i][0];
        program_start_words(COMMAND, "%s --explain true", row);
        program_end();
        assert_status(0);
        assert_contains(program.err.bytes, ends[i][1]);
    }
    row = NULL;
}

TEST(a_text_that_nobody_gets_is_a_failure)
{
    if (access("/dev/full", W_OK) != 0)
        skip();
    RUN("/bin/sh", "-c", "\"$0\" --version >/dev/full || exec \"$0\" --help >/dev/full", COMMAND,
        NULL);
    assert_status(1);
    assert_string_equal(program.err.bytes,
                        "redial: can't write to standard output: No space left on device\n"
                        "redial: can't write to standard output: No space left on device\n");
    RUN("/bin/sh", "-c", "\"$0\" --explain -- echo run 2>/dev/full", COMMAND, NULL);
    assert_status(1);
    assert_string_equal(program.out.bytes, "");
}

TEST(times_are_written_as_for_sleep)
{
    static const char *const times[][2] = {
        { "5", "5s" }, { "0.5", "500ms" }, { ".5s", "500ms" }, { "250ms", "250ms" },
        { "1.5m", "90s" }, { "1h", "1h" }, { "24h", "1d" }, { "1.5d", "36h" }, { "49d", "49d" },
        { "5.", "5s" }, { "0.0000001", "1ms" }, { "0.00000000010", "1ms" },
        { "1.00000000000000", "1s" },
        { "1.33333333333333333333", "1334ms" }, { "0", "0" },
        { "4294967294ms", "1193h" }, { "1193.00000h", "1193h" }
    };
    char wanted[64];
    for (size_t i = 0; i < LENGTH(times); i++) {
        row = times[i][0];
        snprintf(wanted, sizeof wanted, "SIGKILL; 0: never [%s]\n", times[i][1]);
        RUN(COMMAND, "--kill-after", row, "--help", NULL);
        assert_contains(program.out.bytes, wanted);
    }
    row = NULL;
}

static void refuses(const char *const *arguments, const char *what, const char *rule)
{
    static char line[256];
    snprintf(line, sizeof line, "redial: %s: %s\n", what, rule);
    row = line;
    program_run(arguments);
    assert_status(2);
    assert_string_equal(program.err.bytes, line);
    assert_string_equal(program.out.bytes, "");
    row = NULL;
}

TEST(a_wrong_value_is_refused_with_the_rule)
{
    static const struct { const char *option, *rule, *values[20]; } wrong[] = {
        { "--retry-status", "must be whole numbers from 1 to 255, with commas between them",
          { "", "0", "256", "1,", ",1", "1,,2", "1 2", "-1", "1x", "18446744073709551617" } },
        { "--within",
          "must be a time from 0 to 596h, in seconds or with the unit ms, s, m, h or d",
          { "", ".", "-1", " 1", "1 s", "1w", "unlimited", "1e3", "0x1", "inf", "ms",
            "1.2.3", "25d", "2145600001ms", "18446744073709552", "18446744073709551616" } },
        { "--timeout",
          "must be a time from 0 to 596h, in seconds or with the unit ms, s, m, h or d",
          { "24.84d", "50d" } },
        { "--kill-after",
          "must be a time from 0 to 1193h, in seconds or with the unit ms, s, m, h or d",
          { "1194h", "4294967295ms" } },
        { "--retries", "must be a whole number from 0 to 4294967294, or unlimited",
          { "", "-1", "1.5", "5x", "4294967295", "18446744073709551616" } },
        { "--mode", "must be added, wide, full or none", { "", "some" } }
    };
    char what[64];
    for (size_t i = 0; i < LENGTH(wrong); i++)
        for (const char *const *value = wrong[i].values; *value; value++) {
            snprintf(what, sizeof what, "%s %s", wrong[i].option, *value);
            refuses(ARGS(COMMAND, wrong[i].option, *value, SH("echo run")), what, wrong[i].rule);
        }
}

/* What is no option may be a token: only its name is shown. */
TEST(a_wrong_command_line_is_refused_with_what_is_missing)
{
    static const char usage[] = "write redial [options] program [arguments]";
    static const char none[] = "no such option; --help lists them";
    refuses(ARGS(COMMAND, NULL), "the program is missing", usage);
    refuses(ARGS(COMMAND, "--quiet", "--", NULL), "the program is missing", usage);
    refuses(ARGS(COMMAND, "--secret=token", SH("")), "--secret", none);
    refuses(ARGS(COMMAND, "-ptoken", SH("")), "-p", none);
    refuses(ARGS(COMMAND, "--quiet=token", SH("")), "--quiet", "takes no value");
    refuses(ARGS(COMMAND, "--base", NULL), "--base", "a value must follow");
    refuses(ARGS(COMMAND, "--base", "60", "--cap=32", SH("")), "--cap 32s",
            "must not be less than --base, which is 1m");
}

int main(void)
{
    const char *temporary = getenv("TMPDIR");
    if (temporary && access(temporary, W_OK) != 0)
        unsetenv("TMPDIR");   /* as the checks do, because redial says it and ends */
    return run_all_with(enter, leave, NULL, NULL);
}
