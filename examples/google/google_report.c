/* Messages about a call, for people who must find out why it failed. SPDX-License-Identifier: MIT */
#include "google_report.h"

/* "no answer, Timeout was reached (libcurl 28)"
   "HTTP 429 RESOURCE_EXHAUSTED, RATE_LIMIT_EXCEEDED (ReadsPerMinutePerProject)" */
static void print_last_outcome(FILE *to, const struct google_call *call, struct redial_outcome last)
{
    const struct google_error *error = &call->error;
    if (last.kind == REDIAL_KIND_PENDING) {
        fprintf(to, "not ready yet");
    } else if (last.code < 200) {
        fprintf(to, "no answer, %s (libcurl %d)", curl_easy_strerror((CURLcode)last.code), last.code);
    } else {
        fprintf(to, "HTTP %d%s%s", last.code, error->status[0] ? " " : "", error->status);
        fprintf(to, "%s%s", error->reason[0] ? ", " : "", error->reason);
        if (error->limit[0])
            fprintf(to, " (%s)", error->limit);
    }
}

void google_report_wait(const struct redial_env *env, const struct redial_event *event)
{
    print_last_outcome(stderr, env->user, event->outcome);
    if (event->outcome.kind == REDIAL_KIND_PENDING)
        fprintf(stderr, ": asking again in %.3f s\n", event->delay_ms / 1000.0);
    else
        fprintf(stderr, ": retry %lu in %.3f s\n", (unsigned long)event->retry, event->delay_ms / 1000.0);
}

static void print_last(FILE *to, const struct google_call *call, const struct redial_report *report)
{
    if (call->requests == 0)
        return;
    fprintf(to, "last:     ");
    print_last_outcome(to, call, report->last);
    if (call->error.message[0])
        fprintf(to, ": %s", call->error.message);
    fprintf(to, "\nrequest:  %s %s\n", call->method, call->url);
}

static void print_times(FILE *to, const struct google_call *call, const struct redial_report *report)
{
    fprintf(to, "attempts: %lu; requests: %u\n", (unsigned long)report->attempts, call->requests);
    fprintf(to, "time:     %.3f s, of which waiting %.3f s", report->elapsed_ms / 1000.0, report->waited_ms / 1000.0);
    if (report->refused_wait_ms)
        fprintf(to, "; a wait of %.3f s was refused", report->refused_wait_ms / 1000.0);
    fputc('\n', to);
}

void google_report_print(FILE *to, const struct google_call *call, const struct redial_report *report, time_t now)
{
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fprintf(to, "verdict:  %s\n", redial_verdict_name(report->verdict));
    print_last(to, call, report);
    print_times(to, call, report);
    fprintf(to, "ended:    %s\n", date);
    if (call->maybe_done)
        fprintf(to, "beware:   a POST got no clear answer and may have been done: check before you repeat it\n");
}
