/* redial: exponential backoff and retry for C. It needs libc only.
   SPDX-License-Identifier: MIT

   The algorithm is the one that Google Cloud documents for the clients of its REST APIs, for
   example at https://cloud.google.com/memorystore/docs/redis/exponential-backoff. A client that
   gets HTTP 429 or 5xx waits, and tries again:

       wait = min(base * 2^n + random_ms, cap)      n = 0, 1, 2, ... one more for each retry

   random_ms is drawn anew from 0..1000 ms for every retry. After a maximum number of retries the
   client reports the error. redial adds to this: Retry-After, time limits, cancellation, a retry
   budget, a gate that holds many callers at once, polling, and calls that survive a restart.


   WHICH FUNCTION WHEN

   - The call may block, the request is a callback:  redial_run
   - The call may block, in a loop of your own:      redial_loop_begin, redial_loop_next
   - epoll, libuv, coroutines, a superloop:          redial_begin, redial_timeout_ms, redial_next
   - To say how an attempt ended:                    redial_http, redial_errno, redial_fail, ...
   - To read a Retry-After header:                   redial_parse_retry_after
   - To test all of this without waiting:            redial_fake.h


   A PROGRAM

       #include <stdio.h>
       #include <string.h>
       #include <time.h>
       #include <redial.h>

       // Yours. Returns the HTTP status, or 0 if no response came. Copies the value of the
       // Retry-After header, or "".
       int my_get(const char *url, uint32_t timeout_ms, char retry_after[64]);

       static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
       {
           char text[64] = "";
           uint32_t retry_after_ms = 0;
           int status = my_get(user, attempt->timeout_ms, text);
           redial_parse_retry_after(text, strlen(text), time(NULL), &retry_after_ms);
           return redial_http(status, retry_after_ms);      // retries 429, 5xx and "no response"
       }

       int main(void)
       {
           static char url[] = "http://example.com/";
           struct redial_policy policy = REDIAL_POLICY_DEFAULT;      // 1 s, cap 32 s, 5 retries
           struct redial_report report;
           policy.max_elapsed_ms = 60000;                            // give up within a minute
           if (redial_run(&policy, redial_system(), fetch, url, &report) == REDIAL_DONE)
               return 0;
           fprintf(stderr, "%s, last status %d\n", redial_verdict_name(report.verdict),
                   report.last.code);
           return 1;
       }


   CONVENTIONS

   - All durations and times are uint32_t milliseconds, and their names end in _ms.
   - now_ms is any free-running millisecond counter. It may wrap, because only differences are used.
     A difference of 2^31 ms or more (24.8 days) means that the clock stepped back, and counts as 0.
   - Nothing allocates, prints, or has mutable globals. The caller owns every struct, and there is
     nothing to release. Members whose names end in _ are private.
   - One call belongs to one thread at a time. A policy must outlive the calls that use it. Calls
     only read it, so threads may share it. Between two decisions of a call you may change its
     policy to another valid one. Budgets and gates are made to be shared by threads.
   - Pointers must not be NULL, except where the text says what NULL means.
   - Zero in a policy field means something safe, or the policy is refused. Unlimited retries must
     be asked for by name: REDIAL_NO_LIMIT.
   - An output is written on success only. Exceptions: redial_run always writes its report, and
     redial_begin, redial_resume and redial_loop_begin always write a call that is not NULL.
   - C++: an operation or a hook may throw if redial was compiled with -fexceptions, as the CMake
     target is. A program that is built with -fshort-enums needs a redial that is built so too.
   - After 1.0, a minor version may add members to structs. REDIAL_POLICY_DEFAULT and designated
     initialisers then still compile and mean the same; the SONAME of the shared library changes. */
#ifndef REDIAL_H
#define REDIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDIAL_VERSION_MAJOR 0
#define REDIAL_VERSION_MINOR 2
#define REDIAL_VERSION_PATCH 0

/* Only a shared library exports these functions. REDIAL_SHARED: redial is, or is linked as, a
   shared library. REDIAL_BUILD: this is the shared library itself. The CMake target sets both. With
   -DREDIAL_API=static you can include redial.c into a source file of your own. */
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

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Policy: how long to wait, and how often ------------------------------------------------ */

/* The highest jitter_ms: the second that the documented algorithm adds at most. */
#define REDIAL_JITTER_MAX_MS 1000u

/* For max_retries: retry without a limit. */
#define REDIAL_NO_LIMIT UINT32_MAX

