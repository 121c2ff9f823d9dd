/* A PostgreSQL for the tests of the outbox: in a folder of its own, on a Unix socket in it, and stopped by its own id.
   SPDX-License-Identifier: MIT */
#ifndef OUTBOX_POSTGRESQL_H
#define OUTBOX_POSTGRESQL_H

#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <stdio.h>

#include "child.h"

struct postgresql {
    pid_t pid;
    char data[128], url[256];
};

/* postgres refuses to be root. */
static inline void postgresql_become_nobody(void)
{
    const struct passwd *nobody = getpwnam("nobody");
    if (geteuid() == 0 && (!nobody || setgroups(0, NULL) != 0 || setgid(nobody->pw_gid) != 0
                           || setuid(nobody->pw_uid) != 0))
        _exit(126);
}

/* Starts POSTGRESQL/NAME as nobody; what it says is in FOLDER/NAME.log. */
static inline pid_t postgresql_exec(const char *folder, const char *const *line)
{
    pid_t pid = fork();
    if (pid == 0) {
        char log[160];
        int out;
        snprintf(log, sizeof log, "%s.log", line[0]);
        postgresql_become_nobody();
        child_follows_parent(SIGQUIT);   /* to it: stop at once */
        out = chdir(folder) == 0 ? open(strrchr(log, '/') + 1, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
        if (out >= 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
            execv(line[0], (char *const *)(uintptr_t)line);
        _exit(127);
    }
    return pid;
}

static inline bool postgresql_make(const struct postgresql *server, const char *folder)
{
    const char *const line[] = { POSTGRESQL "/initdb", "-D", server->data, "-U", "outbox", "-A", "trust", "-E",
                                 "UTF8", "--no-locale", "-N", NULL };
    int status = -1;
    waitpid(postgresql_exec(folder, line), &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        printf("root may not run PostgreSQL, and the user nobody cannot reach %s\n", line[0]);
    return status == 0;
}

/* Waits until it answers, or has ended. */
static inline bool postgresql_await(const struct postgresql *server)
{
    while (PQping(server->url) != PQPING_OK) {
        if (waitpid(server->pid, NULL, WNOHANG) != 0)
            return false;
        usleep(10000);
    }
    return true;
}

static inline bool postgresql_run(struct postgresql *server, const char *folder)
{
    const char *const line[] = { POSTGRESQL "/postgres", "-D", server->data, "-k", folder, "-h", "", NULL };
    server->pid = postgresql_exec(folder, line);
    return server->pid > 0 && postgresql_await(server);
}

/* The folder then belongs to the user nobody. False: it does not run here, and the logs in the folder say why. */
static inline bool postgresql_start(struct postgresql *server, const char *folder)
{
    const struct passwd *nobody = getpwnam("nobody");
    server->pid = 0;
    snprintf(server->data, sizeof server->data, "%s/data", folder);
    snprintf(server->url, sizeof server->url, "postgresql:///postgres?host=%s&user=outbox", folder);
    if (geteuid() == 0 && (!nobody || chown(folder, nobody->pw_uid, nobody->pw_gid) != 0))
        return false;
    return access(POSTGRESQL "/postgres", X_OK) == 0 && postgresql_make(server, folder)
           && postgresql_run(server, folder);
}

static inline void postgresql_stop(const struct postgresql *server)
{
    if (server->pid > 0) {
        kill(server->pid, SIGINT);   /* ends its connections first */
        waitpid(server->pid, NULL, 0);
    }
}

#endif
