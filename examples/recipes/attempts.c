/* Attempts that are made of more than one request. SPDX-License-Identifier: MIT */
#include <redial.h>

/* Yours. http_get returns the HTTP status, or 0 if no whole response came, and stores the wait that
   a Retry-After asks for. */
int http_get(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms);
struct redial_outcome log_in(uint32_t timeout_ms);
redial_operation get_page;

/* A token that expires: one attempt is a login if the token has expired, and otherwise the request.
   A 401 leads to one login, and a 401 straight after that is final. Neither the 401 nor a login
   that succeeds costs a retry: the next attempt comes after 1 ms and up to jitter_ms. */
struct session { bool expired, renewed; int status; };

struct redial_outcome get_with_login(struct session *session, const char *url, uint32_t timeout_ms)
{
    uint32_t retry_after_ms = 0;
    if (session->expired) {
        struct redial_outcome outcome = log_in(timeout_ms);
        session->renewed = outcome.kind == REDIAL_KIND_DONE;
        session->expired = !session->renewed;
        return session->renewed ? redial_held(1) : outcome;
    }
    session->status = http_get(url, timeout_ms, &retry_after_ms);
    session->expired = session->status == 401 && !session->renewed;
    session->renewed = false;
    return session->expired ? redial_held(1)
                            : redial_http(session->status, retry_after_ms, "GET");
}

/* A call within an attempt of another: it has retries of its own, and the time of the attempt.
   Where it gave up, the outer call may try again, so the numbers of attempts multiply. */
struct redial_outcome nested(void *user, const struct redial_attempt *attempt)
{
    struct redial_policy inner = REDIAL_POLICY_DEFAULT;
    struct redial_report report;
    inner.max_retries = 2;
    inner.max_elapsed_ms = attempt->timeout_ms;   /* UINT32_MAX is REDIAL_NO_LIMIT */
    switch (redial_run(&inner, attempt->env, get_page, user, &report)) {
    case REDIAL_DONE:
    case REDIAL_FAILED:
    case REDIAL_UNSURE:
    case REDIAL_INVALID:
        return report.last;
    case REDIAL_CANCELLED:
        return redial_cancelled(report.last.code);
    default:   /* it gave up: the outer policy says whether that wait is too long */
        return redial_retry(report.last.code, report.last.retry_after_ms);
    }
}
