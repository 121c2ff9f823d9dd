/* redial: exponential backoff and retry for C. It needs nothing but libc.
   SPDX-License-Identifier: MIT

   The algorithm is the one that Google Cloud documents for the clients of its REST APIs, for
   example at https://cloud.google.com/memorystore/docs/redis/exponential-backoff. A client that
   gets HTTP 429 or 5xx waits, and tries again:

       wait = min(base * 2^n + random_ms, cap)      n = 0, 1, 2, ...

   n is the number of retries made before. random_ms is a new random number from 0 to 1000 for every
   retry. After a maximum number of retries the client reports the error. redial adds time limits,
   Retry-After, and what the list below names. README.md has a program. src/package/README.md says
   how to compile redial as a part of yours, and what stays the same in 1.x.

   WHICH FUNCTION WHEN

   - You may block, and the request is a callback:    redial_run
   - You may block, and have a loop of your own:      redial_loop_begin, redial_loop_next
   - epoll, libuv, coroutines, a superloop, no OS:    redial_begin, redial_ready, redial_next
   - You keep your own counter of retries and timer:  redial_random_delay_ms
   - To say how an attempt ended:                     redial_http, redial_errno, ...; redial_curl.h
   - To read a Retry-After header:                    redial_retry_after_ms
   - To poll a long-running operation:                redial_pending
   - To log, cancel or hold back attempts:            struct redial_env
   - To limit all callers of a server together:       redial_budget_init, redial_gate_throttle
   - To keep a deadline of your own:                  redial_policy_deadline
   - To continue a call after a restart:              redial_resume
   - To test all of this without waiting:             redial_fake.h

   CONVENTIONS

   - Names that end in _ms are milliseconds, and uint32_t unless the declaration says otherwise.
     Counters and sums saturate: they stay at their maximum instead of wrapping.
   - now_ms is any free-running millisecond counter that runs through all 32 bits before it wraps.
     Widen a tick of 16 bits first, and divide microseconds as 64 bits. Only differences are used:
     one of 2^31 ms (24.8 days) or more, even of one attempt, counts as 0 (a clock stepped back).
   - Nothing allocates, prints, or has mutable globals. The caller owns every struct, and there is
     nothing to release. Members whose names end in _ are private.
   - Structs may grow. Initialise them with zeros, REDIAL_POLICY_DEFAULT, designated initialisers,
     or a copy: never by position, and never member by member alone.
   - Threads may share policies, budgets, gates and envs. Only one thread at a time may use a call.
     A call reads its policy, which must outlive it. In a signal handler call nothing of redial: set
     a flag that your hook `cancelled` reads.
   - Pointers must not be NULL, except where the text says what NULL means.
   - A longjmp, the cancellation of a thread, or a C++ exception (redial then needs -fexceptions, as
     with CMake) may leave an operation or a hook, and nothing leaks. */
#ifndef REDIAL_H
#define REDIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header. */
#define REDIAL_VERSION_MAJOR 1
#define REDIAL_VERSION_MINOR 0
#define REDIAL_VERSION_PATCH 0

#ifndef REDIAL_API
#  if defined(_WIN32) && defined(REDIAL_SHARED) && defined(REDIAL_BUILD)
#    define REDIAL_API __declspec(dllexport)
#  elif defined(_WIN32) && defined(REDIAL_SHARED)
#    define REDIAL_API __declspec(dllimport)
#  elif defined(__GNUC__) && defined(REDIAL_SHARED)
#    define REDIAL_API __attribute__((visibility("default")))
#  else
#    define REDIAL_API
#  endif
#endif

