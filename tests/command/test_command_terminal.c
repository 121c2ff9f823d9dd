/* The command redial on a terminal: everything is as without it. SPDX-License-Identifier: MIT */
#include "command.h"
#include <sys/stat.h>

#define CTRL_C "\003"
#define CTRL_Z "\032"
#define CTRL_BACKSLASH "\034"
#define PROMPT "ready> "

struct step {
    const char *wait_for, *say;
};

static void play(const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count && steps[i].say; i++) {
        await(&program.out, steps[i].wait_for);
        say(steps[i].say);
    }
    program_finish();
}

/* ---- one session, without a shell or with sh ---- */

static volatile sig_atomic_t interrupts, finished;

static void note(int number)
{
    if (number == SIGINT)
        interrupts++;
    else
        finished = 1;
}

/* What this program does as the program of redial. */
static int count_interrupts(void)
{
    sigset_t blocked, before;
    int said = 0;
    signal(SIGINT, note);
    signal(SIGUSR1, note);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    for (printf("run\n"); !finished; sigsuspend(&before))
        for (fflush(stdout); said < interrupts; said++)
            printf("interrupt\n"), fflush(stdout);
    printf("interrupts: %d\n", (int)interrupts);
    return 0;
}

/* If redial passed on SIGINT, it would come before SIGUSR1. */
TEST(ctrl_c_reaches_the_program_once)
{
    static const char *const options[] = { "--", "--group" };
    for (size_t i = 0; i < LENGTH(options); i++) {
        row = options[i];
        program_start_on_terminal(ARGS(QUICK, row, SELF, "count", NULL));
        await(&program.out, "run");
        say(CTRL_C);
        await(&program.out, "interrupt\r\n");
        kill(program.pid, SIGUSR1);
        await(&program.out, "interrupts: 1\r\n");
        program_finish();
        assert_status(0);
    }
    row = NULL;
}

/* The shell starts the job in the background, waits until it has stopped, continues it there, and
   then brings it to the front. */
static const char in_background[] =
    "set -m; stopped() { until jobs >runs && grep -q -e Stopped -e Suspended runs; do :; done; };"
    "\"$@\" & stopped; bg; stopped; echo stopped; fg";
/* Ctrl-Z stops all of the job, and only then the shell goes on. */
static const char in_front[] = "set -m; \"$@\" | cat; until " STATE("$(cat runs)")
    " | grep -q T; do :; done; rm runs; echo stopped; fg; echo ended";

static const struct session {
    const char *what, *shell, *option, *script;
    struct step steps[3];
    int status;
    const char *last;
} sessions[] = {
    { "each attempt may read", NULL, "--",
      "echo ask; read line; echo got $line; [ $line = two ]",
      { { "ask", "one\n" }, { "got one", "two\n" } }, 0, "got two" },
    { "Ctrl-C ends the program and the retrying", NULL, "--", "echo run; exec sleep 1000",
      { { "run\r\n", CTRL_C } }, -SIGINT, "run" },
    { "Ctrl-C ends a group", NULL, "--group", "echo run; exec sleep 1000",
      { { "run\r\n", CTRL_C } }, -SIGINT, "run" },
    { "Ctrl-Z stops nothing that no shell could continue", NULL, "--",
      "echo run; read line; echo got $line", { { "run\r\n", CTRL_Z "hello\n" } }, 0, "got hello" },
    { "or a group", NULL, "--group", "trap 'echo stop' TSTP; trap 'echo $((1 + 1)) times; exit' "
      "CONT; echo run; while :; do :; done", { { "run\r\n", CTRL_Z } }, 0, "2 times" },
    { "Ctrl-Z and fg stop and continue a group with redial", in_front, "--group",
      "echo $$ >runs; echo run; while [ -e runs ]; do :; done; echo got it",
      { { "run\r\n", CTRL_Z } }, 0, "got it\r\nended" },
    { "and redial in a wait", "set -m; \"$@\"; bg; kill %1; wait; exit 9", "--base=1h", "exit 1",
      { { "retry 1", CTRL_Z } }, 9, "" },
    { "and in a wait with --group",
      "set -m; \"$1\" --base 1h --group sh -c 'exit 1'; bg; kill %1; wait; exit 9",
      "--", "", { { "retry 1", CTRL_Z } }, 9, "" },
    { "in the background it waits for the terminal", in_background, "--", "echo got $(head -n 1)",
      { { "stopped", "hello\n" } }, 0, "got hello" },
};

