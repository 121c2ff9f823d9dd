/* redial: exponential backoff and retry for C. It needs nothing but libc.
   SPDX-License-Identifier: MIT

   The algorithm is the one that Google Cloud documents for the clients of its REST APIs, for
   example at https://cloud.google.com/memorystore/docs/redis/exponential-backoff. A client that
   gets HTTP 429 or 5xx waits, and tries again:

       wait = min(base * 2^n + random_ms, cap)      n = 0, 1, 2, ...

   n is the number of retries made before. random_ms is a new random number from 0 to 1000 for every
   retry. After a maximum number of retries the client reports the error. redial adds to this:
   Retry-After, time limits, cancellation, a retry budget, a gate that makes many callers wait at
   once, polling, and calls that continue after a restart of the program.

   WHICH FUNCTION WHEN

   - You may block, and the request is a callback:   redial_run
   - You may block, and have a loop of your own:     redial_loop_begin, redial_loop_next
   - epoll, libuv, coroutines, a superloop, no OS:   redial_begin, redial_timeout_ms, redial_next
   - To say how an attempt ended:                    redial_http, redial_errno, redial_fail, ...
   - The same after a transfer of libcurl:           redial_curl.h
   - To read a Retry-After header:                   redial_headers_ms
   - To test all of this without waiting:            redial_fake.h

   A PROGRAM

       #include <stdio.h>
       #include <redial.h>

       // Yours. Returns the HTTP status, or 0 if no response came.
       // Copies the values of the headers Retry-After and Date, or "".
       int my_get(const char *url, uint32_t timeout_ms,
                  char retry_after[64], char date[64]);

       static struct redial_outcome fetch(void *user,
                                          const struct redial_attempt *attempt)
       {
           char retry_after[64] = "", date[64] = "";
           int status = my_get(user, attempt->timeout_ms, retry_after, date);
           return redial_http(status, redial_headers_ms(retry_after, date));
       }

       int main(void)
       {
           static char url[] = "http://example.com/";
           struct redial_policy policy = REDIAL_POLICY_DEFAULT;   // 5 retries
           struct redial_report report;
           policy.max_elapsed_ms = 60000;           // give up within a minute
           redial_run(&policy, redial_system(), fetch, url, &report);
           if (report.verdict == REDIAL_DONE)
               return 0;
           fprintf(stderr, "%s, last status %d\n",
                   redial_verdict_name(report.verdict), report.last.code);
           return 1;
       }

   CONVENTIONS

   - Names that end in _ms are milliseconds, and uint32_t unless the declaration says otherwise.
     Counters and sums saturate: they stay at their maximum instead of wrapping.
   - now_ms is any free-running millisecond counter. It may wrap, because only differences are used.
     A difference of 2^31 ms or more (24.8 days) means that the clock stepped back, and counts as 0.
     So if your clock is set back by an hour, a call may leave out the time since its last decision.
     From its next decision on it counts as before. For a gate see there.
   - Nothing allocates, prints, or has mutable globals. The caller owns every struct, and there is
     nothing to release. Members whose names end in _ are private.
   - Threads may share policies, budgets, gates and envs. Only one thread at a time may use a call
     (struct redial_call). A call only reads its policy, which must outlive it. Budgets and gates in
     shared memory (MAP_SHARED) may be used by processes that forked after the init function, but
     not by different programs, because they hold pointers to functions.
   - Pointers must not be NULL, except where the text says what NULL means.
   - Each policy field says what zero means. A zero-initialised policy is refused, because its
     base_ms is 0. Unlimited retries must be asked for by name: REDIAL_NO_LIMIT.
   - Output parameters are written on success only. But redial_run always writes its report, and
     redial_begin, redial_resume and redial_loop_begin always write a call that is not NULL.
   - C++: an operation or a hook may throw if redial was compiled with -fexceptions (CMake does).
   - After 1.0, a minor version may add members to structs. REDIAL_POLICY_DEFAULT and designated
     initialisers then still compile and mean the same; the SONAME of the shared library changes.
   - To compile redial as a part of your program, see redial_build at the end. */
#ifndef REDIAL_H
#define REDIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDIAL_VERSION_MAJOR 0
#define REDIAL_VERSION_MINOR 3
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

