/* Ctrl-C and SIGTERM in the examples: examples/common/interrupt.c. SPDX-License-Identifier: MIT */
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../examples/common/interrupt.h"
#include "../common/support.h"

static bool readable(int fd)
{
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return poll(&one, 1, 0) == 1;
}

/* The status of a process of its own after these signals. 0: it was cancelled once they had come,
   and not before, and its descriptor, if it has one, stayed readable. Signal 0 is none. */
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
        _exit(before || !interrupt_cancelled(NULL) || readable(fd) != polls
              || readable(fd) != polls);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST(the_first_signal_cancels_the_run_and_a_poll_and_a_second_ends_the_program)
{
    static const struct { int first, second; bool polls; int ended_by; } rows[] = {
        { SIGINT, 0, true, 0 }, { SIGTERM, 0, true, 0 }, { SIGINT, 0, false, 0 },
        { SIGINT, SIGINT, true, SIGINT }, { SIGTERM, SIGTERM, true, SIGTERM },
        { SIGINT, SIGTERM, true, SIGTERM }, { SIGTERM, SIGINT, true, SIGINT },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++)
        assert_int_equal(status_after(rows[i].first, rows[i].second, rows[i].polls),
                         rows[i].ended_by);
}

int main(void)
{
    return run_all();
}