/* Jitter keeps clients that failed together from coming back together. In the formulas, w is
   min(base_ms * 2^n, cap_ms), and U[a,b] is a uniform choice of the whole numbers from a to b, both
   included. Without a Retry-After no wait is longer than cap_ms. */
enum redial_jitter {
    /* min(base_ms * 2^n + U[0,jitter_ms], cap_ms): the documented algorithm. Once base_ms * 2^n
       reaches cap_ms, no jitter is left: every wait is exactly cap_ms. */
    REDIAL_JITTER_ADDED = 0,
    /* ADDED while base_ms * 2^n + jitter_ms < cap_ms. From then on U[cap_ms - cap_ms/2, cap_ms], so
       that clients stay apart at the cap. There, a wait may be shorter than the one before. */
    REDIAL_JITTER_SPREAD,
    /* U[w - w/2, w]. jitter_ms counts only after a Retry-After. */
    REDIAL_JITTER_EQUAL,
    /* U[0, w]. A wait may be 0. jitter_ms counts only after a Retry-After. */
    REDIAL_JITTER_FULL,
    /* w exactly, for a single client. jitter_ms does not count. */
    REDIAL_JITTER_NONE
};

struct redial_budget;
struct redial_gate;

/* The first four fields are enough: { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000,
   .max_retries = 5 } is exactly the documented algorithm. */
struct redial_policy {
    /* The first wait, before jitter: 1..cap_ms. */
    uint32_t base_ms;
    /* base_ms and up. No wait of our own is longer, jitter included. A server may ask for longer
       waits; see max_retry_after_ms. */
    uint32_t cap_ms;
    /* 0..REDIAL_JITTER_MAX_MS. ADDED and SPREAD need at least 1. */
    uint32_t jitter_ms;
    /* After the first attempt: k means at most k + 1 attempts, 0 one attempt. REDIAL_NO_LIMIT: no
       limit. */
    uint32_t max_retries;
    /* For the whole call, waits included. 0: no limit. A wait that would end at or after this limit
       is not begun: the call ends at once with TIMED_OUT. Polling, postponing and a closed gate use
       up no retries: set this field, or such a call may go on for ever. */
    uint32_t max_elapsed_ms;
    /* The longest wait that a server may ask for. 0: cap_ms. UINT32_MAX: any. A longer one ends the
       call at once with WAIT_TOO_LONG. The random part of the wait comes on top of what the server
       asked for. */
    uint32_t max_retry_after_ms;
    /* The timeout of one attempt; see redial_timeout_ms. 0: max_elapsed_ms alone limits it. */
    uint32_t attempt_ms;
    /* For connections that should live for ever. An attempt that worked for at least this long
       before it failed (its uptime_ms) starts the call afresh: no retries used, no time elapsed. So
       max_retries and max_elapsed_ms limit one outage each. 0: never. */
    uint32_t min_uptime_ms;
    enum redial_jitter jitter;
    /* Is this HTTP status worth another attempt? It is asked once an attempt, for 400 and up and
       for 1..99. For 100..399 (done) and for 0 and less (no response came) nobody is asked. Threads
       that share the policy may ask at the same time. NULL: redial_http_retryable. Of all statuses,
       to retry 503 and 429 alone:
           static bool only_503_and_429(const void *user, int status)
           {
               (void)user;
               return status == 503 || status == 429;
           } */
    bool (*retryable)(const void *user, int http_status);
    /* Yours. It is handed to retryable. */
    const void *user;
    /* NULL: none. */
    struct redial_budget *budget;
    /* NULL: none. */
    struct redial_gate *gate;
};

/* An initialiser, for static data too: 1 s, cap 32 s, jitter 1 s, 5 retries, no time limit, a
   server may ask for 5 min, no timeout of an attempt, never afresh, ADDED, no hook, no budget, no
   gate. */
#define REDIAL_POLICY_DEFAULT \
    { 1000, 32000, 1000, 5, 0, 300000, 0, 0, REDIAL_JITTER_ADDED, NULL, NULL, NULL, NULL }

/* The same as a value. */
REDIAL_API struct redial_policy redial_policy_default(void);