#ifdef __cplusplus
extern "C" {
#endif

/* ---- redial_policy: how long to wait, and how often ------------------------------------------ */

/* The largest valid jitter_ms. */
#define REDIAL_JITTER_MAX_MS 1000u
/* What a max_retry_after_ms of 0 means, unless cap_ms is longer: 5 minutes. */
#define REDIAL_RETRY_AFTER_MAX_MS 300000u
/* As max_retries it means: retry without a limit. */
#define REDIAL_NO_LIMIT UINT32_MAX

/* Jitter keeps clients that failed together from coming back together. In the formulas, w is
   min(base_ms * 2^n, cap_ms), and U[a,b] is a uniform random whole number from a to b, both
   included. With base_ms 1000 and cap_ms 32000, w is 1000, 2000, 4000, 8000, 16000, 32000, 32000,
   and so on. For the wait after a Retry-After see rule 7 of redial_next. */
enum redial_jitter {
    /* min(base_ms * 2^n + U[0,jitter_ms], cap_ms): the documented algorithm. Once base_ms * 2^n
       reaches cap_ms, every wait is exactly cap_ms, without jitter. */
    REDIAL_JITTER_ADDED = 0,
    /* ADDED while base_ms * 2^n + jitter_ms < cap_ms. From then on U[cap_ms - cap_ms/2, cap_ms], so
       that clients stay apart at the cap. A wait may then be shorter than the one before. */
    REDIAL_JITTER_SPREAD,
    /* U[w - w/2, w]. jitter_ms is used only after a Retry-After. */
    REDIAL_JITTER_EQUAL,
    /* U[0, w]. A wait may be 0. jitter_ms is used only after a Retry-After. */
    REDIAL_JITTER_FULL,
    /* w exactly, for a single client. jitter_ms is not used. */
    REDIAL_JITTER_NONE
};

struct redial_budget;
struct redial_gate;

/* The first four fields are enough: { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000,
   .max_retries = 5 } is exactly the documented algorithm, and the same as REDIAL_POLICY_DEFAULT.
   Between two decisions of a call you may set call.policy to another valid policy. You may also
   change the policy itself then, if no other call uses it. */
struct redial_policy {
    /* The first wait, before jitter: 1..cap_ms. 0 is refused. */
    uint32_t base_ms;
    /* The longest backoff wait, jitter included. At least base_ms; 0 is refused. */
    uint32_t cap_ms;
    /* 0..REDIAL_JITTER_MAX_MS. ADDED and SPREAD refuse 0: use NONE for waits without jitter. */
    uint32_t jitter_ms;
    /* After the first attempt: k means at most k + 1 attempts, and 0 means no retry. A poll or a
       reset begins the count anew. REDIAL_NO_LIMIT: no limit. */
    uint32_t max_retries;
    /* The limit for the whole call, waits included. 0: no limit. A wait that would end at or after
       this limit is not begun: the call ends at once with TIMED_OUT. Polling, postponing and a
       closed gate use up no retries: set this field, or such a call may continue for ever. */
    uint32_t max_elapsed_ms;
    /* The longest wait that a server, a closed gate or redial_postponed may ask for. A longer one
       ends the call at once with WAIT_TOO_LONG. The random part of the wait is not included.
       0: REDIAL_RETRY_AFTER_MAX_MS, or cap_ms if that is longer. UINT32_MAX: any. A command or a
       cron job that has little time sets it to cap_ms. */
    uint32_t max_retry_after_ms;
    /* The timeout of one attempt; see redial_timeout_ms. 0: max_elapsed_ms alone limits it. redial
       cannot interrupt an attempt: pass the timeout on to your request. */
    uint32_t attempt_ms;
    /* For connections that should stay up. If an attempt worked for at least this long before it
       failed (its uptime_ms), the call is reset: its retries, its polls and its elapsed time are 0
       again. So max_retries and max_elapsed_ms limit each outage separately. 0: never. */
    uint32_t min_uptime_ms;
    /* 0: ADDED, the documented algorithm. */
    enum redial_jitter jitter;
    /* Returns whether an HTTP status of 400 or more, or of 1..99, is worth another attempt. It is
       called once in each decision on kind HTTP with such a status. It is not called for others:
       100 to 399 is a success, and 0 or less means that no response came. Threads that share the
       policy may call it in parallel. NULL: redial_http_retryable. To retry 503 and 429 only:
           static bool only_503_and_429(const void *user, int status)
           {
               (void)user;
               return status == 503 || status == 429;
           } */
    bool (*retryable)(const void *user, int http_status);
    /* Yours, or NULL. redial passes it to retryable. */
    const void *user;
    /* NULL: none. redial_next does not check the gate. */
    struct redial_budget *budget;
    struct redial_gate *gate;
};

/* An initialiser, for static data too: 1 s, cap 32 s, jitter 1 s, 5 retries; all other members are
   0 or NULL. The waits are 1 to 2 s, 2 to 3 s, 4 to 5 s, 8 to 9 s and 16 to 17 s. A Retry-After of
   up to 5 minutes changes them. */
#define REDIAL_POLICY_DEFAULT \
    { 1000, 32000, 1000, 5, 0, 0, 0, 0, REDIAL_JITTER_ADDED, NULL, NULL, NULL, NULL }
/* The same as a value. */
REDIAL_API struct redial_policy redial_policy_default(void);

enum redial_policy_error {
    REDIAL_POLICY_OK = 0,
    REDIAL_POLICY_BASE_ZERO,        /* base_ms is 0 */
    REDIAL_POLICY_CAP_BELOW_BASE,   /* cap_ms < base_ms */
    REDIAL_POLICY_JITTER_TOO_LONG,  /* jitter_ms > REDIAL_JITTER_MAX_MS */
    REDIAL_POLICY_JITTER_UNKNOWN,   /* jitter is none of the five modes */
    REDIAL_POLICY_JITTER_ZERO,      /* jitter_ms is 0 with ADDED or SPREAD: use NONE instead */
    REDIAL_POLICY_NULL              /* the policy is NULL */
};

/* The first error in the order of the enum, but NULL is checked first. Every function that begins a
   call checks its policy by itself. */
REDIAL_API enum redial_policy_error redial_policy_check(const struct redial_policy *policy);
/* A static English text that names the field and the rule. It is never NULL, whatever the value. */
REDIAL_API const char *redial_policy_error_text(unsigned error);

/* ---- redial_outcome: how one attempt ended --------------------------------------------------- */

/* The values do not overlap those of enum redial_verdict. */
enum redial_kind {
    REDIAL_KIND_INVALID = 0,
    REDIAL_KIND_DONE = 16,  /* it succeeded */
    REDIAL_KIND_FAIL,       /* it failed, and would fail again */
    REDIAL_KIND_HTTP,       /* the HTTP status in code decides */
    REDIAL_KIND_RETRY,      /* it failed, and another attempt may succeed */
    REDIAL_KIND_PENDING,    /* the server answered, but the result is not ready yet: poll again */
    REDIAL_KIND_POSTPONED   /* nothing was sent */
};

struct redial_outcome {
    enum redial_kind kind;
    /* The HTTP status, or an error number of yours. The report shows it to you. */
    int code;
    /* The wait that the server asked for. 0: none. */
    uint32_t retry_after_ms;
    /* How long the attempt worked before it failed. 0: it never worked. */
    uint32_t uptime_ms;
};

/* A status of 100..399 is DONE, even a redirect that was not followed. A status of 0 or less means
   that no response came; it is retried. For all others the policy decides. The method is not known
   here: a POST that failed with 503 is retried, too, unless you use redial_http_request. */
REDIAL_API struct redial_outcome redial_http(int status, uint32_t retry_after_ms);

/* The same for a request that may not be safe to repeat, such as a POST. If
   redial_http_idempotent(method) is false, "no response" and 500 and above are FAIL without asking
   the policy, because the server may have done the work. 1..499 are handled as in redial_http: 429
   means that the work was not done. code and retry_after_ms are always kept. With an idempotency
   key use redial_http. If the request was certainly not sent, return redial_retry. */
REDIAL_API struct redial_outcome redial_http_request(const char *method, int status,
                                                     uint32_t retry_after_ms);
/* The attempt succeeded. */
REDIAL_API struct redial_outcome redial_done(void);
/* The attempt failed, and another one may succeed. */
REDIAL_API struct redial_outcome redial_retry(int code);
REDIAL_API struct redial_outcome redial_retry_after(int code, uint32_t retry_after_ms);
/* A connection worked for uptime_ms, and then broke. It is retried. See min_uptime_ms. */
REDIAL_API struct redial_outcome redial_disconnected(int code, uint32_t uptime_ms);
/* The attempt failed, and would fail again. */
REDIAL_API struct redial_outcome redial_fail(int code);

/* The request succeeded, but the result of a long-running operation is not ready yet: poll again.
   Your next attempt asks for the result. This costs no retry and no token of the budget: set
   max_elapsed_ms. The waits between polls grow like those between retries. With a retry_after_ms
   they do not grow; it is the least wait, and max_retry_after_ms limits it. A poll every 5 s, for
   at most 10 minutes:
       struct redial_policy policy = REDIAL_POLICY_DEFAULT;
       policy.base_ms = policy.cap_ms = 5000;
       policy.jitter = REDIAL_JITTER_NONE;
       policy.max_elapsed_ms = 600000; */
REDIAL_API struct redial_outcome redial_pending(uint32_t retry_after_ms);

/* You did not send the request, for a reason of your own (a quota, a closed gate). The next attempt
   comes after at least retry_after_ms. This costs no retry and no token: set max_elapsed_ms. */
REDIAL_API struct redial_outcome redial_postponed(uint32_t retry_after_ms);

/* An errno value. 0 is DONE. These are retried: ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT
   EPIPE EAGAIN EWOULDBLOCK EINTR EHOSTUNREACH ENETUNREACH ENETDOWN ENETRESET EHOSTDOWN ENOBUFS, the
   temporary shortages EADDRNOTAVAIL EMFILE ENFILE ENOMEM, and on Windows the same errors with
   Winsock's numbers. All others are FAIL. Negative values, as libuv and kernels return them, mean
   the same; code keeps the sign.
   - Use it for requests that are safe to repeat: after ECONNRESET a server may have done a POST.
   - An end of file often leaves errno at 0, and redial_errno(0) is DONE. Return redial_retry there.
   - Other numbers (getaddrinfo's EAI_*, UV_EOF) need a mapping of your own. */
REDIAL_API struct redial_outcome redial_errno(int error);

/* The kind that redial_next gives to the outcome: DONE, FAIL, RETRY, PENDING, POSTPONED, or INVALID
   (an unknown kind, or a NULL policy). DONE, FAIL and INVALID are final. Only the others (kind >=
   REDIAL_KIND_RETRY) lead to a wait and need random bits. */
REDIAL_API enum redial_kind redial_classify(const struct redial_policy *policy,
                                            struct redial_outcome outcome);

/* ---- redial_verdict: what to do next, and why ------------------------------------------------ */

enum redial_verdict {
    REDIAL_DONE = 0,       /* the operation succeeded */
    REDIAL_RETRY,          /* make another attempt; redial_run never returns it */
    REDIAL_FAILED,         /* it failed in a way that another attempt cannot change */
    REDIAL_EXHAUSTED,      /* max_retries are used up */
    REDIAL_TIMED_OUT,      /* max_elapsed_ms is over, or the next wait would end at or after it */
    REDIAL_WAIT_TOO_LONG,  /* a wait longer than max_retry_after_ms was asked for */
    REDIAL_BUDGET_EMPTY,   /* the retry budget has no token left */
    REDIAL_CANCELLED,      /* `cancelled` or wait_ms said so; redial_next never returns it */
    REDIAL_INVALID         /* the policy, the outcome, or an argument is not valid */
};

/* "done", "retry", "failed", "exhausted", "timed_out", "wait_too_long", "budget_empty",
   "cancelled", "invalid"; "unknown" for any other value. */
REDIAL_API const char *redial_verdict_name(unsigned verdict);

struct redial_report {
    enum redial_verdict verdict;
    /* What the last attempt returned. Its kind is INVALID if there was no attempt. */
    struct redial_outcome last;
    /* The whole run. A reset (min_uptime_ms) does not set these three back. */
    uint32_t attempts;
    uint32_t elapsed_ms;
    /* The time that the waits took. It includes waits that were cut short, and the time that
       on_wait took. */
    uint32_t waited_ms;
    /* WAIT_TOO_LONG: the wait that was asked for. TIMED_OUT, BUDGET_EMPTY: the wait that was
       not begun, or 0 if no time was left after the last wait. All other verdicts: 0. */
    uint32_t refused_wait_ms;
};

/* ---- redial_run: run an operation until it succeeds or is given up -------------------------- */

struct redial_event {
    /* Retries so far, this one included. A poll or a closed gate is not a retry. */
    uint32_t retry;
    /* The wait that is about to begin. */
    uint32_t delay_ms;
    /* Since the call began, or since its last reset. */
    uint32_t elapsed_ms;
    /* The reason for the wait. Its kind is PENDING for a poll, and POSTPONED after redial_postponed
       or at a closed gate, with the time until it opens. All other kinds: a retry. */
    struct redial_outcome outcome;
};

/* The environment of a run: clock, waits and random bits. You may copy an env and replace hooks in
   the copy. Therefore a hook finds its data through `port` and `user`, not through the address of
   env. Hooks are called by the thread of the run, and may themselves call redial_run. Without an
   operating system, fill in now_ms, wait_ms and random yourself.

   To stop everything at shutdown, and to log each retry:

       static bool stopping(const struct redial_env *env)
       {
           return *(atomic_bool *)env->user;
       }

       struct redial_env env = *redial_system();
       env.cancelled = stopping;
       env.on_wait = log_wait;   // a function of yours
       env.user = &shutdown_requested;

   For a flag that a signal handler sets, use a volatile sig_atomic_t. Cancellation ends a wait of
   redial_system, but interrupts no attempt. With redial_next, stop your timer instead. */
struct redial_env {
    uint32_t (*now_ms)(const struct redial_env *env);
    /* Waits ms, which may be 0, and returns true; or returns false if it was cancelled. A hook of
       your own may return true early, for example when the network is back, and the next attempt
       is then made early. But it must not shorten a wait if on_wait has just got an outcome with a
       retry_after_ms above 0: a server or a gate asked for that wait. */
    bool (*wait_ms)(const struct redial_env *env, uint32_t ms);
    /* Returns 32 uniform bits. rand() is not enough: it has only 31 or even 15. A generator with a
       state of 32 bits is enough if each process and each device has a seed of its own. It is
       called once before each decision that may lead to a wait. */
    uint32_t (*random)(const struct redial_env *env);
    /* Belongs to the three hooks above. */
    void *port;
    /* Returns true to cancel the run. It is called before each attempt, after each outcome that is
       not final, and in the waits of redial_system. NULL: the run cannot be cancelled. */
    bool (*cancelled)(const struct redial_env *env);
    /* Called before each wait, but not when the run gives up. NULL: not called. */
    void (*on_wait)(const struct redial_env *env, const struct redial_event *event);
    /* Yours, for the hooks that you set or replace. */
    void *user;
};

/* The monotonic clock, waits that never end early, and random bits from the operating system for
   every draw (if it has none: see redial_build). Forked processes differ. errno is kept. A signal
   alone ends no wait. If `cancelled` is not NULL, a wait calls it after a signal and at least every
   50 ms. If the system refuses the clock (the time is then always 0) or the sleep, every wait fails
   at once, so that the call ends with CANCELLED. */
#ifndef REDIAL_NO_SYSTEM
REDIAL_API const struct redial_env *redial_system(void);
#endif

struct redial_attempt {
    /* 1 for the first attempt of the run. */
    uint32_t number;
    /* redial_timeout_ms, for the timeout of your request. Never 0. UINT32_MAX: no limit. Where a
       timeout is a long, as in libcurl, set attempt_ms, or pass at most INT32_MAX. */
    uint32_t timeout_ms;
    /* The env of the run: use its clock, and its wait, which can be cancelled. */
    const struct redial_env *env;
};

/* Makes one attempt. user is the same pointer every time, so an idempotency key belongs there. An
   operation that notices the cancellation by itself returns redial_retry, and `cancelled` then
   ends the run. */
typedef struct redial_outcome redial_operation(void *user, const struct redial_attempt *attempt);

/* Attempts the operation, decides by the rules of redial_next, waits, and attempts it again, until
   there is a verdict.

   Before each attempt, the first one included, it checks in this order:
    1. `cancelled` returns true: CANCELLED.
    2. No time is left of max_elapsed_ms: TIMED_OUT.
    3. The gate is closed: nothing is sent. The run decides and waits as if the operation had
       returned redial_postponed with the time until the gate opens, but counts no attempt, and
       leaves `last` as it was. Then it begins again with 1.

   After each outcome that is not final, also at a closed gate, it calls `cancelled` first. Only
   then does it draw random bits, take a token, and call on_wait. A final outcome is reported as it
   is, even if the run was cancelled meanwhile.

   It returns INVALID without an attempt if the policy is invalid or NULL, or if env, operation,
   now_ms, wait_ms or random is NULL. report may be NULL. It is up to date at all times, and its
   verdict is INVALID until the end. A longjmp, a C++ exception or the cancellation of the thread
   may leave the operation or a hook, and nothing leaks. */
REDIAL_API enum redial_verdict redial_run(const struct redial_policy *policy,
                                          const struct redial_env *env, redial_operation *operation,
                                          void *user, struct redial_report *report);

/* ---- redial_loop_begin: a loop of your own, without a callback ------------------------------- */

/* The state of one call. A copy is a call of its own: it continues from the same point, with the
   same policy, budget and gate. */
struct redial_call {
    /* NULL: the call was not begun. */
    const struct redial_policy *policy;
    uint32_t retries_, polls_, elapsed_ms_, last_ms_;
};

struct redial_step {
    enum redial_verdict verdict;
    /* RETRY: the wait before the next attempt. redial_next leaves it to you; the loop functions
       have already waited, and waits at the gate are not included. WAIT_TOO_LONG, TIMED_OUT,
       BUDGET_EMPTY: the wait that was refused, as in the report. All other verdicts: 0. */
    uint32_t delay_ms;
    /* RETRY from the loop functions: redial_timeout_ms for the attempt to make now, never 0. All
       others: 0. */
    uint32_t timeout_ms;
};

/* RETRY means: make an attempt now. Any other verdict ends the loop.

       struct redial_call call;
       struct redial_step step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_RETRY) {
           uint32_t retry_after_ms = 0;
           int status = my_request(url, step.timeout_ms, &retry_after_ms);
           step = redial_loop_next(&call, env,
                                   redial_http(status, retry_after_ms));
       }

   redial_loop_begin begins the call and waits while the gate is closed. redial_loop_next decides,
   calls on_wait, waits, and waits while the gate is closed. With the same outcomes they give the
   same verdicts, waits, events and timeouts as redial_run, and call `cancelled` as often. You may
   also start with redial_begin or redial_resume: then check redial_timeout_ms and the gate before
   the first attempt, as send_now does below, and use redial_loop_next after it.

   They return INVALID where redial_run does, and for a call that is NULL or was not begun. */
REDIAL_API struct redial_step redial_loop_begin(struct redial_call *call,
                                                const struct redial_policy *policy,
                                                const struct redial_env *env);
REDIAL_API struct redial_step redial_loop_next(struct redial_call *call,
                                               const struct redial_env *env,
                                               struct redial_outcome outcome);

/* ---- redial_next: step by step, for event loops, coroutines and bare metal ------------------- */

/* You wait in your own way: with a timer of your event loop, or with a comparison in a superloop.
   This needs neither an operating system nor a libc. On bare metal, compile policy.c, delay.c,
   outcome.c, http.c and call.c. Add retry_after.c for Retry-After, names.c for names, run.c for
   redial_run and the loop functions, and budget.c and gate.c for these. Without a gate, leave
   closed_ms out. examples/firmware/firmware.c has random bits.

       static void ended(struct request *r, struct redial_outcome outcome);
       static void send_now(struct request *r)   // first, and after a wait
       {
           uint32_t now_ms = my_clock_ms();
           uint32_t timeout_ms = redial_timeout_ms(&r->call, now_ms);
           uint32_t closed_ms = redial_gate_left_ms(&my_gate, now_ms);
           if (timeout_ms == 0)
               my_finish(r, REDIAL_TIMED_OUT);
           else if (closed_ms > 0)
               ended(r, redial_postponed(closed_ms));
           else
               my_send(r, timeout_ms);           // calls ended() at its end
       }
       static void ended(struct request *r, struct redial_outcome outcome)
       {
           struct redial_step step = redial_next(&r->call, outcome,
                                                 my_clock_ms(), my_random());
           if (step.verdict == REDIAL_RETRY)
               my_start_timer(r, step.delay_ms);     // calls send_now()
           else
               my_finish(r, step.verdict);
       }

   redial_begin starts a call, whose first attempt may be made at once. It returns false for a NULL
   call, and for a policy that is NULL or invalid. After a refused policy, redial_next returns
   INVALID, as it does for a zero-initialised call. */
REDIAL_API bool redial_begin(struct redial_call *call, const struct redial_policy *policy,
                             uint32_t now_ms);

/* Continues a call that was begun earlier, perhaps by another process. The call is then as if
   redial_begin had been followed by that many retries and that much time. The count of polls starts
   at 0. It returns false as redial_begin does. redial_run cannot continue it: use redial_loop_next
   or redial_next. To continue after a restart of the program:
   - Before each attempt, store redial_retries + 1 (a crash in the attempt is a failure), and
     redial_elapsed_ms.
   - Before each wait, store redial_retries, redial_elapsed_ms + delay_ms, and when the wait ends by
     the wall clock. In on_wait use the event: retry, and elapsed_ms + delay_ms.
   - After the restart, give up if the stored retries are more than max_retries. Otherwise wait for
     the rest of the stored wait (after a crash during an attempt: as long as you choose), call
     redial_resume, and make the attempt. To count time after that wait, add it to elapsed_ms. */
REDIAL_API bool redial_resume(struct redial_call *call, const struct redial_policy *policy,
                              uint32_t retries, uint32_t elapsed_ms, uint32_t now_ms);

/* The retries since the call began, or since its last reset or poll. */
REDIAL_API uint32_t redial_retries(const struct redial_call *call);
/* The time up to now_ms since the call began, or since its last reset. A poll is not a reset. */
REDIAL_API uint32_t redial_elapsed_ms(const struct redial_call *call, uint32_t now_ms);

/* The timeout of the attempt to make now: the smaller of attempt_ms and what is left of
   max_elapsed_ms. UINT32_MAX: neither is set. 0: make no attempt, because no time is left (the
   verdict is TIMED_OUT) or the call was not begun. Test for 0 before you pass it on: as libcurl's
   timeout, or as the max_elapsed_ms of another policy, 0 means "no limit". */
REDIAL_API uint32_t redial_timeout_ms(const struct redial_call *call, uint32_t now_ms);

/* The decision after an attempt, by these rules, in this order:

    1. The outcome is classified; see redial_classify. INVALID and FAIL end here (INVALID, FAILED).
    2. DONE: the budget earns one success. It ends here.
    3. The time up to now_ms is counted. Kind RETRY with an uptime_ms of at least min_uptime_ms, if
       that is set: the call is reset (retries, polls and elapsed time are 0), and the budget earns
       one success.
    4. PENDING: the budget earns one success, and the retries are 0 again.
    5. Kind RETRY, and max_retries are used up: EXHAUSTED.
    6. retry_after_ms is longer than max_retry_after_ms allows: WAIT_TOO_LONG.
    7. The wait is computed. n for kind RETRY: the retries so far. n for PENDING without a
       retry_after_ms: the earlier polls without one. n for all others: 0.
       Without a retry_after_ms: wait redial_random_delay_ms(policy, n, random).
       With one: wait at least that long, and at least w/2; then add a random time of 0 to
       max(jitter_ms, w). NONE adds nothing. w is min(base_ms * 2^n, cap_ms), and w/2 is rounded
       down. Example: a Retry-After of 2 s at the third retry (n = 2, w = 4 s) makes the default
       policy wait 2 to 6 s, in each mode but NONE, which waits 2 s.
    8. The wait would end at or after max_elapsed_ms: TIMED_OUT, at once.
    9. Kind RETRY, and the budget has no token: BUDGET_EMPTY.
   10. The verdict is RETRY: wait delay_ms, then make the attempt. An outcome of kind RETRY counts
       one retry, and a PENDING without a retry_after_ms one poll.

   random: 32 uniform bits, used in rule 7 only. After a refusal by rules 5, 6, 8 or 9 the call can
   still be used. To overrule it, wait as you like, make another attempt, and call redial_next or
   redial_loop_next. The refused retry is not counted, and costs no token. Limits stay as they are.

   To wait exactly as long as a Retry-After says, use the loop functions or redial_next with a copy
   of the policy. The copy keeps limits, budget and gate:

       struct redial_policy exactly = policy;
       exactly.base_ms = exactly.cap_ms = 1;
       exactly.jitter = REDIAL_JITTER_NONE;
       // ... and before each decision:
       call.policy = retry_after_ms ? &exactly : &policy;

   If max_retry_after_ms is 0 and cap_ms is longer than 5 minutes, also set
   exactly.max_retry_after_ms to policy.cap_ms. With this copy, a gate has no jitter either. */
REDIAL_API struct redial_step redial_next(struct redial_call *call, struct redial_outcome outcome,
                                          uint32_t now_ms, uint32_t random);

/* ---- redial_budget: limits the retries of all callers of a server ---------------------------- */

/* One per server, shared by all its callers, without a lock. A retry takes one token. A success
   earns percent/100 of a token, up to capacity. Without a token there is no retry. So at all times

       retries <= capacity + successes * percent / 100

   and a server that is down gets hardly more than the first attempts. A good capacity is the number
   of retries that you allow in a burst, for example as many as there are requests in a second.

   A budget is for requests, not for connections that must come back: even with REDIAL_NO_LIMIT an
   empty budget ends the call. A zero-initialised budget never grants a retry. */
struct redial_budget {
    bool (*take_)(struct redial_budget *budget);
    void (*earn_)(struct redial_budget *budget);
    /* Atomic: whole tokens, and hundredths of the next one. */
    uint32_t tokens_, cents_;
    uint32_t capacity_, earn_tokens_, earn_cents_;
};

/* Fills the budget. Call it once, before the budget is shared. Any capacity is allowed (0: no
   retries at all), and any percent. The usual 10 allows one retry for every ten successes. */
REDIAL_API void redial_budget_init(struct redial_budget *budget, uint32_t capacity,
                                   uint32_t percent);
/* Whole tokens left, at the moment of the call. */
REDIAL_API uint32_t redial_budget_tokens(const struct redial_budget *budget);

/* ---- redial_gate: makes all callers that share a quota wait ---------------------------------- */

/* One per quota (an account, an address), shared by the callers that it limits. While it is closed,
   redial_run and the loop functions send nothing, not even first attempts. They wait as after a
   redial_postponed, with a random part, so that callers do not come back at the same moment. Users
   of redial_next check redial_gate_left_ms.

   redial never closes a gate. You close it when an answer is valid for all callers: for example a
   429 for the quota of an account, but not a 503 of one server among many. If the gate opens in
   more than max_retry_after_ms, a call ends at once with WAIT_TOO_LONG. Set max_elapsed_ms as well.

   All callers of a gate must use the same clock. These are its promises and its limits:

   - A closing at the time s lasts until its end, s + ms, and then the gate is open. (An end may be
     1 ms later, because one value of the counter means "open".)
   - It lasts 24 days at most. For longer, close it for a day, and again before the day is over.
   - Of two closings the later end wins, in whatever order threads make them, if their readings of
     the clock are at most an hour apart.
   - A thread whose reading is up to an hour older than s waits for the same end. With an older
     reading it may pass. A check before the end changes nothing for others.
   - So if the clock of all callers is set back, a closed gate opens later by as much. To open it
     at once, call redial_gate_open. Readings of more than an hour before s may pass.
   - A check at the end or later opens the gate for good. That check writes, although it takes a
     const pointer: keep a gate out of read-only memory. Checks of an open gate write nothing
     (except with Microsoft's compiler), so threads share the cache line.
   - A gate that nobody checks for 2^31 ms (24.8 days) after its end may look closed by accident,
     each time the clock wraps, for at most its longest closing + 71 minutes.

   A zero-initialised gate holds nobody. */
struct redial_gate {
    uint32_t (*left_)(const struct redial_gate *gate, uint32_t now_ms);
    struct redial_gate *itself_;
    /* Atomic. */
    uint32_t end_ms_, longest_ms_;
};

/* Makes an open gate. Call it once, before the gate is shared. Do not move the gate afterwards. */
REDIAL_API void redial_gate_init(struct redial_gate *gate);
/* Closes the gate from now_ms for ms, or for 24 days (2073600000 ms) if ms is more; 0 does nothing.
   In an operation, now_ms is attempt->env->now_ms(attempt->env). */
REDIAL_API void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms);
/* Opens the gate at once. Callers that already wait finish their wait. */
REDIAL_API void redial_gate_open(struct redial_gate *gate);
/* The time until the gate opens. 0: it is open. */
REDIAL_API uint32_t redial_gate_left_ms(const struct redial_gate *gate, uint32_t now_ms);

