/* Ctrl-C and SIGTERM in the examples: examples/common/interrupt.c. SPDX-License-Identifier: MIT */
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../examples/common/interrupt.h"
#include "../unit/support.h"

static bool readable(int fd)
{
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return poll(&one, 1, 0) == 1;
}

/* The status of a process of its own after these signals. 0: it was cancelled once they had come, and not before, and
   its descriptor, if it has one, stayed readable. Signal 0 is none. */
static int status_after(int first, int second, bool polls)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int fd = polls ? interrupt_fd() : -1;
        bool before = interrupt_cancelled(NULL) || readable(fd);
        interrupt_catch();
        alarm(10);      /* if a handler never returns, the test fails and does not hang */
        raise(first);
        raise(second);
        _exit(before || !interrupt_cancelled(NULL) || readable(fd) != polls || readable(fd) != polls);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST(the_first_signal_cancels_the_run_and_wakes_a_poll)
{
    assert_int_equal(status_after(SIGINT, 0, true), 0);
    assert_int_equal(status_after(SIGTERM, 0, true), 0);
}

TEST(a_program_that_does_not_poll_needs_no_descriptor)
{
    assert_int_equal(status_after(SIGINT, 0, false), 0);
}

static void assert_ended_by(int status, int number)
{
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

TEST(a_second_signal_ends_the_program_at_once)
{
    assert_ended_by(status_after(SIGINT, SIGINT, true), SIGINT);
    assert_ended_by(status_after(SIGTERM, SIGTERM, true), SIGTERM);
    assert_ended_by(status_after(SIGINT, SIGTERM, true), SIGTERM);
    assert_ended_by(status_after(SIGTERM, SIGINT, true), SIGINT);
}

int main(void)
{
    return run_all();
}
