/* redial: exponential backoff and retry for C. libc only.
   SPDX-License-Identifier: MIT

   The documented algorithm of many REST services: after HTTP 429 or 5xx

       wait min(base * 2^n + random_ms, cap)      n = 0, 1, 2, ...

   and try again, random_ms drawn anew from 0..1000 ms for every retry, up to a maximum number of
   retries; then report the error. Around it: Retry-After, a time limit, cancellation, a retry budget.


   CONVENTIONS, said once

   - Durations and times are uint32_t milliseconds; their names end in _ms.
   - now_ms is any free-running millisecond counter. It may wrap; only differences are used. A
     difference of 2^31 or more (24.8 days) is a clock that stepped back, and counts as 0.
   - Nothing allocates, prints or has mutable globals. The caller owns every struct; there is nothing
     to release. Members that end in _ are private.
   - One call belongs to one thread at a time. A policy must outlive the calls that use it; it is only
     read, so threads may share it. A budget is made to be shared.
   - Pointers must not be NULL, except where the text says what NULL means.
   - Zero in a policy field means something safe, or the policy is refused. What is dangerous has a
     name: REDIAL_NO_LIMIT.
   - An output is written on success alone, except redial_run's report and redial_begin's call: always.


   A PROGRAM

       #include <stdio.h>
       #include <redial.h>

       static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
       {
           int status = my_http_get(user, attempt->timeout_ms);   // yours; 0: no response came
           return redial_http(status, 0);                           // 429, 5xx, none: again
       }

       int main(void)
       {
           static char url[] = "http://example.com/";
           struct redial_policy policy = REDIAL_POLICY_DEFAULT;     // 1 s, cap 32 s, 5 retries
           struct redial_report report;
           policy.max_elapsed_ms = 60000;                           // give up after a minute
           if (redial_run(&policy, redial_system(), fetch, url, &report) == REDIAL_DONE)
               return 0;
           fprintf(stderr, "%s, last status %d\n", redial_verdict_name((int)report.verdict), report.last.code);
           return 1;
       }

   An event loop or firmware uses redial_begin and redial_next instead, and waits in its own way. */
#ifndef REDIAL_H
#define REDIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDIAL_VERSION_MAJOR 0
#define REDIAL_VERSION_MINOR 1
#define REDIAL_VERSION_PATCH 0

/* Linkage. For a Windows DLL: REDIAL_SHARED when using it, REDIAL_BUILD as well when building it (the
   CMake target sets both). -DREDIAL_API=static for sources included into one of yours. */
#ifndef REDIAL_API
#  if defined(_WIN32) && defined(REDIAL_SHARED) && defined(REDIAL_BUILD)
#    define REDIAL_API __declspec(dllexport)
#  elif defined(_WIN32) && defined(REDIAL_SHARED)
#    define REDIAL_API __declspec(dllimport)
#  elif defined(__GNUC__) && !defined(_WIN32)
#    define REDIAL_API __attribute__((visibility("default")))
#  else
#    define REDIAL_API
#  endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Policy: how long to wait, and how often ------------------------------------------------- */

#define REDIAL_JITTER_MAX_MS 1000u    /* the longest jitter_ms: the documented algorithm's second */
#define REDIAL_NO_LIMIT UINT32_MAX     /* for max_retries: no limit */

/* Clients that failed together must not come back together. w stands for min(base_ms * 2^n, cap_ms),
   U[a,b] for a uniform choice of the whole milliseconds a..b, both ends included. No kind ever waits
   longer than cap_ms. */
enum redial_jitter {
    REDIAL_JITTER_ADDED = 0, /* min(base_ms * 2^n + U[0,jitter_ms], cap_ms): the documented algorithm. At
                                the cap the jitter is gone: every wait is cap_ms exactly */
    REDIAL_JITTER_SPREAD,    /* ADDED while base_ms * 2^n + jitter_ms < cap_ms; from then on
                                U[cap_ms - cap_ms/2, cap_ms], which may be shorter than the wait before */
    REDIAL_JITTER_EQUAL,     /* U[w - w/2, w]; jitter_ms counts for Retry-After only */
    REDIAL_JITTER_FULL       /* U[0, w]; likewise; a wait may be 0 */
};