enum redial_policy_error {
    REDIAL_POLICY_OK = 0,
    REDIAL_POLICY_BASE_ZERO,        /* base_ms is 0 */
    REDIAL_POLICY_CAP_BELOW_BASE,   /* cap_ms < base_ms */
    REDIAL_POLICY_JITTER_TOO_LONG,  /* jitter_ms > REDIAL_JITTER_MAX_MS */
    REDIAL_POLICY_JITTER_UNKNOWN,   /* jitter is none of the five modes */
    REDIAL_POLICY_JITTER_ZERO,      /* jitter_ms is 0 with ADDED or SPREAD: say NONE instead */
    REDIAL_POLICY_NULL              /* the policy is NULL */
};

/* The first error, in the order of the enum; NULL is checked first. Every function that begins a
   call checks its policy by itself. */
REDIAL_API enum redial_policy_error redial_policy_check(const struct redial_policy *policy);

/* Names the field and the rule, in English: static text, for any value, never NULL. */
REDIAL_API const char *redial_policy_error_text(unsigned error);

/* ---- Outcome: how one attempt ended --------------------------------------------------------- */

/* The values do not overlap those of enum redial_verdict. */
enum redial_kind {
    REDIAL_KIND_INVALID = 0,
    REDIAL_KIND_DONE = 16,  /* it succeeded */
    REDIAL_KIND_FAIL,       /* it failed, and would fail again */
    REDIAL_KIND_HTTP,       /* the HTTP status in code decides */
    REDIAL_KIND_RETRY,      /* it failed, and another attempt may succeed */
    REDIAL_KIND_PENDING,    /* the server answered, but what we wait for is not ready yet */
    REDIAL_KIND_POSTPONED   /* nothing was sent */
};

struct redial_outcome {
    enum redial_kind kind;
    /* The HTTP status, or an error number of yours. The report shows it to you. */
    int code;
    /* The wait that the server asked for. 0: none. Any outcome that waits may have one. */
    uint32_t retry_after_ms;
    /* How long the attempt worked before it failed. 0: it never did. */
    uint32_t uptime_ms;
};

/* 100..399 is done, even a redirect that was not followed. A status of 0 or less means that no
   response came, and is retried. For all others the policy decides. It does not know the method: a
   POST is retried, too, unless you use redial_http_request. */
REDIAL_API struct redial_outcome redial_http(int status, uint32_t retry_after_ms);

/* The same for a request that may not be safe to repeat, such as a POST. Where
   redial_http_idempotent(method) is false, "no response" and 500 and above are FAIL, and the policy
   is not asked: the server may have done the work. From 1 to 499 it is redial_http: 429 says that
   the work was not done. code and retry_after_ms are kept in any case. */
REDIAL_API struct redial_outcome redial_http_request(const char *method, int status,
                                                     uint32_t retry_after_ms);

/* It succeeded. */
REDIAL_API struct redial_outcome redial_done(void);

/* It failed, and another attempt may succeed. */
REDIAL_API struct redial_outcome redial_retry(int code);
REDIAL_API struct redial_outcome redial_retry_after(int code, uint32_t retry_after_ms);

/* A connection worked for uptime_ms, and then broke: worth another attempt. See min_uptime_ms. */
REDIAL_API struct redial_outcome redial_disconnected(int code, uint32_t uptime_ms);

/* It failed, and would fail again. */
REDIAL_API struct redial_outcome redial_fail(int code);

/* The request succeeded, but what we wait for is not ready yet: poll again. This costs no retry and
   no token of the budget. The waits between polls grow like those of retries, unless the server
   names them. Set max_elapsed_ms: no retry limit ends a call that polls. With a
   retry_after_ms the waits do not grow. */
REDIAL_API struct redial_outcome redial_pending(uint32_t retry_after_ms);

/* The request was not sent, for a reason of your own (a quota, a closed gate): come back not before
   retry_after_ms. This costs no retry and no token. Set max_elapsed_ms: no retry limit ends a call
   that is postponed again and again. */
REDIAL_API struct redial_outcome redial_postponed(uint32_t retry_after_ms);

/* An errno value. 0 is DONE. Worth another attempt: ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT
   EPIPE EAGAIN EWOULDBLOCK EINTR EHOSTUNREACH ENETUNREACH ENETDOWN ENETRESET EHOSTDOWN ENOBUFS, the
   shortages that pass EADDRNOTAVAIL EMFILE ENFILE ENOMEM, and on Windows the same among Winsock's
   numbers. All others fail. The sign is ignored, since libuv and kernels negate; code keeps the
   value given.
   - Use it for requests that are safe to repeat: after ECONNRESET a POST may have been done.
   - An end of file leaves errno at 0 on many paths. redial_errno(0) is DONE, which is seldom meant
     there: return redial_retry instead.
   - Other numbers (getaddrinfo's EAI_*, UV_EOF) need a mapping of your own. On some systems
     getaddrinfo's numbers have the same values as other errors of errno. */