/* ---- redial_headers_ms: HTTP, what may be retried and when ----------------------------------- */

/* 429 (RFC 6585, 4) and 500..599 (RFC 9110, 15.6). That includes 501, 505 and 511, which rarely
   succeed when they are retried: a service that uses them needs a `retryable` of your own. */
REDIAL_API bool redial_http_retryable(int status);

/* True if sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2): GET
   HEAD OPTIONS TRACE PUT DELETE. Methods are case-sensitive. NULL: false. */
REDIAL_API bool redial_http_idempotent(const char *method);

/* The wait that a response asks for by the values of its headers Retry-After and Date. NULL: it has
   no such header. A date in Retry-After is compared with Date, so that an error of your clock does
   not matter; without a valid Date it asks for nothing. (A two-digit year in one of them means the
   year nearest to the other.) For the forms see below. 0: no wait, or no valid value. */
REDIAL_API uint32_t redial_headers_ms(const char *retry_after, const char *date);

/* Parses the value of a Retry-After header (RFC 9110, 10.2.3): a number of seconds, or a date as
   below. Spaces and tabs around it are skipped. Some services send a fraction ("1.5"), against the
   RFC: it is accepted, and rounded up to the next millisecond. More than 4294967.295 s (49.7 days)
   is UINT32_MAX. A date in the past is 0. False: NULL or other text ("", "-1", "1.", ".5", "2, 3").
   now_s is used for a date only. It is the Unix time of the response: its Date header, or else the
   wall clock. If you have neither, pass INT64_MAX: then every date is in the past. */