struct redial_budget;

struct redial_policy {
    uint32_t base_ms;        /* 1..cap_ms: the first wait, before jitter */
    uint32_t cap_ms;         /* base_ms..UINT32_MAX: the longest wait of our own, jitter included */
    uint32_t jitter_ms;      /* 0..REDIAL_JITTER_MAX_MS; 0: none */
    uint32_t max_retries;    /* after the first attempt: k means at most k + 1 attempts; 0: one attempt */
    uint32_t max_elapsed_ms; /* the whole call, waits included; 0: no limit. No wait is begun that would end
                                at or after it; an attempt that runs on is not interrupted */
    uint32_t max_retry_after_ms;   /* the longest wait a server may ask for; 0: cap_ms */
    uint32_t min_uptime_ms;      /* an outcome with uptime_ms of at least this starts the call afresh, so that
                                max_retries and max_elapsed_ms limit one outage; 0: never */
    enum redial_jitter jitter;
    /* Is this HTTP status worth another attempt? Asked for 400 and up and for 1..99: 100..399 is done, 0 and less
       is "no response", and nobody is asked. redial_run asks once an attempt; every thread that shares the
       policy may ask. NULL: redial_http_retryable. */
    bool (*retryable)(const void *ctx, int http_status);
    const void *ctx;                /* yours, handed to retryable */
    struct redial_budget *budget;   /* NULL: none */
};

/* Initialiser, for static data too. 1 s, cap 32 s, jitter 1 s, 5 retries, no time limit, a server may
   ask for 5 min, never afresh, ADDED. */
#define REDIAL_POLICY_DEFAULT { 1000, 32000, 1000, 5, 0, 300000, 0, REDIAL_JITTER_ADDED, NULL, NULL, NULL }

enum redial_policy_error {
    REDIAL_POLICY_OK = 0,
    REDIAL_POLICY_BASE_ZERO,        /* base_ms is 0, or the policy is NULL */
    REDIAL_POLICY_CAP_BELOW_BASE,   /* cap_ms < base_ms */
    REDIAL_POLICY_JITTER_TOO_LONG,  /* jitter_ms > REDIAL_JITTER_MAX_MS */
    REDIAL_POLICY_JITTER_UNKNOWN    /* jitter is none of the four kinds */
};

/* The first problem in the order of the enum. Every function that starts a call checks by itself. */
REDIAL_API enum redial_policy_error redial_policy_check(const struct redial_policy *policy);

/* Names the field and the rule, in English. Static text for any int; never NULL. */
REDIAL_API const char *redial_policy_error_text(int problem);

/* ---- Delay: pure arithmetic, for a valid policy ---------------------------------------------- */

/* min(base_ms * 2^retry + jitter_ms, cap_ms), exact for every retry (0 for the first) and every jitter_ms,
   the policy's own jitter_ms and kind disregarded. Never wraps. */
REDIAL_API uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t retry, uint32_t jitter_ms);

/* The delay by the policy's kind of jitter. random: 32 uniform bits, drawn for this retry alone. 0 gives
   the shortest delay of the range, UINT32_MAX the longest; its U[a,b] favours no value by more than 2^-32.
   Not rand(): that has 31 or even 15 bits, and would use the lower end of the range only. */
REDIAL_API uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t retry, uint32_t random);

/* The longest time that all our own waits of one fresh start can add up to; those a server asks for are
   not in it. Never more than max_elapsed_ms - 1 where that is set; UINT64_MAX for REDIAL_NO_LIMIT without it.
   Constant work, whatever max_retries is. */
REDIAL_API uint64_t redial_longest_total_ms(const struct redial_policy *policy);

/* ---- HTTP: what may be retried, and when ------------------------------------------------------ */

