/* examples/retry/retry as PROGRAM, and as LATE with late_fork.c. SPDX-License-Identifier: MIT */
#define PATIENCE_MS 20000
#include "../common/program.h"
#ifdef __linux__
#include <sched.h>
#endif

#define ARGS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define R "\"$0\" -w 0.001 -W 0.001 "   /* each wait is 1 ms */
#define COUNT "echo run | tee -a tries; "
#define SPIN "while :; do :; done"

/* A shell runs the line. err is what retry says. */
static const struct line {
    const char *what, *line;
    int status;
    const char *out, *err;
} lines[] = {
    { "a program that succeeds runs once", R "echo run", 0, "run\n", "" },
    { "it runs until it succeeds", R "sh -c '" COUNT "[ $(grep -c . tries) = 3 ] || exit 4'", 0,
      "run\nrun\nrun\n", "retry: status 4: retry 1 of 5 in 1 ms\n"
      "retry: status 4: retry 2 of 5 in 1 ms\n" },
    { "the last status is the exit status", R "-r 1 sh -c '" COUNT "exit 1$(grep -c . tries)'", 12,
      "run\nrun\n", "retry: status 11: retry 1 of 1 in 1 ms\nretry: status 12: exhausted\n" },
    { "only chosen statuses are retried", R "-s 75 -s 22 sh -c '" COUNT
      "exit 2$(grep -c . tries | tr 12 23)'", 23, "run\nrun\n",
      "retry: status 22: retry 1 of 5 in 1 ms\nretry: status 23: failed\n" },
    { "126 is final", R "-q ./", 126, "", "retry: ./: Permission denied\n" },
    { "127 is final", R "-q ./none; [ $? != 127 ] || " R "-q /dev/null/none", 127, "",
      "retry: ./none: No such file or directory\nretry: /dev/null/none: Not a directory\n" },
    { "signal N is 128+N", R "-q -r 0 sh -c 'kill -KILL $$'", 137, "", "" },
    { "an attempt has a limit", R "-q -t 0.001 -r 60 sleep 1000", 124, "", "" },
    { "it may clean up, and has failed", R "-q -t 0.2 -r 90 sh -c 'if [ -e tries ]; then echo run; "
      "exit; fi; trap \"echo end | tee tries; exit 0\" TERM; " SPIN "'", 0, "end\nrun\n", "" },
    { "who ignores SIGTERM is killed", R "-t 0.2 -r 0 sh -c 'trap \"\" TERM; exec sleep 1000'",
      124, "", "retry: status 124: exhausted\n" },
    { "all have a limit", R "-T 0.05 sleep 1000", 124, "", "retry: status 124: timed_out\n" },
    { "no wait goes beyond it", "\"$0\" -w 60 -T 60 false", 1, "", "retry: status 1: timed_out\n" },
    { "a file is read from where it was at first", "seq 3 >tries; { read one; " R "-q -r 1 "
      "sh -c 'cat; exit 3'; } <tries", 3, "2\n3\n2\n3\n", "" },
    { "a pipe is read once", "seq 3 | " R "-q -r 1 sh -c 'cat; exit 3'", 3, "1\n2\n3\n", "" },
    { "options of the program are its own", R "-q -- echo -q '' 'a b'", 0, "-q  a b\n", "" },
    { "a late signal counts", "exec " R "-s 1 sh -c 'kill -TERM $PPID; exit 7'", 143, "", "" },
    { "a program that ends with 0 after it has succeeded",
      R "sh -c 'trap \"exit 0\" TERM; kill -TERM $PPID; " SPIN "'", 0, "", "" },
    { "each is passed on, and the first counts", "exec " R "sh -c 'trap \"kill -INT $PPID\" TERM; "
      "trap \"echo got; exit 7\" INT; kill -TERM $PPID; " SPIN "'", 143, "got\n", "" },
    { "nohup's SIGHUP is ignored by both", "trap '' HUP; " R "-q sh -c 'kill -HUP $PPID $$; " COUNT
      "[ $(grep -c . tries) = 2 ]'", 0, "run\nrun\n", "" },
};

