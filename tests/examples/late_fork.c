/* Compile retry with -Dfork=late_fork: Ctrl-C comes when the program is not there yet, and the
   program begins only when retry has passed it on. Only on Linux can we send a signal as if we were
   a terminal. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

pid_t late_fork(void);

pid_t late_fork(void)
{
    sigset_t pending;
    pid_t pid;
#ifdef __linux__
    siginfo_t terminal = { .si_signo = SIGINT, .si_code = SI_KERNEL };
    syscall(SYS_rt_sigqueueinfo, getpid(), SIGINT, &terminal);
#else
    raise(SIGINT);
#endif
    pid = fork();
    do
        sigpending(&pending);
    while (pid == 0 && !sigismember(&pending, SIGINT));
    return pid;
}