REDIAL_API struct redial_outcome redial_errno(int error);

/* What redial_next will take the outcome for: DONE, FAIL, RETRY, PENDING, POSTPONED, or INVALID (an
   unknown kind, or a NULL policy). RETRY and the kinds after it wait, and only they use random
   bits: kind >= REDIAL_KIND_RETRY. */
REDIAL_API enum redial_kind redial_classify(const struct redial_policy *policy,
                                            struct redial_outcome outcome);

/* ---- Verdict and report: what to do next, and why ------------------------------------------- */

enum redial_verdict {
    REDIAL_DONE = 0,       /* the operation succeeded */
    REDIAL_RETRY,          /* make another attempt; redial_run never returns it */
    REDIAL_FAILED,         /* it failed in a way that another attempt cannot change */
    REDIAL_EXHAUSTED,      /* max_retries are used up */
    REDIAL_TIMED_OUT,      /* max_elapsed_ms is over, or the next wait would end at or after it */
    REDIAL_WAIT_TOO_LONG,  /* the server asked for more than max_retry_after_ms */
    REDIAL_BUDGET_EMPTY,   /* the retry budget has no token left */
    REDIAL_CANCELLED,      /* the caller cancelled; redial_next never returns it */
    REDIAL_INVALID         /* the policy, the outcome, or an argument is not valid */
};

/* "done", "retry", "failed", "exhausted", "timed_out", "wait_too_long", "budget_empty",
   "cancelled", "invalid"; "unknown" for any other value. */
REDIAL_API const char *redial_verdict_name(unsigned verdict);

struct redial_report {
    enum redial_verdict verdict;
    /* The last attempt's outcome, as the operation returned it. Its kind is INVALID if there was no
       attempt. */
    struct redial_outcome last;
    /* attempts, elapsed_ms and waited_ms are of the whole run, fresh starts included. They
       saturate. */
    uint32_t attempts;
    uint32_t elapsed_ms;
    /* By the clock. Waits that were cut short and the time that on_wait took are included. */
    uint32_t waited_ms;
    /* The wait that was refused, for TIMED_OUT, WAIT_TOO_LONG and BUDGET_EMPTY. It is 0 for all
       other verdicts, and for a TIMED_OUT because the last wait or attempt took too long. */
    uint32_t refused_wait_ms;
};

/* ---- redial_run: run an operation until it is done or given up ------------------------------ */

struct redial_event {
    /* Retries granted so far, this one included. A poll or a closed gate grants none. */
    uint32_t retry;
    /* The wait that is about to begin. */
    uint32_t delay_ms;
    /* Since the call began, or since its last fresh start. */
    uint32_t elapsed_ms;
    /* What made the wait necessary. POSTPONED with what is left: the gate is closed. */
    struct redial_outcome outcome;
};

/* The clock, the waiting and the randomness that a run uses. You may copy an env and replace hooks
   in the copy. Therefore a hook finds its data through `port` and `user`, not through the address
   of env. Hooks run in the thread of the run, and may themselves call redial_run. To stop
   everything at shutdown, and to log each retry (an attempt under way is not interrupted; with
   redial_next stop your timer instead):

       static bool stopping(const struct redial_env *env) { return *(atomic_bool *)env->user; }
       static void log_wait(const struct redial_env *env, const struct redial_event *event);

       struct redial_env env = *redial_system();
       env.cancelled = stopping;
       env.on_wait = log_wait;
       env.user = &shutdown_requested;

   cancelled and on_wait should be quick: the time that they take counts towards max_elapsed_ms, but
   is not foreseen when a wait is checked against it. */
