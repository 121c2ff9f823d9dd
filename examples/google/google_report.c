/* Messages about a call, for people who must find out why it failed. SPDX-License-Identifier: MIT */
#include <time.h>

#include "google_report.h"

static void print_seconds(FILE *to, uint32_t ms)
{
    fprintf(to, "%lu.%03lu s", (unsigned long)(ms / 1000), (unsigned long)(ms % 1000));
}

/* "no answer, Timeout was reached (libcurl 28)"
   "HTTP 429 RESOURCE_EXHAUSTED, RATE_LIMIT_EXCEEDED (ReadsPerMinutePerProject)" */
static void print_status(FILE *to, const struct google_call *call, int code)
{
    const struct google_error *error = &call->error;
    if (code < 100) {
        fprintf(to, "no answer, %s (libcurl %d)", error->message, code);
        return;
    }
    fprintf(to, "HTTP %d", code);
    if (error->status[0])
        fprintf(to, " %s", error->status);
    if (error->reason[0])
        fprintf(to, ", %s", error->reason);
    if (error->limit[0])
        fprintf(to, " (%s)", error->limit);
}

void google_report_wait(FILE *to, const struct google_call *call, const struct redial_event *event)
{
    if (event->outcome.kind == REDIAL_KIND_PENDING) {
        fprintf(to, "not ready yet: asking again in ");
    } else {
        print_status(to, call, event->outcome.code);
        fprintf(to, ": retry %lu in ", (unsigned long)event->retry);
    }
    print_seconds(to, event->delay_ms);
    fputc('\n', to);
}

static const char *meaning(enum redial_verdict verdict)
{
    switch (verdict) {
    case REDIAL_DONE: return "it succeeded";
    case REDIAL_FAILED: return "a retry would not change it";
    case REDIAL_EXHAUSTED: return "the retries are used up";
    case REDIAL_TIMED_OUT: return "the time limit leaves no room for another attempt";
    case REDIAL_WAIT_TOO_LONG: return "the server asks for a longer wait than is allowed";
    case REDIAL_BUDGET_EMPTY: return "the retry budget is empty";
    case REDIAL_CANCELLED: return "interrupted";
    default: return "a mistake in the program";
    }
}

static void print_last(FILE *to, const struct google_call *call, const struct redial_report *report)
{
    if (call->requests == 0)
        return;
    fprintf(to, "last:     ");
    if (report->last.kind == REDIAL_KIND_PENDING)
        fprintf(to, "not ready yet");
    else
        print_status(to, call, report->last.code);
    if (call->error.message[0] && report->last.code >= 100)
        fprintf(to, ": %s", call->error.message);
    fprintf(to, "\nrequest:  %s %s\n", call->method, call->url);
}

static void print_times(FILE *to, const struct google_call *call, const struct redial_report *report)
{
    fprintf(to, "attempts: %lu; requests: %u\ntime:     ", (unsigned long)report->attempts, call->requests);
    print_seconds(to, report->elapsed_ms);
    fprintf(to, ", of which waiting ");
    print_seconds(to, report->waited_ms);
    if (report->refused_wait_ms) {
        fprintf(to, "; a wait of ");
        print_seconds(to, report->refused_wait_ms);
        fprintf(to, " was refused");
    }
    fputc('\n', to);
}

void google_report_print(FILE *to, const struct google_call *call, const struct redial_report *report, int64_t now_s)
{
    char date[32] = "?";
    time_t now = (time_t)now_s;
    const struct tm *utc = gmtime(&now);
    if (utc)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", utc);
    fprintf(to, "verdict:  %s: %s\n", redial_verdict_name(report->verdict), meaning(report->verdict));
    print_last(to, call, report);
    print_times(to, call, report);
    fprintf(to, "ended:    %s\n", date);
    if (call->maybe_done)
        fprintf(to, "beware:   a POST got no clear answer and may have been done: check before you repeat it\n");
}
