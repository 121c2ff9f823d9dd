/* A PostgreSQL for the tests of the outbox: in a folder of its own, on a Unix socket in it, and stopped by its own id.
   SPDX-License-Identifier: MIT */
#ifndef OUTBOX_POSTGRESQL_H
#define OUTBOX_POSTGRESQL_H

#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>

#include "../common/program.h"

static struct {
    pid_t pid;
    char data[128], url[256];
} postgresql;

/* PostgreSQL refuses to be root. Its messages go to our own log. */
static inline pid_t postgresql_exec(const char *folder, const char *const *line)
{
    const struct passwd *nobody = getpwnam("nobody");
    pid_t pid = fork();
    if (pid != 0)
        return pid;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGQUIT);   /* to it: stop at once */
#endif
    if (geteuid() == 0 && (!nobody || setgroups(0, NULL) != 0 || setgid(nobody->pw_gid) != 0
                           || setuid(nobody->pw_uid) != 0))
        _exit(126);
    dup2(2, 1);
    if (chdir(folder) == 0)
        execv(line[0], (char *const *)(uintptr_t)line);
    _exit(127);
}

static inline bool postgresql_make(const char *folder)
{
    const char *const line[] = { POSTGRESQL "/initdb", "-D", postgresql.data, "-U", "outbox", "-A", "trust", "-E",
                                 "UTF8", "--no-locale", "-N", NULL };
    int status = -1;
    waitpid(postgresql_exec(folder, line), &status, 0);
    return status == 0;
}

/* Returns when it answers. False: it has ended. */
static inline bool postgresql_serve(const char *folder)
{
    const char *const line[] = { POSTGRESQL "/postgres", "-D", postgresql.data, "-k", folder, "-h", "", "-F", NULL };
    postgresql.pid = postgresql_exec(folder, line);
    while (PQping(postgresql.url) != PQPING_OK) {
        if (waitpid(postgresql.pid, NULL, WNOHANG) != 0)
            return false;
        usleep(10000);
    }
    return true;
}

/* The folder then belongs to the user nobody. False: it does not run here, and its messages say why. */
static inline bool postgresql_start(const char *folder)
{
    const struct passwd *nobody = getpwnam("nobody");
    snprintf(postgresql.data, sizeof postgresql.data, "%s/data", folder);
    snprintf(postgresql.url, sizeof postgresql.url, "postgresql:///postgres?host=%s&user=outbox", folder);
    return (geteuid() != 0 || (nobody && chown(folder, nobody->pw_uid, nobody->pw_gid) == 0))
           && access(POSTGRESQL "/postgres", X_OK) == 0 && postgresql_make(folder) && postgresql_serve(folder);
}

static inline void postgresql_stop(void)
{
    if (postgresql.pid > 0) {
        kill(postgresql.pid, SIGINT);   /* ends its connections first */
        waitpid(postgresql.pid, NULL, 0);
    }
}

#endif