struct redial_env {
    uint32_t (*now_ms)(const struct redial_env *env);
    /* Waits at least ms, which may be 0. False: cancelled. A wait of your own may end early with
       true ("the network is back"), and the attempt is then made early. Do not do that with a wait
       that the server asked for: event->outcome.retry_after_ms is not 0 then. */
    bool (*wait_ms)(const struct redial_env *env, uint32_t ms);
    /* 32 uniform bits. Not rand(): that has only 31 or even 15. It is called once after each
       outcome that waits, before the decision. */
    uint32_t (*random)(const struct redial_env *env);
    /* Belongs to the three hooks above. */
    void *port;
    /* True: give up. It is asked before each attempt, and after each outcome that waits. NULL:
       never. */
    bool (*cancelled)(const struct redial_env *env);
    /* Called before each wait, and never for a give-up. A retry is an event whose outcome.kind is
       neither PENDING nor POSTPONED. NULL: not called. */
    void (*on_wait)(const struct redial_env *env, const struct redial_event *event);
    /* Yours, for the hooks that you set or replace. */
    void *user;
};

/* The real clock (monotonic), real waits that never end early, and random bits from the operating
   system for every draw. There is no seed, so forked processes differ. Where the system refuses
   random bits, several clocks, the thread's id and a stack address are mixed instead. Where it
   refuses the clock, the time is always 0 and a wait fails at once, so that a call ends
   (CANCELLED). A signal does not shorten a wait. If `cancelled` is set, it is asked after a signal
   and at least every 50 ms. The env is static: valid for ever, for all threads. With
   -DREDIAL_NO_SYSTEM, for programs that have a clock and random bits of their own, redial.c leaves
   it out. */
#ifndef REDIAL_NO_SYSTEM
REDIAL_API const struct redial_env *redial_system(void);
#endif

struct redial_attempt {
    /* 1 for the first attempt of the run. Saturates. */
    uint32_t number;
    /* redial_timeout_ms, for the timeout of your request. Never 0. UINT32_MAX: no limit. libcurl
       takes a long: set attempt_ms, or pass at most INT32_MAX. */
    uint32_t timeout_ms;
    /* The env of the run: for a clock, or for a wait that can be cancelled. */
    const struct redial_env *env;
};

/* One attempt. user is the same pointer every time, so an idempotency key belongs there. An
   operation that noticed the cancellation by itself returns redial_retry, and the run ends with
   CANCELLED. */
typedef struct redial_outcome redial_operation(void *user, const struct redial_attempt *attempt);

/* Attempts, decides and waits until there is a verdict, by the rules of redial_next.

   Before each attempt it asks in this order: is the call cancelled (CANCELLED), is time left (else
   TIMED_OUT, with a refused_wait_ms of 0), is the gate open. While the gate is closed, nothing is
   sent: the run goes on as if the operation had returned redial_postponed with what is left, and
   then asks the three again. `attempts` and `last` do not count that.

   After each outcome that waits, that of a closed gate included, it asks `cancelled` before it does
   anything else: before random bits are drawn, a token is taken, or on_wait is called. A success or
   a failure for good stands, cancelled or not.

   INVALID, and nothing is attempted, though the clock may be read: the policy is invalid or NULL;
   env, operation, now_ms, wait_ms or random is NULL. report may be NULL. It is kept up to date all
   the time, and its verdict is INVALID until the end. The run owns nothing: a longjmp, a C++
   exception or the cancellation of the thread out of the operation or a hook leaks nothing. */
REDIAL_API enum redial_verdict redial_run(const struct redial_policy *policy,
                                          const struct redial_env *env,
                                          redial_operation *operation, void *user,
                                          struct redial_report *report);

/* ---- A loop of your own: the same without a callback ---------------------------------------- */

struct redial_call {
    /* NULL: the call was not begun. */
    const struct redial_policy *policy;
    uint32_t retries_, polls_, elapsed_ms_, last_ms_;
};

struct redial_step {
    enum redial_verdict verdict;
    /* RETRY: the wait that was decided on. From redial_next it is still to be waited; from the loop
       functions it is over, and waits at the gate are not part of it. WAIT_TOO_LONG, TIMED_OUT,
       BUDGET_EMPTY: the wait that was refused. Else 0. */
    uint32_t delay_ms;
    /* RETRY from the loop functions: redial_timeout_ms for the attempt to make now, never 0. All
       else: 0. */
    uint32_t timeout_ms;
};

/* RETRY means: make an attempt now. Any other verdict ends the loop.

       struct redial_call call;
       struct redial_step step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_RETRY) {
           uint32_t retry_after_ms = 0;
           int status = my_request(url, step.timeout_ms, &retry_after_ms);
           step = redial_loop_next(&call, env, redial_http(status, retry_after_ms));
       }

   redial_loop_begin begins the call and waits while the gate is closed. redial_loop_next decides,
   calls on_wait, waits, and waits while the gate is closed. For the same outcomes they give the
   same verdicts, waits, events, timeouts and questions to `cancelled` as redial_run. Where the
   first attempt was made elsewhere, begin with redial_begin and go on with redial_loop_next. A call
   from redial_resume may go on so too; before its first attempt look at redial_timeout_ms and the
   gate yourself.

   INVALID: a NULL call, a call that was not begun, an invalid outcome, or what redial_run
   refuses. */