/* 429 (RFC 6585, 4) and 500..599 (RFC 9110, 15.6). That has 501, 505 and 511 in it, which a retry seldom
   mends; a service that means them for good wants a policy.retryable of its own. */
REDIAL_API bool redial_http_retryable(int status);

/* Does sending it twice do no more than sending it once? GET HEAD OPTIONS TRACE PUT DELETE (RFC 9110,
   9.2.2); methods are case-sensitive. NULL: no. Others, POST above all, are safe to retry only with an
   idempotency key or when the service says so. */
REDIAL_API bool redial_http_idempotent(const char *method);

/* The date of an HTTP header in any of the three forms of RFC 9110, 5.6.7:
       Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994
   to seconds since 1970 UTC. No locale, time zone or time_t takes part. Nothing may stand around it. A
   two-digit year is the latest that puts the date no more than 50 years after now_s (Unix time). The day
   name must be one but need not fit the date; a second of 60 is the next second; an impossible day, or NULL,
   is refused. */
REDIAL_API bool redial_parse_http_date(const char *text, size_t length, int64_t now_s, int64_t *unix_s);

/* The value of Retry-After (RFC 9110, 10.2.3): whole seconds, digits alone, or a date as above, to
   milliseconds from now_s on. now_s: the response's own Date where it has one, so that a wrong clock of ours
   does no harm; else the wall clock; INT64_MAX where there is neither: a date is in the past then, and the
   wait is our own. More than 4294967 s (49.7 days) become UINT32_MAX; a date in the past is 0. Spaces and
   tabs around the value are skipped. NULL or anything else ("-1", "1.5", "2, 3"): false. */
REDIAL_API bool redial_parse_retry_after(const char *text, size_t length, int64_t now_s, uint32_t *retry_after_ms);

/* ---- Outcome: what one attempt came to --------------------------------------------------------- */

/* Apart from the verdicts' values, so that neither passes for the other. */
enum redial_kind { REDIAL_KIND_DONE = 16, REDIAL_KIND_HTTP, REDIAL_KIND_RETRY, REDIAL_KIND_FAIL };

struct redial_outcome {
    enum redial_kind kind;
    int code;           /* the HTTP status, or your own error number: yours to read in the report */
    uint32_t retry_after_ms;  /* the wait the server asked for; 0: none. May be set on any outcome worth a retry */
    uint32_t uptime_ms;     /* how long it worked before it failed; 0: it never did */
};

/* 100..399: done, a redirect that was not followed too; status <= 0: no response came, again; else the policy
   decides. */
REDIAL_API struct redial_outcome redial_http(int status, uint32_t retry_after_ms);
REDIAL_API struct redial_outcome redial_done(void);                 /* succeeded */
REDIAL_API struct redial_outcome redial_retry(int code);            /* failed, worth another attempt */
REDIAL_API struct redial_outcome redial_disconnected(int code, uint32_t uptime_ms); /* worked, then broke: again */
REDIAL_API struct redial_outcome redial_fail(int code);             /* failed, and would fail again */

/* 0: done. Again for ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPIPE EAGAIN EWOULDBLOCK EINTR
   EHOSTUNREACH ENETUNREACH ENETDOWN ENETRESET EHOSTDOWN ENOBUFS, and on Windows their WSA twins; else stop.
   The sign is ignored, since libuv and kernels negate; code keeps the value given. Numbers of other
   families (UV_EOF, getaddrinfo's) are stop: they need a line of your own. */
REDIAL_API struct redial_outcome redial_errno(int error);

/* What redial_next will take it for: DONE, AGAIN or STOP; 0: it is invalid, or the policy is NULL. An event
   loop draws randomness for AGAIN alone. */
REDIAL_API enum redial_kind redial_classify(const struct redial_policy *policy, struct redial_outcome outcome);

/* ---- Verdict: what to do next, and why ---------------------------------------------------------- */

