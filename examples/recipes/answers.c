/* Answers that mean something else. SPDX-License-Identifier: MIT */
#include <redial.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A job that is not ready (202), a part of an upload (308), and a redirect that is a success (303:
   a login, a form, a job whose result is elsewhere). A 308 without progress is a retry: a loop over
   the parts would otherwise send as fast as it can. For polls set max_elapsed_ms. */
struct redial_outcome of_answer(int status, uint32_t retry_after_ms, bool more_has_arrived)
{
    struct redial_outcome outcome = redial_http(status, retry_after_ms, "PUT");
    if (status == 202)
        outcome.kind = REDIAL_KIND_PENDING;
    if (status == 308)
        outcome.kind = more_has_arrived ? REDIAL_KIND_DONE : REDIAL_KIND_RETRY;
    if (status == 303)
        outcome.kind = REDIAL_KIND_DONE;
    return outcome;
}

/* The wait of an X-RateLimit-Reset that is a Unix time, as GitHub's: made a date, so that the
   response's own Date counts, and not our clock. The weekday need not be right. */
uint32_t reset_ms(const char *reset, const char *date)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t at = (time_t)strtoll(reset, NULL, 10);
    struct tm tm;
    char text[64];
    if (!gmtime_r(&at, &tm) || strftime(text, sizeof text, "Thu, %d MMM %Y %H:%M:%S GMT", &tm) == 0)
        return 0;
    memcpy(text + 8, months + 3 * tm.tm_mon, 3);   /* %b depends on the locale */
    return redial_retry_after_ms(text, date);
}