REDIAL_API struct redial_step redial_loop_begin(struct redial_call *call,
                                                const struct redial_policy *policy,
                                                const struct redial_env *env);
REDIAL_API struct redial_step redial_loop_next(struct redial_call *call,
                                               const struct redial_env *env,
                                               struct redial_outcome outcome);

/* ---- Step by step: for event loops, coroutines and bare metal ------------------------------- */

/* You wait in your own way. With a timer of your event loop, for example:

       static void ended(struct request *r, struct redial_outcome outcome);
       static void send_now(struct request *r)             // first, and when the timer fires
       {
           uint32_t now_ms = my_clock_ms(), timeout_ms = redial_timeout_ms(&r->call, now_ms);
           uint32_t closed_ms = r->gate ? redial_gate_left_ms(r->gate, now_ms) : 0;
           if (timeout_ms == 0)
               my_finish(r, REDIAL_TIMED_OUT);
           else if (closed_ms > 0)
               ended(r, redial_postponed(closed_ms));
           else
               my_send(r, timeout_ms);                     // calls ended() when it has ended
       }
       static void ended(struct request *r, struct redial_outcome outcome)
       {
           struct redial_step step = redial_next(&r->call, outcome, my_clock_ms(), my_random());
           if (step.verdict == REDIAL_RETRY)
               my_start_timer(r, step.delay_ms);           // calls send_now()
           else
               my_finish(r, step.verdict);
       }

   redial_begin starts a call whose first attempt is due at once. False for a NULL call, and for a
   policy that is NULL or invalid: redial_next then answers INVALID, as on a zero-initialised call.
 */
REDIAL_API bool redial_begin(struct redial_call *call, const struct redial_policy *policy,
                             uint32_t now_ms);

/* A call that was begun earlier, perhaps by another process: as if redial_begin had been followed
   by that many retries and that much time. False as redial_begin. Store redial_retries (one more,
   as if it had failed) and redial_elapsed_ms before each attempt, so that a crash in it counts. The
   wait that was in progress is yours: keep its end by the wall clock, and wait for the rest of it
   first. The waits between polls start anew. */
REDIAL_API bool redial_resume(struct redial_call *call, const struct redial_policy *policy,
                              uint32_t retries, uint32_t elapsed_ms, uint32_t now_ms);

/* The retries granted since the call began, or since its last fresh start or poll. */
REDIAL_API uint32_t redial_retries(const struct redial_call *call);

/* The time from when the call began, or from its last fresh start (a poll is none), up to now_ms.
   Saturates. */
REDIAL_API uint32_t redial_elapsed_ms(const struct redial_call *call, uint32_t now_ms);

/* For the attempt about to be made: the smaller of attempt_ms and what is left of max_elapsed_ms.
   UINT32_MAX: neither is set. 0: nothing is left, and the verdict is TIMED_OUT; or the call was not
   begun. Make no attempt. Test for 0 before you hand it on: to a policy's max_elapsed_ms, and to
   libcurl, 0 means "no limit". */
REDIAL_API uint32_t redial_timeout_ms(const struct redial_call *call, uint32_t now_ms);