/* A redial runs another one, and all are as one. */
static void check_session(const struct session *session, unsigned redials)
{
    const char *arguments[24];
    size_t count = 0;
    row = session->what;
    if (session->shell)
        memcpy(arguments, ARGS("/bin/sh", "-c", session->shell, "sh"), 4 * sizeof *arguments),
            count = 4;
    for (; redials > 0; redials--, count += 6)
        memcpy(arguments + count, ARGS(QUICK, session->option), 6 * sizeof *arguments);
    memcpy(arguments + count, ARGS(SH(session->script)), 4 * sizeof *arguments);
    program_start_on_terminal(arguments);
    play(session->steps, LENGTH(session->steps));
    if (program.status != session->status || !strstr(program.out.bytes, session->last))
        fail_msg("it ended with %d and said:\n%s", program.status, program.out.bytes);
    unlink("runs");
    row = NULL;
}

TEST(the_keys_of_a_terminal_act_on_the_program_and_on_redial)
{
    for (size_t i = 0; i < LENGTH(sessions); i++)
        check_session(&sessions[i], 1);
}

TEST(redials_that_run_each_other_are_as_one)
{
    for (size_t i = 0; i < LENGTH(sessions); i++)
        if (strcmp(sessions[i].option, "--") == 0)
            check_session(&sessions[i], 2);
}

/* ---- at the prompt of a shell, with redial and with env, which becomes the program ---- */

static const struct shell {
    const char *name, *arguments[4];
} shells[] = {
    { "sh", { "-i" } },
    { "dash", { "-i" } },
    { "bash", { "--norc", "--noprofile", "--noediting", "-i" } },
    { "zsh", { "-f", "-i", "+Z" } },
};

/* In a scene, $R is redial or env, $S the shell, $P what the program does, and $G what the pager
   does. What a test looks at begins with "= ", unlike what it types at a prompt. */
#define AT_PROMPT "\"$R\" sh -c \"$P\"\n"
#define IN_SCRIPT "\"$S\" -c 'export X=$$; \"$R\" sh -c \"$P\"; echo = went on'\n"
#define SUBSTITUTED "x=$(\"$R\" sh -c \"$P\")\n"
#define IN_PIPELINE "\"$R\" sh -c \"$P\" | sh -c \"$G\"\n"
#define STATUS "echo = status $?\nexit\n"
#define SLEEPS "echo = run >&2; exec sleep 1000"
#define HANDLES "trap 'exit 0' INT; echo = run; while :; do :; done"
/* bash must have begun to wait for the program: until then Ctrl-C ends it. */
#define WAITED_FOR "until " STATE("$X") " | grep -q ^S; do :; done; "
#define ASKS "exec 3<>/dev/tty; stty -echo <&3; echo password: >&3; read p <&3; stty echo <&3; " \
    "echo = got ${#p}"

static const struct scene {
    const char *what, *program;
    struct step steps[7];
    const char *wanted;     /* NULL: shells differ */
} scenes[] = {
    { "Ctrl-C", SLEEPS, { { PROMPT, AT_PROMPT }, { "= run\r\n", CTRL_C }, { PROMPT, STATUS } },
      "= run\n= status 130\n" },
    { "Ctrl-\\", "ulimit -c 0; echo = run >runs; exec cat runs -",   /* bash itself ignores it */
      { { PROMPT, AT_PROMPT }, { "= run\r\n", CTRL_BACKSLASH }, { PROMPT, STATUS } },
      "= run\n= status 131\n" },
    { "a program that ends with 0 after Ctrl-C", HANDLES,
      { { PROMPT, AT_PROMPT }, { "= run\r\n", CTRL_C }, { PROMPT, STATUS } },
      "= run\n= status 0\n" },
    { "Ctrl-Z and fg", "echo = run; read line; echo = got $line",
      { { PROMPT, AT_PROMPT }, { "= run\r\n", CTRL_Z }, { PROMPT, "echo = back\n" },
        { PROMPT, "fg\nhello\n" }, { "= got", "" }, { PROMPT, STATUS } },
      "= run\n= back\n= got hello\n= status 0\n" },
    { "a password", ASKS,
      { { PROMPT, AT_PROMPT }, { "password:", "secret\n" }, { PROMPT, STATUS } },
      "= got 6\n= status 0\n" },
    { "a password in a command substitution", ASKS, { { PROMPT, SUBSTITUTED },
      { "password:", "secret\n" }, { PROMPT, "echo \"$x\"\n" }, { PROMPT, STATUS } },
      "= got 6\n= status 0\n" },
    { "Ctrl-C in a command substitution", SLEEPS,
      { { PROMPT, SUBSTITUTED }, { "= run\r\n", CTRL_C }, { PROMPT, STATUS } }, NULL },
    { "a pipeline into a pager", "echo = made",
      { { PROMPT, IN_PIPELINE }, { "more", "q\n" }, { PROMPT, STATUS } },
      "= made\n= key q\n= status 0\n" },
    { "Ctrl-C in a script", SLEEPS,
      { { PROMPT, IN_SCRIPT }, { "= run\r\n", CTRL_C }, { PROMPT, STATUS } },
      "= run\n= status 130\n" },
    { "Ctrl-C in a script with a program that ends with 0 after it", WAITED_FOR HANDLES,
      { { PROMPT, IN_SCRIPT }, { "= run\r\n", CTRL_C }, { PROMPT, STATUS } }, NULL },
};