REDIAL_API bool redial_parse_retry_after(const char *text, size_t length, int64_t now_s,
                                         uint32_t *retry_after_ms);

/* Parses the date of an HTTP header, in any of the three forms of RFC 9110, 5.6.7:
       Sun, 06 Nov 1994 08:49:37 GMT
       Sunday, 06-Nov-94 08:49:37 GMT
       Sun Nov  6 08:49:37 1994
   into seconds since 1970, UTC. Surrounding text is rejected, and so are NULL and a day that does
   not exist. A two-digit year means the latest year that is at most 50 years after now_s. The
   weekday need not match the date. A second of 60 counts as the next second. */
REDIAL_API bool redial_parse_http_date(const char *text, size_t length, int64_t now_s,
                                       int64_t *unix_s);

/* Converts whole seconds to milliseconds, for clients that report Retry-After in seconds (libcurl's
   CURLINFO_RETRY_AFTER). 0 and less give 0. */
REDIAL_API uint32_t redial_seconds_ms(int64_t seconds);

/* ---- redial_delay_ms: pure arithmetic, for a valid policy ------------------------------------ */

/* min(base_ms * 2^n + jitter_ms, cap_ms), exact for every n (0 for the first retry) and every
   jitter_ms. It does not use the policy's own jitter_ms or mode. */