/* The decision after an attempt, by these rules, in this order:

    1. The outcome is classified; see redial_classify. INVALID and FAIL end here (INVALID, FAILED).
    2. DONE: the budget earns one success. It ends here.
    3. The time up to now_ms is counted. RETRY with an uptime_ms of at least min_uptime_ms, where
       that is set: the call starts afresh (no retries, no polls, no time used), and the budget
       earns one success.
    4. PENDING: the budget earns one success, and the retries are 0 again.
    5. RETRY, and max_retries are used up: EXHAUSTED.
    6. retry_after_ms is longer than max_retry_after_ms: WAIT_TOO_LONG.
    7. The wait. n is the number of retries for RETRY, and the number of earlier polls without a
       retry_after_ms for a PENDING without one. It is 0 for a PENDING with one, and for POSTPONED.
       Without a retry_after_ms, the wait is redial_random_delay_ms(policy, n, random). With one,
       and w = min(base_ms * 2^n, cap_ms), it is max(retry_after_ms, w/2) + U[0, max(jitter_ms, w)],
       saturating; with REDIAL_JITTER_NONE it is max(retry_after_ms, w/2). w/2 is rounded down. So
       it is never earlier than the server said, a server that was wrong often is believed less,
       and clients that were all told the same come back spread out.
    8. The wait would end at or after max_elapsed_ms: TIMED_OUT, at once. (A loop that waits first
       and looks at the clock afterwards makes one attempt more.)
    9. RETRY, and the budget has no token: BUDGET_EMPTY. This comes last, so a refused retry costs
       none.
   10. RETRY: wait delay_ms, then make the attempt. RETRY counts one retry, PENDING without a
       retry_after_ms counts one poll.

   random: 32 uniform bits, used in 7 alone. A verdict other than RETRY changes nothing but the
   counted time (and what 2, 3 and 4 do): the call is still usable, and you may call redial_next
   again after a wait of your own. If 2^31 ms or more pass between two calls of redial_next, they
   count as 0.

   Where a service documents that its Retry-After is to be waited exactly: before the decision set
   base_ms and cap_ms of the call's own policy to what you were told (at least 1), with
   REDIAL_JITTER_NONE, and pass a retry_after_ms of 0. */
REDIAL_API struct redial_step redial_next(struct redial_call *call, struct redial_outcome outcome,
                                          uint32_t now_ms, uint32_t random);

/* ---- Budget: keeps an outage from becoming a storm ------------------------------------------ */

/* One per server, shared by all its callers and threads, without a lock. A retry takes one token. A
   success earns percent/100 of a token, up to capacity. Without a token there is no retry. So, in
   any history,

       retries <= capacity + successes * percent / 100

   and a server that is down gets hardly more than the first attempts. A good capacity is the number
   of retries that you would let pass in a burst, for example as many as there are requests in a
   second; a usual percent is 10.

   A budget is for requests, not for connections that must come back: even with REDIAL_NO_LIMIT an
   empty budget ends the call. A zero-initialised budget never grants a retry. It needs a 32-bit
   compare-and-swap; a program that never calls redial_budget_init links none. Processes that forked
   after redial_budget_init may share it in memory (MAP_SHARED). Different programs may not: it
   holds pointers to functions. */
struct redial_budget {
    bool (*take_)(struct redial_budget *budget);
    void (*earn_)(struct redial_budget *budget);
    /* Atomic: whole tokens, and hundredths of the next one. */
    uint32_t tokens_, cents_;
    uint32_t capacity_, earn_tokens_, earn_cents_;
};

/* The budget is full to begin with. Any capacity is allowed (0: no retries at all), and any
   percent: 10 lets one retry pass for every ten successes. Call it once, before the budget is
   shared. */
REDIAL_API void redial_budget_init(struct redial_budget *budget, uint32_t capacity,
                                   uint32_t percent);

/* Whole tokens left. Any thread may ask; the answer may already be stale when it is returned. */
REDIAL_API uint32_t redial_budget_tokens(const struct redial_budget *budget);

/* ---- Gate: holds all callers that share a quota --------------------------------------------- */

/* One per quota (an account, an address), shared by the callers that it limits. While it is closed,
   redial_run and the loop functions send nothing, not even first attempts. Users of redial_next
   look at redial_gate_left_ms. Their wait is that of redial_postponed: what is left, at least half
   of base_ms, and a random part of up to base_ms or jitter_ms, so that they come back spread out.

   redial never closes a gate. You do, where an answer speaks for all callers: a 429 for the quota
   of an account, not a 503 of one server among many. A call at a gate ends by max_elapsed_ms, by
   cancellation, or with WAIT_TOO_LONG if more than max_retry_after_ms is left: set max_elapsed_ms.

   All callers of a gate must use the same clock. If two threads close it in the same moment, either
   may win. A thread whose reading of the clock is older than the closing may still pass. A gate
   that nobody has looked at for 2^31 ms may look closed by accident, for at most as long as it was
   closed last. To close a gate until further notice, close it for a day, and again in time: a
   closing of almost 2^31 ms is undone by one look with an older reading of the clock.

   A zero-initialised gate holds nobody. A look at a gate may write to it, so it must not be in
   read-only memory. It needs a 32-bit compare-and-swap; a program that never calls redial_gate_init
   links none. Like a budget, it may be shared by processes that forked after redial_gate_init, but
   not by different programs. */
