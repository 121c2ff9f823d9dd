/* Error numbers to outcomes, src/errno.c. Each keeps its code. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>

#include "../common/support.h"

/* What Windows gets, on other systems under another name. */
#ifdef _WIN32
#define redial_errno_of_windows redial_errno
#else
struct redial_outcome redial_errno_of_windows(int error);
#define redial_errno redial_errno_of_windows
#define _WIN32 1
#include "../../src/errno.c"
#undef redial_errno
#undef _WIN32
#endif

/* The header's list, and Winsock's numbers at its end. */
static const int worth_a_retry[] = {
    ECONNREFUSED, ECONNRESET, ECONNABORTED, ETIMEDOUT, EPIPE, EAGAIN, EWOULDBLOCK, EINTR,
    EHOSTUNREACH, ENETUNREACH, ENETDOWN, ENETRESET, ENOBUFS, EADDRNOTAVAIL, EMFILE, ENFILE, ENOMEM,
#ifdef EHOSTDOWN
    EHOSTDOWN,
#endif
    /* WSAEINTR, EMFILE, EWOULDBLOCK, EADDRNOTAVAIL, ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED,
       ECONNRESET, ENOBUFS, ETIMEDOUT, ECONNREFUSED, EHOSTDOWN, EHOSTUNREACH */
    10004, 10024, 10035, 10049, 10050, 10051, 10052, 10053, 10054, 10055, 10060, 10061, 10064, 10065
};

static bool listed(int error)
{
    for (size_t i = 0; i < LENGTH(worth_a_retry); i++)
        if (worth_a_retry[i] == error)
            return true;
    return false;
}

static void check(int error, enum redial_kind kind)
{
    struct redial_outcome outcome;
    poison(&outcome, sizeof outcome);
    outcome = error > -10000 && error < 10000 ? redial_errno(error)
                                              : redial_errno_of_windows(error);
    if (outcome.kind != kind || outcome.code != error || outcome.retry_after_ms
        || outcome.uptime_ms)
        fail_msg("error %d: kind %d instead of %d, code %d", error, (int)outcome.kind, (int)kind,
                 outcome.code);
}

TEST(zero_is_no_outcome_and_every_listed_error_of_either_sign_is_retried)
{
    check(0, REDIAL_KIND_INVALID);
    assert_int_equal(redial_errno_of_windows(0).kind, REDIAL_KIND_INVALID);
    for (size_t i = 0; i < LENGTH(worth_a_retry); i++) {
        check(worth_a_retry[i], REDIAL_KIND_RETRY);
        check(-worth_a_retry[i], REDIAL_KIND_RETRY);
    }
}

TEST(a_cancelled_operation_is_cancelled)
{
    check(ECANCELED, REDIAL_KIND_CANCELLED);
    check(-ECANCELED, REDIAL_KIND_CANCELLED);
    assert_int_equal(redial_errno_of_windows(ECANCELED).kind, REDIAL_KIND_CANCELLED);
}

/* Up to the numbers of Winsock, which are the highest of any system, and beyond. */
TEST(every_other_error_fails)
{
    for (int error = 1; error < 12000; error++)
        if (!listed(error) && error != ECANCELED) {
            check(error, REDIAL_KIND_FAIL);
            check(-error, REDIAL_KIND_FAIL);
        }
#ifndef _WIN32
    assert_int_equal(redial_errno(10061).kind, REDIAL_KIND_FAIL);
#endif
    check(INT_MAX, REDIAL_KIND_FAIL);
    check(INT_MIN, REDIAL_KIND_FAIL);
}

int main(void)
{
    return run_all();
}