#ifdef __cplusplus   /* two versions in one program keep their inline functions apart */
#  define REDIAL_NAME_(major, minor, patch) redial_##major##_##minor##_##patch
#  define REDIAL_NAMESPACE_(major, minor, patch) REDIAL_NAME_(major, minor, patch)
#  define REDIAL_INLINE_BEGIN_ extern "C++" { inline namespace REDIAL_NAMESPACE_( \
    REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR, REDIAL_VERSION_PATCH) {
#  define REDIAL_INLINE_END_ } }
extern "C" {
#endif

/* ---- redial_policy: how long to wait, and how often ------------------------------------------ */

/* The largest valid jitter_ms. */
#define REDIAL_JITTER_MAX_MS 1000u
/* What a max_retry_after_ms of 0 means: 5 minutes, or cap_ms if that is longer. */
#define REDIAL_RETRY_AFTER_MAX_MS 300000u
/* No limit, for max_retries and max_elapsed_ms. Beware: a setting of -1 that is cast to uint32_t is
   this value, and so is "attempts - 1" for 0 attempts. */
#define REDIAL_NO_LIMIT UINT32_MAX

/* Jitter keeps clients that failed together from coming back together. w is min(base_ms * 2^n,
   cap_ms): 1000, 2000, 4000, 8000, 16000, 32000, 32000... by default. U[a,b] is a uniform random
   whole number from a to b, both included. */
enum redial_jitter {
    /* min(base_ms * 2^n + U[0,jitter_ms], cap_ms): the documented algorithm. Once base_ms * 2^n
       reaches cap_ms, every backoff is exactly cap_ms. */
    REDIAL_JITTER_ADDED = 0,
    /* U[max(base_ms, v - v/2), v], where v is min(2 * w, cap_ms): for many clients of one server.
       If base_ms and cap_ms are the same, U[v - v/2, v]: otherwise nothing would be random. */
    REDIAL_JITTER_WIDE,
    REDIAL_JITTER_FULL,   /* U[0, w]; a wait may be 0 */
    REDIAL_JITTER_NONE    /* w exactly, for a single client */
};

struct redial_budget;
/* { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5 } is the documented
   algorithm. Between two decisions of a call you may set call.policy to another valid policy, or
   change the policy itself if no other call uses it. */
struct redial_policy {
    uint32_t base_ms;   /* the first wait, before jitter: 1..cap_ms */
    uint32_t cap_ms;    /* the longest backoff wait, jitter included; at least base_ms */
    /* The largest random part, 1..REDIAL_JITTER_MAX_MS. What is added at random, and what 0 means:

           a backoff wait with ADDED             U[0,jitter_ms]           0: min(base_ms,1000)
           a backoff wait in the other modes     as the mode says
           RETRY after a Retry-After             U[0,max(jitter_ms,w)]    0: as 1000
           PENDING after a Retry-After           U[0,jitter_ms]           0: as 1000
           RETRY, PENDING with NONE              nothing
           a hold, HELD for more than 0          U[0,jitter_ms]           0: as 1000 */
    uint32_t jitter_ms;
    enum redial_jitter jitter;   /* 0: ADDED, the documented algorithm */
    /* After the first attempt: k means at most k + 1 attempts, and 0 means no retry. A poll or a
       fresh start (min_uptime_ms) begins the count anew. REDIAL_NO_LIMIT: no limit. */
    uint32_t max_retries;
    /* The limit for the whole call, waits included. If a wait would end at or after it, the call
       ends at once with TIMED_OUT. 0: no limit, but redial_pending is then INVALID.
       REDIAL_NO_LIMIT: no limit, and polls may go on for ever. */
    uint32_t max_elapsed_ms;
    /* The timeout of one attempt. redial cannot interrupt an attempt: pass the timeout on to your
       request. 0: max_elapsed_ms alone limits it. */
    uint32_t attempt_ms;
    /* The time that a request needs. With less left of max_elapsed_ms, no attempt is made, and no
       wait before it: its answer would be cut off, although the server may do the work. At most
       attempt_ms, if that is set. Above max_elapsed_ms: no attempt. 0: any time is enough. */
    uint32_t min_attempt_ms;
    /* The longest wait that a server, redial_held or hold_ms may ask for, without its random part.
       A longer one ends the call at once with WAIT_TOO_LONG. UINT32_MAX: any. 0: see
       REDIAL_RETRY_AFTER_MAX_MS. */
    uint32_t max_retry_after_ms;
    /* For connections that should stay up. An attempt that worked for at least this long before it
       failed (its uptime_ms) starts the call afresh: retries, polls and elapsed time are 0 again,
       so that the limits are those of each outage. The next attempt is retry 1. Use an attempt's
       timeout_ms for connecting only. 0: never. */
    uint32_t min_uptime_ms;
    /* NULL: none. It needs redial_budget_init: a zero-initialised one never grants a retry. */
    struct redial_budget *budget;
};

/* An initialiser: 1 s, cap 32 s, 5 retries; all other members are 0 or NULL. The waits are 1 to
   2 s, 2 to 3 s, 4 to 5 s, 8 to 9 s and 16 to 17 s; a Retry-After changes them. With an attempt_ms
   of 10 s that is at most 96 s, or 1591 s if each answer asks for 5 minutes: set max_elapsed_ms. */
#define REDIAL_POLICY_DEFAULT \
    { 1000, 32000, 0, REDIAL_JITTER_ADDED, 5, 0, 0, 0, 0, 0, NULL }

/* NULL: the policy is valid. Otherwise a static English text that names the member and the rule.
   The policy may be NULL. Every function that begins a call checks its policy by itself. */
REDIAL_API const char *redial_policy_error(const struct redial_policy *policy);

/* For a base and a cap that your users set: makes them valid. base_ms becomes at least 1, cap_ms at
   least base_ms, and both at most UINT32_MAX. A base of 0 becomes 1, and doubles up to the cap: for
   hardly any wait, pass 0 for both. With both the same, ADDED has no jitter, and WIDE waits down to
   half. For a random part after the cap, too, see redial_between_ms. */
REDIAL_API void redial_policy_waits(struct redial_policy *policy, int64_t base_ms, int64_t cap_ms);

/* Whole seconds in milliseconds, for settings: at most UINT32_MAX - 1, so that a long time never
   becomes REDIAL_NO_LIMIT. 0 and less give 0: as max_elapsed_ms, that is no limit. */
REDIAL_API uint32_t redial_seconds_ms(int64_t seconds);

/* For a deadline of your own: lowers max_elapsed_ms to the time from now_ms to deadline_ms, two
   readings of one clock. A limit that is smaller stays. Where there was none, the limit is that
   time, and polls are allowed. If the deadline has passed or is now, no attempt is made, and the
   verdict is TIMED_OUT: for that it may change min_attempt_ms and attempt_ms. A deadline that
   is 2^31 ms (24.8 days) or more ahead counts as passed.
   - Call it last, right before the call begins, on a fresh copy of the policy: an earlier deadline
     would stay. The copy must outlive the call.
   - A fresh start begins the time anew. With redial_resume, add its elapsed_ms to deadline_ms.
   - Many calls of one policy need no copies. If max_elapsed_ms is a limit, and left_ms no
     more: redial_resume(&call, &policy, 0, policy.max_elapsed_ms - left_ms, now_ms).
   - A call inside an attempt needs no deadline: inner.max_elapsed_ms = attempt->timeout_ms. */
REDIAL_API void redial_policy_deadline(struct redial_policy *policy, uint32_t now_ms,
                                       uint32_t deadline_ms);

/* ---- redial_outcome: how one attempt ended --------------------------------------------------- */

/* Kinds from RETRY on lead to a wait. A verdict given as a kind is INVALID. */
enum redial_kind {
    REDIAL_KIND_INVALID = 0,
    REDIAL_KIND_DONE = 16,      /* it succeeded */
    REDIAL_KIND_FAIL = 17,      /* it failed, and would fail again */
    REDIAL_KIND_UNSURE = 18,    /* it may have been done, and a repetition is not safe */
    REDIAL_KIND_CANCELLED = 19, /* the program stopped it */
    REDIAL_KIND_RETRY = 32,     /* it failed, and another attempt may succeed */
    REDIAL_KIND_PENDING = 33,   /* it was answered, but the result is not ready yet: poll again */
    REDIAL_KIND_HELD = 34       /* it was not sent, and may not be sent before retry_after_ms */
};

struct redial_outcome {
    enum redial_kind kind;
    int code;   /* the HTTP status, or an error number of yours; the report shows it to you */
    uint32_t retry_after_ms;   /* the wait that the server asked for; 0: none */
    /* How long the attempt worked before it failed. 0: it never worked. Measure it in 64 bits where
       it may be 49.7 days, and pass at most UINT32_MAX. */
    uint32_t uptime_ms;
};

/* If a request is safe to repeat for a reason that its method does not tell, such as an idempotency
   key, pass this as the method to redial_http and redial_curl. Do not send it. */
#define REDIAL_IDEMPOTENT "PUT"

/* status is that of the answer, or 0 (or less) if none came, for example because your timeout was
   over. It decides, and for some statuses whether redial_http_idempotent(method):

       status                   idempotent   other     because
       below 200, but not 101   RETRY        UNSURE    no whole answer came
       500..599                 RETRY        UNSURE    the server may have done it
       429                      RETRY        RETRY     the server did not do it
       301, 302, 303            FAIL         UNSURE    not followed; a POST was usually done
       600 and above            FAIL         UNSURE    unknown
       307, 308                 FAIL         FAIL      not followed, and not done
       101, others of 200..399  DONE         DONE
       others of 400..499       FAIL         FAIL

   code is the status, and retry_after_ms is kept, always. You may change the kind: RETRY
   to anything, UNSURE to RETRY where a duplicate does no harm, FAIL only where you know the status:

       if (outcome.code == 408 && redial_http_idempotent(method))
           outcome = redial_retry(408, outcome.retry_after_ms);

   - 409 with an idempotency key often means that the first request is still running: RETRY.
   - For a redirect that is a success, such as that of a login, return redial_done and set its code.
   - To retry 503 and 429 alone, make other codes from 500 on FAIL if they are RETRY. */
REDIAL_API struct redial_outcome redial_http(int status, uint32_t retry_after_ms,
                                             const char *method);

REDIAL_API struct redial_outcome redial_done(void);
REDIAL_API struct redial_outcome redial_fail(int code);
REDIAL_API struct redial_outcome redial_unsure(int code);
/* For what may have left, and is not safe to repeat, take redial_unsure. */
REDIAL_API struct redial_outcome redial_cancelled(int code);
/* It failed, another attempt may succeed, and a repetition is safe. retry_after_ms: what the server
   asked for, or 0. For a connection that worked before it ended, set uptime_ms of the result. */
REDIAL_API struct redial_outcome redial_retry(int code, uint32_t retry_after_ms);

/* The request succeeded, but the result of a long-running operation is not ready yet: poll again.
   (redial_http makes a 202 DONE.) This costs no retry and no token. It ends with the limit of time
   (without one, a max_elapsed_ms of 0, the outcome is INVALID), a wait that is too long, or a
   cancellation. The waits grow like those between retries, but not with a retry_after_ms.
   - To poll every 5 s, set base_ms and cap_ms to 5000, and jitter to NONE. A poller whose waits
     double up to 32 s stops up to 32 s before its limit.
   - To limit polls by number, return redial_retry(code, retry_after_ms): max_retries counts. */
REDIAL_API struct redial_outcome redial_pending(uint32_t retry_after_ms);

/* A hold is a wait that is no retry: nothing was done, and nothing may be sent before
   retry_after_ms is over, because of a quota of your own, or a 429 that named a time. It costs no
   retry and no token: without a max_elapsed_ms such a call may go on for ever. It lasts up to
   jitter_ms (0: 1 s) longer. A retry_after_ms of 0 waits as before a first retry. */
REDIAL_API struct redial_outcome redial_held(uint32_t retry_after_ms);

/* An errno value. 0 is no error: INVALID. These are retried: ECONNREFUSED ECONNRESET ECONNABORTED
   ETIMEDOUT EPIPE EAGAIN EWOULDBLOCK EINTR EHOSTUNREACH ENETUNREACH ENETDOWN ENETRESET EHOSTDOWN
   ENOBUFS, the temporary shortages EADDRNOTAVAIL EMFILE ENFILE ENOMEM, and on Windows the same
   errors with Winsock's numbers. ECANCELED is CANCELLED. All others are FAIL. Negative values, as
   kernels and (but on Windows) libuv return them, mean the same; code keeps the sign. A libc
   without ECONNREFUSED (AVR) has no redial_errno.
   - If a repetition is not safe, return redial_unsure(errno) once anything was sent: after
     ECONNRESET a server may have done a POST.
   - EINTR and EAGAIN cost a retry, too: a loop around send() repeats them itself.
   - An end of file often leaves errno at 0: return redial_retry. EAI_* and UV_EOF are no errnos. */
REDIAL_API struct redial_outcome redial_errno(int error);

/* ---- redial_verdict: what to do next, and why ------------------------------------------------ */

/* Was the request done? DONE: yes (HTTP: if 2xx). UNSURE, INVALID: perhaps. All others: no, if its
   method is not safe to repeat and you made none RETRY or PENDING; else perhaps, by any attempt. */
enum redial_verdict {
    REDIAL_INVALID = 0,    /* the policy, the outcome, or an argument is not valid */
    REDIAL_DONE,           /* the operation succeeded */
    REDIAL_ATTEMPT,        /* make an attempt now; redial_run and redial_next never return it */
    REDIAL_WAIT,           /* wait first; only redial_next and redial_ready return it */
    REDIAL_FAILED,         /* it would fail again; perhaps for a wrong URL or a proxy: last.code */
    REDIAL_UNSURE,         /* it may have been done, and a repetition is not safe */
    REDIAL_EXHAUSTED,      /* max_retries are used up */
    REDIAL_TIMED_OUT,      /* too little of max_elapsed_ms is left, or would be after the wait */
    REDIAL_WAIT_TOO_LONG,  /* a wait longer than max_retry_after_ms was asked for */
    REDIAL_BUDGET_EMPTY,   /* the retry budget has no token left */
    REDIAL_CANCELLED       /* `cancelled`, wait_ms or the operation said so */
};

/* The name in lower case, such as "timed_out". "unknown" for any other value. */
REDIAL_API const char *redial_verdict_name(enum redial_verdict verdict);

struct redial_report {
    enum redial_verdict verdict;
    struct redial_outcome last;   /* of the last attempt; attempts 0: there was none */
    /* The whole run. A fresh start (min_uptime_ms) resets none of these three. */
    uint32_t attempts;
    uint32_t elapsed_ms;
    uint32_t waited_ms;   /* the waits, each with the hooks right before it */
    /* WAIT_TOO_LONG: the wait that was asked for. TIMED_OUT, BUDGET_EMPTY: the wait that was not
       begun, or 0 if the time was used up before an attempt. All other verdicts: 0. */
    uint32_t refused_wait_ms;
};

/* ---- redial_run: run an operation until it succeeds or is given up -------------------------- */

struct redial_event {
    uint32_t retry;      /* redial_retries, this one included; polls and holds add none */
    uint32_t delay_ms;   /* the wait that is about to begin */
    uint32_t elapsed_ms; /* since the call began, or since its last fresh start */
    struct redial_outcome outcome;   /* the reason for the wait; HELD for a hold */
};

/* The environment of a run: clock, waits and random bits. Start with a copy of redial_system or
   with all zeros, so that no hook is set by accident. A hook finds its data through `port` and
   `user`, not through the address of env, which may be a copy. The thread of the run calls the
   hooks. They may call redial_run, but not with the same env, and an operation may with any. To
   stop everything at shutdown, and to hold what shares a quota:

       struct app { atomic_bool stopping; struct redial_gate quota; };   // stdatomic.h
       static bool stopping(const struct redial_env *env)
       {
           return ((struct app *)env->user)->stopping;
       }
       static uint32_t held(const struct redial_env *env)
       {
           return redial_gate_left_ms(&((struct app *)env->user)->quota, env->now_ms(env));
       }
       struct redial_env env = *redial_system();
       env.cancelled = stopping;
       env.hold_ms = held;
       env.user = &app;

   For a flag that a signal handler sets, use a volatile sig_atomic_t. Cancellation ends a wait of
   redial_system, but no attempt. */
struct redial_env {
    uint32_t (*now_ms)(const struct redial_env *env);   /* replace it only with wait_ms */
    /* Waits ms, which may be 0, and returns true, or false if it was cancelled: a hook of your own
       calls `cancelled` by itself. It may return true early, for example when the network is back,
       but not if on_wait just got an outcome with a retry_after_ms. That does not reset the
       backoff. */
    bool (*wait_ms)(const struct redial_env *env, uint32_t ms);
    /* Returns 32 uniform bits, once before a decision that may lead to a wait. They are no
       milliseconds: rand() % 1000 gives no jitter at all, and rand() has too few bits. A generator
       with a state of 32 bits is enough if each device has a seed of its own, well mixed. */
    uint32_t (*random)(const struct redial_env *env);
    void *port;   /* belongs to the three hooks above */
    /* Returns true to cancel the run. It is called before each attempt, after each outcome that is
       not final, and in the waits of redial_system. NULL: the run cannot be cancelled. */
    bool (*cancelled)(const struct redial_env *env);
    /* Called before each wait, but not when the run gives up. NULL: not called. */
    void (*on_wait)(const struct redial_env *env, const struct redial_event *event);
    void *user;   /* yours, for the hooks that you set or replace */
    /* Returns for how long nothing may be sent; 0: send now. NULL: no hold. Ask a gate here, a rate
       limiter, or whether the network is up. It is called before each attempt, and again after each
       hold: it must book no later slot, or it would book for ever. So a limiter here is not fair
       among its callers. A hold is that of redial_held: to hold for longer than max_retry_after_ms,
       return less. To space requests by a few ms, wait in the operation, or set jitter_ms to 1. */
    uint32_t (*hold_ms)(const struct redial_env *env);
};

/* The monotonic clock, waits that end early only if cancelled, and random bits of the operating
   system for every draw. errno does not change. A signal alone ends no wait: the wait calls
   `cancelled` after a signal, and at least every 50 ms. In a machine that sleeps, the clock of
   macOS goes on, and that of Linux stands still. If either fails, the wait does: CANCELLED. */
#ifndef REDIAL_NO_SYSTEM
REDIAL_API const struct redial_env *redial_system(void);
#endif

struct redial_attempt {
    uint32_t number;   /* 1 for the first attempt of the run; one that returns HELD counts */
    /* The timeout of your request, as redial_ready gives it. Never 0. UINT32_MAX: no limit. Where a
       timeout is a long, as in libcurl, set attempt_ms, or pass at most INT32_MAX. */
    uint32_t timeout_ms;
    const struct redial_env *env;   /* of the run: use its clock, and its wait */
};

/* Makes one attempt. user is the same pointer every time, so an idempotency key belongs there. An
   operation that notices the cancellation returns redial_cancelled. */
typedef struct redial_outcome redial_operation(void *user, const struct redial_attempt *attempt);

/* Attempts the operation, decides by the rules of redial_next, waits, and attempts it again, until
   there is a verdict. Before each attempt, the first one included, in this order:

    1. `cancelled` returns true: CANCELLED.
    2. hold_ms is asked. If it or `cancelled` is set, the clock is read: they may take time.
    3. No time is left of max_elapsed_ms, or less than min_attempt_ms: TIMED_OUT.
    4. hold_ms returned more than 0: nothing is sent. The run decides and waits as if the operation
       had returned redial_held with that time, but counts no attempt, and leaves `last` as it was.
       Then it begins again with 1.

   After each outcome that is not final, also for a hold, it calls `cancelled` first. Only then does
   it draw random bits, take a token, and call on_wait. A final outcome is reported as it is. It
   returns INVALID without an attempt if the policy is not valid, or if env, operation, now_ms,
   wait_ms or random is NULL. report may be NULL. It is zero, with the verdict INVALID, from the
   beginning, and filled at the end. */
REDIAL_API enum redial_verdict redial_run(const struct redial_policy *policy,
                                          const struct redial_env *env, redial_operation *operation,
                                          void *user, struct redial_report *report);

/* ---- redial_loop_begin: a loop of your own, without a callback ------------------------------- */

/* One call, in 32 bytes (24 if a pointer has 4). A copy is a call of its own. In a file or after
   exec its pointer means nothing: use redial_resume. */
struct redial_call {
    const struct redial_policy *policy;   /* NULL: the call was not begun */
    uint32_t retries_, polls_, elapsed_ms_, last_ms_, wait_ms_;
};

struct redial_step {
    enum redial_verdict verdict;
    /* WAIT: the wait to make, or what is left of it. It may be 0, which turns some timers off
       (timerfd, setitimer). ATTEMPT: 0. All other verdicts: refused_wait_ms of redial_report. */
    uint32_t delay_ms;
    /* ATTEMPT: the timeout of the attempt to make now, never 0. All other verdicts: 0. */
    uint32_t timeout_ms;
};

/* ATTEMPT means: make an attempt now. Any other verdict ends the loop:

       step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_ATTEMPT)
           step = redial_loop_next(&call, env, my_get(url, step.timeout_ms));

   redial_loop_begin begins the call, and waits while hold_ms says so. redial_loop_next decides,
   calls on_wait, waits, and waits while hold_ms says so. Verdicts, waits, events, timeouts and all
   calls of hooks are those of redial_run with the same outcomes. Both return INVALID where
   redial_run does, and for a call that is NULL or was not begun. Do not loop until DONE: after
   another verdict nothing waits. You may also start with redial_begin or redial_resume and a
   reading of the env's clock: ask redial_ready and your gate before the first attempt, as go does
   below, and give its outcome to redial_loop_next. There is no report: count attempts yourself. */
REDIAL_API struct redial_step redial_loop_begin(
    struct redial_call *call, const struct redial_policy *policy, const struct redial_env *env);
REDIAL_API struct redial_step redial_loop_next(
    struct redial_call *call, const struct redial_env *env, struct redial_outcome outcome);

/* ---- redial_next: step by step, for event loops, coroutines and bare metal ------------------- */

/* You wait in your own way: with a timer, or with redial_ready in each pass of a superloop. This
   needs neither an operating system nor a libc. On bare metal, compile policy.c, delay.c,
   outcome.c, http.c and call.c; more files only for what you call of them.

       static void act(struct request *r, struct redial_step step)
       {
           if (step.verdict == REDIAL_ATTEMPT)
               my_send(r, step.timeout_ms);       // calls ended() once: answer, error or timeout
           else if (step.verdict == REDIAL_WAIT)
               my_start_timer(r, step.delay_ms);  // calls go() later; 0: soon, not off
           else
               my_finish(r, step.verdict);        // do not ask redial_ready again
       }
       static void ended(struct request *r, struct redial_outcome outcome)
       {
           act(r, redial_next(&r->call, my_clock_ms(), outcome, my_random()));
       }
       static void go(struct request *r)   // after redial_begin, and when the timer fires
       {
           uint32_t now_ms = my_clock_ms();
           uint32_t closed_ms = redial_gate_left_ms(&my_gate, now_ms);   // without a gate: 0
           struct redial_step step = redial_ready(&r->call, now_ms);
           if (step.verdict == REDIAL_ATTEMPT && closed_ms > 0)
               step = redial_next(&r->call, now_ms, redial_held(closed_ms), my_random());
           act(r, step);
       }

   - When your timeout comes first, close the request, so that its answer cannot come later.
   - If requests queue in your program, begin a call when its turn has come.
   - At shutdown, stop the timers: what waits was not done, or is safe to repeat. Abort what runs,
     and pass redial_cancelled, or redial_unsure for what may have left and is not safe to repeat.
   - After a callback that blocked, update the clock of your loop: uv_update_time, ev_now_update.

   redial_begin starts a call, whose first attempt may be made at once. The policy must outlive the
   call: in an event loop make it static const. now_ms may always be 0 where no limit and no
   redial_ready needs it. It returns false for a NULL call, and for a policy that is not valid;
   redial_next then returns INVALID, as for a zeroed call. */
REDIAL_API bool redial_begin(struct redial_call *call, const struct redial_policy *policy,
                             uint32_t now_ms);

/* Continues a call that was begun earlier, perhaps by another process, as if redial_begin had been
   followed by that many retries and that much time. The count of polls starts at 0. It returns
   false as redial_begin does. First wait out the rest of the wait in progress: keep its end by the
   wall clock. Go on with redial_loop_next or redial_next; redial_run always begins a new call. What
   to store, and when, is in examples/README.md. */
REDIAL_API bool redial_resume(struct redial_call *call, const struct redial_policy *policy,
                              uint32_t retries, uint32_t elapsed_ms, uint32_t now_ms);

/* The retries since the call began, or since its last fresh start or poll. */
REDIAL_API uint32_t redial_retries(const struct redial_call *call);
/* The time up to now_ms since the call began, or since its last fresh start. Polls count. */
REDIAL_API uint32_t redial_elapsed_ms(const struct redial_call *call, uint32_t now_ms);

/* May an attempt be made now? It changes nothing. In this order:
   - INVALID: the call is NULL or was not begun.
   - TIMED_OUT, both times 0: nothing is left of max_elapsed_ms, or less than min_attempt_ms.
   - WAIT: delay_ms is what is left of the wait of the last redial_next. So an early timer does no
     harm. A clock that stepped back ends a wait below 2^31 ms.
   - ATTEMPT: timeout_ms is the smaller of attempt_ms and what is left of max_elapsed_ms, or
     UINT32_MAX if neither sets a limit.
   It does not know whether an attempt is under way, or that you are done with the call. */
REDIAL_API struct redial_step redial_ready(const struct redial_call *call, uint32_t now_ms);

/* The decision after an attempt, by these rules, in this order:

    1. A kind that is none of the seven, and PENDING with a max_elapsed_ms of 0: INVALID.
    2. DONE, FAIL, UNSURE and CANCELLED end here. DONE earns the budget one success.
    3. The time up to now_ms is counted. Kind RETRY with an uptime_ms of at least min_uptime_ms, if
       that is set: the call starts afresh, and the budget earns one success.
    4. PENDING: the budget earns one success, and the retries are 0 again.
    5. Kind RETRY, and max_retries are used up: EXHAUSTED.
    6. retry_after_ms is longer than max_retry_after_ms allows: WAIT_TOO_LONG.
    7. The wait, by this table:

           retry_after_ms is 0            redial_random_delay_ms(policy, n, random_bits)
           RETRY and PENDING with NONE    max(retry_after_ms, min(base_ms,1000))
           RETRY in another mode          max(retry_after_ms, w/2) + U[0,max(jitter_ms,w)]
           PENDING in another mode, HELD  retry_after_ms + U[0,jitter_ms]

       n is the retries so far; for PENDING the earlier polls without a retry_after_ms; for HELD 0.
       w/2 is rounded down, and after a retry_after_ms a jitter_ms of 0 counts as 1000. Example: a
       Retry-After of 2 s at the third retry (n = 2, w = 4 s) makes the default policy wait 2 to
       6 s. For exactly a Retry-After of 1 s or more, point call.policy at a copy with NONE when it
       comes. (With redial_run, change the policy itself, in the operation.)
    8. After the wait nothing would be left of max_elapsed_ms, or less than min_attempt_ms:
       TIMED_OUT, at once.
    9. Kind RETRY, and the budget has no token: BUDGET_EMPTY.
   10. WAIT: wait delay_ms, then make the attempt. An outcome of kind RETRY counts one retry, and a
       PENDING without a retry_after_ms one poll.

   random_bits: 32 uniform bits, used in rule 7 only. NONE needs none for RETRY and PENDING.
   Any verdict ends a wait that was going on. Those but WAIT change only what rules 2 to 4 say.
   You may overrule it: wait as you like, make another attempt, and pass its outcome on. The limits
   stay. (redial_loop_next may end in its wait: then a retry is counted, and a token taken.) For a
   new request, begin the call again. */
REDIAL_API struct redial_step redial_next(struct redial_call *call, uint32_t now_ms,
                                          struct redial_outcome outcome, uint32_t random_bits);

/* ---- redial_budget: limits the retries of all callers of a server ---------------------------- */

/* One per server, shared by its callers without a lock. A retry takes a token. A success, a poll or
   a fresh start earns percent/100 of one, up to capacity. If none is left, no retry is made. Always

       retries <= capacity + (successes + polls + fresh starts) * percent / 100

   and a server that is down gets hardly more than the first attempts. A good capacity is as many as
   there are requests in a second. An empty budget ends the call even with REDIAL_NO_LIMIT: if it
   must go on, set none. It holds pointers to functions: only processes that forked after its init
   function may share one. */
struct redial_budget {
    bool (*take_)(struct redial_budget *budget);
    void (*earn_)(struct redial_budget *budget);
    uint32_t tokens_, cents_;   /* atomic: whole tokens, and hundredths of the next one */
    uint32_t capacity_, earn_tokens_, earn_cents_;
};

/* The budget starts with capacity tokens; 0: no retries. Call it once, before it is shared. The
   usual percent of 10 allows a retry for ten successes. */
REDIAL_API void redial_budget_init(struct redial_budget *budget, uint32_t capacity,
                                   uint32_t percent);
/* Whole tokens left. */
REDIAL_API uint32_t redial_budget_tokens(const struct redial_budget *budget);

/* ---- redial_gate: makes all callers that share a quota wait ---------------------------------- */

/* One per quota (an account, an address), shared by the callers that it limits. Zero-initialise it:
   it is then open. redial never closes a gate, and asks it only through your hold_ms. You close it
   when an answer is valid for all callers: for example a 429 for the quota of an account, but not a
   503 of one server among many. Do it before the outcome goes to redial_next, redial_loop_next or
   redial_run, so that your own next attempt is held, too. The outcome still goes there:

       if (status == 429)
           redial_gate_throttle(&quota, now_ms, retry_after_ms);
       // If a budget and max_elapsed_ms are set, such a 429 may cost no retry and no token.
       if (outcome.kind == REDIAL_KIND_RETRY && status == 429 && retry_after_ms > 0)
           outcome.kind = REDIAL_KIND_HELD;

   Programs that share memory (MAP_SHARED) may share a gate. All its callers use the same clock. If
   several threads close it, the latest end counts, in whatever order they come. A thread may be
   stopped for up to an hour between reading the clock and calling these functions. After the clock
   was set back, call redial_gate_open. A gate that nobody asked for 24.8 days may look closed for
   at most its longest closing plus an hour and 1 ms. */
struct redial_gate {
    uint32_t end_ms_, longest_ms_;   /* atomic */
};

/* Any thread may call these four. The first closes the gate from now_ms (in an operation:
   attempt->env->now_ms(attempt->env)) for ms, or 1 ms more, but at most 24 days; 0 does nothing. */
REDIAL_API void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms);
/* For a 429: redial_gate_close for retry_after_ms, but at least 1 s and at most 5 s. The caller
   waits as told, and then for the gate. For the others, less leads to more 429s, and a Retry-After
   that is wrong or meant for one must not stop all. */
REDIAL_API void redial_gate_throttle(struct redial_gate *gate, uint32_t now_ms,
                                     uint32_t retry_after_ms);
/* Opens the gate at once. Callers that already wait finish their wait. */
REDIAL_API void redial_gate_open(struct redial_gate *gate);
/* The time until the gate opens. 0: it is open. A check of an open gate writes nothing (but with
   Microsoft's compiler), so that threads share the cache line. */
REDIAL_API uint32_t redial_gate_left_ms(struct redial_gate *gate, uint32_t now_ms);

/* ---- redial_retry_after_ms: HTTP, what may be retried and when ------------------------------- */

/* 429 (RFC 6585, 4) and 500..599 (RFC 9110, 15.6), not 408. That includes 501, 505 and 511, which
   rarely succeed when they are retried: make them FAIL if your service uses them. */
REDIAL_API bool redial_http_retryable(int status);

/* Sending the request twice has the effect of sending it once: GET HEAD OPTIONS TRACE PUT DELETE
   (RFC 9110, 9.2.2) and QUERY (RFC 10008). Methods are case-sensitive. NULL: false. */
REDIAL_API bool redial_http_idempotent(const char *method);

/* The wait that a response asks for by the values of its headers Retry-After (RFC 9110, 10.2.3) and
   Date. NULL: it has no such header. Spaces, tabs, CR and LF around both are skipped. Copy a value
   that is not terminated: 64 bytes are enough. 0: no wait, a past date, or not valid.
   - Seconds: a fraction, which some services send against the RFC, is rounded up to the next
     millisecond. More than 4294967.295 s is UINT32_MAX. Not valid: "-1", "1.", ".5", "2, 3".
   - A date in one of the three forms of RFC 9110, 5.6.7, in the first also with UTC, +0000 or -0000
     in place of GMT. It is compared with Date, so that an error of your clock does not matter:
     without a valid Date it asks for nothing. The weekday need not match. A two-digit year is the
     latest one that is at most 50 years after Date; in Date, the one nearest to Retry-After's. */
REDIAL_API uint32_t redial_retry_after_ms(const char *retry_after, const char *date);

/* ---- redial_delay_ms: pure arithmetic, for a valid policy ------------------------------------ */

/* min(base_ms * 2^n + jitter_ms, cap_ms), exact for every n (0 for the first retry) and every
   jitter_ms. It does not use the policy's own jitter_ms or mode. */
REDIAL_API uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t n,
                                    uint32_t jitter_ms);

/* The wait by the policy's jitter mode. random_bits: 32 uniform bits, drawn for this wait alone:
   redial_system()->random(redial_system()) gives them. 0 gives the shortest wait of the range,
   UINT32_MAX the longest. All are equally likely, but with ADDED what exceeds cap_ms is cap_ms. */
REDIAL_API uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t n,
                                           uint32_t random_bits);

/* A uniform draw from low_ms to high_ms, both included. A high_ms below low_ms counts as low_ms.
   With w = redial_delay_ms(policy, n, 0): w - w / 10 to w + w / 10 is give or take a tenth, and w
   to w + 1000 adds a random part after the cap. Both wrap for a w near UINT32_MAX. */
REDIAL_API uint32_t redial_between_ms(uint32_t low_ms, uint32_t high_ms, uint32_t random_bits);

#ifdef __cplusplus
}
#endif

#endif
