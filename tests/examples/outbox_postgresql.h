/* A PostgreSQL for the tests of the outbox: in a folder of its own, on a Unix socket in it, and stopped by its own id.
   SPDX-License-Identifier: MIT */
#ifndef OUTBOX_POSTGRESQL_H
#define OUTBOX_POSTGRESQL_H

#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>

#include "../common/program.h"

static pid_t postgresql;   /* 0: it does not run */

/* PostgreSQL refuses to be root, so it becomes nobody. Its messages go to our own log. */
static inline pid_t postgresql_exec(const char *folder, const char *const *line)
{
    const struct passwd *nobody = getpwnam("nobody");
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    if (geteuid() == 0 && (!nobody || setgroups(0, NULL) != 0 || setgid(nobody->pw_gid) != 0
                           || setuid(nobody->pw_uid) != 0))
        _exit(126);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGQUIT);   /* to it: stop at once. setuid would have cleared it */
#endif
    dup2(2, 1);
    if (chdir(folder) == 0)
        execv(line[0], (char *const *)(uintptr_t)line);
    _exit(127);
}

/* Returns when it answers. The folder then belongs to nobody. False: it does not run here, and its messages say why. */
static inline bool postgresql_start(const char *folder, const char *url)
{
    const char *const make[] = { POSTGRESQL "/initdb", "-D", "data", "-U", "outbox", "-A", "trust", "-E", "UTF8",
                                 "--no-locale", "-N", NULL };
    const char *const serve[] = { POSTGRESQL "/postgres", "-D", "data", "-k", folder, "-h", "", "-F", NULL };
    const struct passwd *nobody = getpwnam("nobody");
    int status = -1;
    if (geteuid() == 0 && (!nobody || chown(folder, nobody->pw_uid, nobody->pw_gid) != 0))
        return false;
    waitpid(postgresql_exec(folder, make), &status, 0);
    if (status != 0)
        return false;
    postgresql = postgresql_exec(folder, serve);
    while (PQping(url) != PQPING_OK) {
        if (waitpid(postgresql, NULL, WNOHANG) != 0)
            return false;
        usleep(10000);
    }
    return true;
}

static inline void postgresql_stop(void)
{
    if (postgresql > 0) {
        kill(postgresql, SIGINT);   /* ends its connections first */
        waitpid(postgresql, NULL, 0);
    }
}

#endif