enum redial_verdict {
    REDIAL_DONE = 0,   /* the operation succeeded */
    REDIAL_RETRY,      /* wait delay_ms, then attempt again; redial_run never returns it */
    REDIAL_FAILED,    /* failed in a way that a retry can't mend */
    REDIAL_EXHAUSTED,  /* max_retries are used up */
    REDIAL_TIMED_OUT,  /* the wait would end at or after max_elapsed_ms */
    REDIAL_WAIT_TOO_LONG,   /* the server asked for a wait longer than max_retry_after_ms */
    REDIAL_BUDGET_EMPTY,  /* the retry budget is empty */
    REDIAL_CANCELLED,  /* the caller cancelled; redial_next never returns it */
    REDIAL_INVALID     /* the policy or the outcome is no valid one */
};

/* "done", "again", "stopped", "exhausted", "timed_out", "deferred", "throttled", "cancelled", "invalid";
   "unknown" for any other int. */
REDIAL_API const char *redial_verdict_name(int verdict);

/* ---- Blocking: run an operation until it is done or given up ------------------------------------ */

struct redial_event {
    uint32_t retry;      /* 1 for the first retry since the last fresh start */
    uint32_t delay_ms;   /* what is about to be waited */
    uint32_t elapsed_ms; /* since the last fresh start */
    struct redial_outcome outcome;  /* what made it necessary */
};

/* The world that redial_run lives in. It may be copied and hooks of the copy replaced: that is how on_wait
   is added to redial_system(). So a hook finds its data through port and ctx, never by the env's address.
   Hooks run in the thread of redial_run and may themselves call redial_run. */
struct redial_env {
    uint32_t (*now_ms)(const struct redial_env *env);
    bool (*wait_ms)(const struct redial_env *env, uint32_t ms);  /* at least ms, 0 included; false: cancelled */
    uint32_t (*random)(const struct redial_env *env);            /* 32 uniform bits; not rand() */
    void *port;         /* belongs to the three above */
    bool (*cancelled)(const struct redial_env *env);             /* true: give up. NULL: never */
    void (*on_wait)(const struct redial_env *env, const struct redial_event *event);
                        /* before each wait, never for a give-up. NULL: nobody listens */
    void *ctx;          /* yours, for the last two */
};

/* Monotonic clock, real waits that never end early, randomness from the operating system for every draw (no
   seed, so forked processes differ). Where the system refuses randomness, monotonic and real nanoseconds, the
   thread's id and a stack address are mixed instead. A signal does not shorten a wait; with `cancelled`
   set, that is asked after a signal, and every 25 ms. Static: valid for ever, for all threads. */
REDIAL_API const struct redial_env *redial_system(void);

struct redial_attempt {
    uint32_t number;         /* 1 for the first of the run; saturates */
    uint32_t timeout_ms;   /* until max_elapsed_ms: a bound for the attempt's own timeouts. Never 0;
                                UINT32_MAX: no limit */
};

/* One attempt. user is the same pointer every time: an idempotency key lives there. One that noticed the
   cancellation itself returns redial_retry, and the run says CANCELLED. */
typedef struct redial_outcome redial_operation(void *user, const struct redial_attempt *attempt);

struct redial_report {
    enum redial_verdict verdict;
    struct redial_outcome last;  /* the last attempt's, as the operation gave it; kind 0: there was none */
    uint32_t attempts;           /* this and the next two cover the whole run, and saturate */
    uint32_t elapsed_ms;
    uint32_t waited_ms;          /* by the clock, cancelled waits and on_wait's own time included */
    uint32_t refused_wait_ms;          /* the wait that was refused: TIMED_OUT, DEFERRED, THROTTLED; else 0, and 0
                                    for TIMED_OUT when a wait ended too late for another attempt */
};

/* Attempts, decides, waits, until there is a verdict. INVALID, and nothing attempted: an invalid or NULL policy,
   NULL env or operation, NULL now_ms, wait_ms or random. `cancelled` is asked before the first attempt, after
   each attempt worth a retry (before anything is drawn, taken or told), and after each whole wait; a success or a
   stop stands, cancelled or not. random is drawn for an outcome worth a retry alone. The report is kept up
   to date all along; its verdict is INVALID until the end. Owns nothing: a longjmp, a C++ exception or the
   thread's cancellation out of the operation or a hook leaks nothing. */