TEST(what_a_program_prints_and_returns_decides_about_the_next_attempt)
{
    for (const struct line *line = lines; line < lines + LENGTH(lines); line++) {
        program_start(ARGS("/bin/sh", "-c", line->line, PROGRAM));
        program_end();
        unlink("tries");
        if (program.status < 0)   /* the shell became retry */
            program.status = 128 - program.status;
        if (program.status != line->status || strcmp(program.out.bytes, line->out) != 0
            || strcmp(program.err.bytes, line->err) != 0)
            fail_msg("%s: it ended with %d and said:\n%s%s", line->what, program.status,
                     program.out.bytes, program.err.bytes);
    }
}

TEST(a_wrong_option_is_refused_with_the_value_and_the_rule)
{
    static const char *const rows[][2] = {
        { "", "usage: retry " }, { "-x echo", "usage: retry " }, { "-s 0 echo", "-s 0: must" },
        { "-r 1.5 echo", "retry: -r 1.5: must be a whole number from 0 to 1000000000\n" },
        { "-s 126 echo", "retry: -s 126: must be a whole number from 1 to 255, not 126 or 127\n" },
        { "-w 1.2.3 echo", "retry: -w 1.2.3: must be a number from 0.001 to 2000000\n" },
        { "-W 8.9 -w 9 echo", "retry: -W 8.9: must be a number from 9 to 2000000\n" },
        { "-r -1 echo", "-r -1: must" }, { "-r 1000000001 echo", "-r 1000000001: must" },
        { "-s 127 echo", "-s 127: must" }, { "-s 256 echo", "-s 256: must" },
        { "-t 5s echo", "-t 5s: must" }, { "-T nan echo", "-T nan: must" },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        program_start_words(PROGRAM, "%s", rows[i][0]);
        program_end();
        assert_status(2);
        assert_string_equal(program.out.bytes, "");
        assert_contains(program.err.bytes, rows[i][1]);
    }
}

/* The next process is the first one of its PID namespace, or none is again. It needs root. */
static bool set_process_1(bool on)
{
    bool done = false;
#ifdef __linux__
    int own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    done = setns(own, CLONE_NEWPID) == 0 && (!on || unshare(CLONE_NEWPID) == 0);
    close(own);
#endif
    return done || !on;
}

static void lose_children(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signal(SIGCHLD, SIG_IGN);
}

TEST(a_signal_ends_it_in_an_attempt_and_in_a_wait_also_as_process_1)
{
    static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
    for (unsigned i = 0; i < 4 * LENGTH(numbers); i++) {
        bool first = i >= 8, waits = i % 8 >= 4;
        if (!set_process_1(first)) {
            print_message("left out: as process 1\n");
            break;
        }
        program.before = lose_children;
        program_start(waits ? ARGS(PROGRAM, "-w", "1000", "false") : ARGS(PROGRAM, "cat"));
        say("run\n");
        await(waits ? &program.err : &program.out, waits ? "retry 1 of 5 in " : "run\n");
        kill(program.pid, numbers[i % 4]);
        program_finish();
        set_process_1(false);
        assert_status(first ? 128 + numbers[i % 4] : -numbers[i % 4]);
    }
}

TEST(ctrl_c_reaches_a_program_once_and_also_if_it_came_before_the_program)
{
    program_start(ARGS(LATE, "cat"));
    program_finish();
    assert_status(-SIGINT);
    program_start_on_terminal(ARGS(PROGRAM, "sh", "-c", "trap 'echo got' INT; echo up; "
                                   "until read line; do :; done; exit 7"));
    await(&program.out, "up\r\n");
    say("\003");
    await(&program.out, "got\r\n");
    say("line\n");
    program_end();
    assert_status(-SIGINT);
    assert_null(strstr(program.out.bytes + program.out.seen, "got"));
}

int main(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    unlink("tries");
    return run_all_with(NULL, program_kill, NULL, NULL);
}