struct redial_gate {
    uint32_t (*left_)(const struct redial_gate *gate, uint32_t now_ms);
    struct redial_gate *itself_;
    /* Atomic. */
    uint32_t end_ms_, start_ms_, longest_ms_;
};

/* The gate is open to begin with. Call it once, before the gate is shared. The gate must not move
   in memory afterwards. */
REDIAL_API void redial_gate_init(struct redial_gate *gate);

/* Closes the gate for ms from now_ms on. Any thread may call it. If it is closed already, the later
   end counts. 2^31 ms and more are taken for 2^31 - 1 ms. */
REDIAL_API void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms);

/* Opens the gate at once. Any thread may call it. Callers that already wait finish their wait. */
REDIAL_API void redial_gate_open(struct redial_gate *gate);

/* How long the gate stays closed. 0: it is open. Any thread may ask. */
REDIAL_API uint32_t redial_gate_left_ms(const struct redial_gate *gate, uint32_t now_ms);

/* ---- HTTP: what may be retried, and when ---------------------------------------------------- */

/* 429 (RFC 6585, 4) and 500..599 (RFC 9110, 15.6). That includes 501, 505 and 511, which rarely
   succeed when they are retried: a service that uses them needs a `retryable` of your own. */
REDIAL_API bool redial_http_retryable(int status);

/* Does sending the request twice do no more than sending it once? GET HEAD OPTIONS TRACE PUT DELETE
   (RFC 9110, 9.2.2). Methods are case-sensitive. NULL: no. Other methods, POST above all, are safe
   to retry only with an idempotency key, or where the service says so. */
REDIAL_API bool redial_http_idempotent(const char *method);

/* The value of Retry-After (RFC 9110, 10.2.3), in milliseconds. It is a number of seconds, or a
   date as below. Some services send a fraction ("1.5"), against the RFC: it is accepted, and
   rounded up to the next millisecond. For a date, now_s is the time of the response: its own Date
   header if it has one, so that a wrong clock of ours does no harm; else the wall clock; INT64_MAX
   if there is neither, which makes every date one in the past. A date in the past is 0. More than
   4294967.295 s (49.7 days) is UINT32_MAX. Spaces and tabs around the value are skipped. False for
   NULL, and for anything else ("", "-1", "1.", ".5", "2, 3"). */
REDIAL_API bool redial_parse_retry_after(const char *text, size_t length, int64_t now_s,
                                         uint32_t *retry_after_ms);

/* The date of an HTTP header, in any of the three forms of RFC 9110, 5.6.7:
       Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994
   in seconds since 1970, UTC. No locale, time zone or time_t is involved. Surrounding text is
   rejected. A two-digit year is taken as the latest one that is at most 50 years after now_s (Unix
   time). The name of the day must be one, but need not fit the date. A second of 60 is the next
   second. NULL, and a day that does not exist, are rejected. */
REDIAL_API bool redial_parse_http_date(const char *text, size_t length, int64_t now_s,
                                       int64_t *unix_s);

/* Whole seconds in milliseconds, for clients that report Retry-After so (libcurl's
   CURLINFO_RETRY_AFTER). Saturates. 0 for 0 and less. */
REDIAL_API uint32_t redial_seconds_ms(int64_t seconds);

/* ---- Delay: pure arithmetic, for a valid policy --------------------------------------------- */

/* min(base_ms * 2^n + jitter_ms, cap_ms), exact for every n (0 for the first retry) and every
   jitter_ms. The policy's own jitter_ms and mode are not used. It never wraps. */
REDIAL_API uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t n,
                                    uint32_t jitter_ms);

/* The wait by the policy's jitter mode. random: 32 uniform bits, drawn for this wait alone. 0 gives
   the shortest wait of the range, UINT32_MAX the longest. No value is favoured by more than 2^-32.
   */
REDIAL_API uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t n,
                                           uint32_t random);

/* The longest time that all waits of our own can add up to, from one fresh start. Waits that a
   server asks for, polls and gates are not part of it. It is at most max_elapsed_ms - 1 where that
   is set. It is UINT64_MAX for REDIAL_NO_LIMIT without max_elapsed_ms. It takes constant time. */
REDIAL_API uint64_t redial_longest_total_ms(const struct redial_policy *policy);

#ifdef __cplusplus
}
#endif

#endif