REDIAL_API enum redial_verdict redial_run(const struct redial_policy *policy, const struct redial_env *env,
                                          redial_operation *operation, void *user,
                                          struct redial_report *report /* may be NULL */);

/* ---- Stepwise: one call and its attempts, for event loops, timers, coroutines, bare metal -------- */

struct redial_call {
    const struct redial_policy *policy;   /* NULL: not begun */
    uint32_t retries_, elapsed_ms_, last_ms_;
};

struct redial_step {
    enum redial_verdict verdict;
    uint32_t delay_ms;   /* AGAIN: wait this long. DEFERRED, TIMED_OUT, THROTTLED: the wait refused. Else 0 */
};

/* Starts a call; its first attempt is due at once. False for a NULL call or policy and for an invalid policy;
   redial_next then says INVALID on that call, as on a zeroed one. */
REDIAL_API bool redial_begin(struct redial_call *call, const struct redial_policy *policy, uint32_t now_ms);

/* The decision after an attempt, in this order:
   1. What the outcome is: see redial_classify. Invalid: INVALID. Stop: STOPPED. Both touch nothing.
   2. Done: DONE, and the budget earns a success.
   3. Else it is worth a retry. Time is counted up to now_ms. With min_uptime_ms set and uptime_ms at least that, the
      call starts afresh (no retries, no time used) and the budget earns a success.
   4. No retries left: EXHAUSTED.
   5. The wait is drawn. Where the server asked for one: longer than max_retry_after_ms is DEFERRED; else the wait is
      at least retry_after_ms + U[0,jitter_ms], never earlier than the server said.
   6. It would end at or after max_elapsed_ms: TIMED_OUT, at once.
   7. The budget has no token: THROTTLED. Checked last: a refused retry costs nothing.
   8. AGAIN.
   random: 32 uniform bits, used in 5 alone. A verdict other than AGAIN changes nothing but the time counted (and
   what 2 and 3 do): the caller may wait as it likes and go on. What passes between two decisions counts as 0 from
   2^31 ms on. A wait that ended late may have used up the time: with max_elapsed_ms, look at
   redial_timeout_ms before the attempt. */
REDIAL_API struct redial_step redial_next(struct redial_call *call, struct redial_outcome outcome,
                                          uint32_t now_ms, uint32_t random);

/* Until max_elapsed_ms, in waits and attempts alike; 0 once it is reached, or if the call was not begun;
   UINT32_MAX: no limit. */
REDIAL_API uint32_t redial_timeout_ms(const struct redial_call *call, uint32_t now_ms);

/* ---- Budget: keeps an outage from becoming a storm ------------------------------------------------ */

/* One per backend, shared by all its callers and threads, without a lock. A retry costs one token; a success
   earns percent/100 of one, up to capacity. No token, no retry. So in any history

       retries <= capacity + successes * percent / 100

   and a backend that is down gets hardly more than the first attempts. Needs a 32-bit compare-and-swap, in a
   program that calls redial_budget_init; others link none. Zeroed, it is empty for good. */
struct redial_budget {
    bool (*take_)(struct redial_budget *budget);
    void (*earn_)(struct redial_budget *budget);
    uint32_t tokens_, cents_;                   /* atomic: whole tokens, and hundredths of the next */
    uint32_t capacity_, earn_tokens_, earn_cents_;
};

/* Full to begin with. Any capacity, 0 (no retries at all) included; any percent: 10 lets one retry pass for ten
   successes. Before it is shared; not to be repeated while in use. */
REDIAL_API void redial_budget_init(struct redial_budget *budget, uint32_t capacity, uint32_t percent);

/* Whole tokens left, from any thread; of the past as soon as it is read. */
REDIAL_API uint32_t redial_budget_tokens(const struct redial_budget *budget);

#ifdef __cplusplus
}
#endif

#endif