/* The lines that begin with "= ", perhaps after a key. A terminal ends lines with \r\n. */
static void keep_marked(char *out)
{
    const char *line = program.out.bytes;
    for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        line += strspn(line, "^CZ\\");
        if (strncmp(line, "= ", 2) == 0) {
            size_t length = strcspn(line, "\r\n");
            memcpy(out, line, length);
            out += length;
            *out++ = '\n';
        }
    }
    *out = '\0';
}

static void play_scene(const char *file, const struct shell *shell, const struct scene *scene,
                       const char *runner, char *out)
{
    const char *arguments[6] = { file };
    memcpy(arguments + 1, shell->arguments, sizeof shell->arguments);
    setenv("R", runner, 1);
    setenv("S", file, 1);
    setenv("P", scene->program, 1);
    program_start_on_terminal(arguments);
    play(scene->steps, LENGTH(scene->steps));
    keep_marked(out);
    if (strstr(program.out.bytes, "secret"))
        fail_msg("the password is on the screen:\n%s", program.out.bytes);
    if (scene->wanted && strcmp(out, scene->wanted) != 0)
        fail_msg("with %s, %s says:\n%s", runner, shell->name, program.out.bytes);
}

static void check_scene(const char *file, const struct shell *shell, const struct scene *scene)
{
    static char without[sizeof program.out.bytes], with[sizeof program.out.bytes];
    row = scene->what;
    play_scene(file, shell, scene, "/usr/bin/env", without);
    play_scene(file, shell, scene, COMMAND, with);
    if (strcmp(without, with) != 0)
        fail_msg("without redial %s says:\n%swith it:\n%s", shell->name, without, with);
    row = NULL;
}

static const char *find(const char *name)
{
    static const char *const folders[] = { "/bin", "/usr/bin", "/usr/local/bin" };
    static char file[64];
    for (size_t i = 0; i < LENGTH(folders); i++) {
        snprintf(file, sizeof file, "%s/%s", folders[i], name);
        if (access(file, X_OK) == 0)
            return file;
    }
    return NULL;
}

static bool is_same(const char *file, const char *other)
{
    struct stat a, b;
    return stat(file, &a) == 0 && stat(other, &b) == 0 && a.st_ino == b.st_ino
           && a.st_dev == b.st_dev;
}

TEST(at_the_prompt_of_a_shell_and_in_its_scripts_everything_is_as_without_redial)
{
    setenv("PS1", PROMPT, 1);
    setenv("TERM", "dumb", 1);
    setenv("G", "cat; echo more; read key </dev/tty; echo = key $key", 1);
    unsetenv("ENV");
    for (size_t i = 0; i < LENGTH(shells); i++) {
        const char *file = find(shells[i].name);
        if (i > 0 && file && is_same(file, "/bin/sh"))
            continue;   /* it was the first one */
        if (!file)
            print_message("skipped: there is no %s\n", shells[i].name);
        for (size_t j = 0; file && j < LENGTH(scenes); j++)
            check_scene(file, &shells[i], &scenes[j]);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "count") == 0)
        return count_interrupts();
    return run_all_with(enter, leave, NULL, NULL);
}