REDIAL_API uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t n,
                                    uint32_t jitter_ms);

/* The wait by the policy's jitter mode. random: 32 uniform bits, drawn for this wait alone. 0 gives
   the shortest wait of the range, UINT32_MAX the longest. The probability of each wait differs by
   less than 2^-32 from that of a uniform choice. */
REDIAL_API uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t n,
                                           uint32_t random);

/* The longest sum of the backoff waits of a call without a reset: at most max_elapsed_ms - 1 if
   that is set, and UINT64_MAX for REDIAL_NO_LIMIT without max_elapsed_ms. The whole call can take
   longer. Attempts take up to (max_retries + 1) * attempt_ms, each Retry-After max_retry_after_ms
   and the random part of rule 7, and polls and gates come on top. Only max_elapsed_ms limits all of
   it; a reset begins it anew. The default policy with attempts of 10 s and without a Retry-After
   takes at most (2 + 3 + 5 + 9 + 17) s + 6 * 10 s = 96 s. */
REDIAL_API uint64_t redial_longest_waits_ms(const struct redial_policy *policy);

/* ---- redial_build: how to compile redial as a part of a program --------------------------------

   - Only a shared library exports these functions. To build or use one, define REDIAL_SHARED, and
     to build it also REDIAL_BUILD. The CMake target defines both.
   - The target `single` writes all of redial into two files, redial.h and redial.c. In one source
     file of yours, #define REDIAL_API static, and #include "redial.c" first. What you do not call
     costs nothing: redial_run adds 4.2 KB, and not 14.4 KB (x86-64, gcc -O2).
   - Systems without a port of redial have no redial_system, which the linker reports: make an env
     of your own. With -DREDIAL_NO_SYSTEM, redial.c leaves redial_system out on every system.
   - Where the system gives no random bits, redial_system mixes clocks, thread id and an address.
   - A budget or a gate needs a 32-bit compare-and-swap, which a Cortex-M0 lacks. Both are linked
     only if you call their init functions.
   - A program that is built with -fshort-enums needs a redial that is built so too. */

#ifdef __cplusplus
}
#endif

#endif
