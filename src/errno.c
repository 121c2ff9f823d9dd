/* Maps errno values to outcomes. This file is empty where libc has no network errors, for example
   on avr-libc. SPDX-License-Identifier: MIT */
#include <errno.h>

#include "redial.h"

#ifdef ECONNREFUSED
struct redial_outcome redial_errno(int error)
{
    /* clang-format off */
    static const int retried[] = {
        ECONNREFUSED, ECONNRESET, ECONNABORTED, ETIMEDOUT, EPIPE, EAGAIN, EWOULDBLOCK, EINTR,
        EHOSTUNREACH, ENETUNREACH, ENETDOWN, ENETRESET, ENOBUFS,
        EADDRNOTAVAIL, EMFILE, ENFILE, ENOMEM,
#ifdef EHOSTDOWN /* not in POSIX */
        EHOSTDOWN,
#endif
#ifdef _WIN32 /* WSAEINTR, WSAEWOULDBLOCK and so on, without a need for Winsock's header */
        10004, 10024, 10035, 10049, 10050, 10051, 10052, 10053, 10054, 10055, 10060, 10061, 10064,
        10065,
#endif
    };
    /* clang-format on */
    struct redial_outcome outcome = redial_fail(error);
    unsigned i;
    if (error == 0) /* no error, so it says nothing about the attempt */
        outcome.kind = REDIAL_KIND_INVALID;
#ifdef ECANCELED /* not on AVR */
    if (error == ECANCELED || error == -ECANCELED)
        return redial_cancelled(error);
#endif
    for (i = 0; i < sizeof retried / sizeof *retried; i++)
        if (error == retried[i] || error == -retried[i])
            return redial_retry(error, 0);
    return outcome;
}
#endif
