/* The whole public interface: names, types, sizes, values. If one of them differs, this file does not compile or link.
   SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "support.h"

#define HAS_TYPE(expression, type) _Generic((expression), type: 1, default: 0)
#define MEMBER(container, member, type) \
    _Static_assert(HAS_TYPE(((struct container *)0)->member, type), #container "." #member " is no " #type)
#define VALUE(name, value) _Static_assert(name == (value), #name " is not " #value)

/* ---- values ---- */

VALUE(REDIAL_VERSION_MAJOR, 0);
VALUE(REDIAL_VERSION_MINOR, 3);
VALUE(REDIAL_JITTER_MAX_MS, 1000u);
VALUE(REDIAL_NO_LIMIT, UINT32_MAX);
VALUE(REDIAL_FAKE_WAITS, 64);

VALUE(REDIAL_JITTER_ADDED, 0);
VALUE(REDIAL_JITTER_SPREAD, 1);
VALUE(REDIAL_JITTER_EQUAL, 2);
VALUE(REDIAL_JITTER_FULL, 3);
VALUE(REDIAL_JITTER_NONE, 4);

VALUE(REDIAL_POLICY_OK, 0);
VALUE(REDIAL_POLICY_BASE_ZERO, 1);
VALUE(REDIAL_POLICY_CAP_BELOW_BASE, 2);
VALUE(REDIAL_POLICY_JITTER_TOO_LONG, 3);
VALUE(REDIAL_POLICY_JITTER_UNKNOWN, 4);
VALUE(REDIAL_POLICY_JITTER_ZERO, 5);
VALUE(REDIAL_POLICY_NULL, 6);

VALUE(REDIAL_KIND_INVALID, 0);
VALUE(REDIAL_KIND_DONE, 16);
VALUE(REDIAL_KIND_FAIL, 17);
VALUE(REDIAL_KIND_HTTP, 18);
VALUE(REDIAL_KIND_RETRY, 19);
VALUE(REDIAL_KIND_PENDING, 20);
VALUE(REDIAL_KIND_POSTPONED, 21);

VALUE(REDIAL_DONE, 0);
VALUE(REDIAL_RETRY, 1);
VALUE(REDIAL_FAILED, 2);
VALUE(REDIAL_EXHAUSTED, 3);
VALUE(REDIAL_TIMED_OUT, 4);
VALUE(REDIAL_WAIT_TOO_LONG, 5);
VALUE(REDIAL_BUDGET_EMPTY, 6);
VALUE(REDIAL_CANCELLED, 7);
VALUE(REDIAL_INVALID, 8);

/* ---- structs ---- */

typedef bool asks_status(const void *user, int http_status);
typedef uint32_t gives_number(const struct redial_env *env);
typedef bool waits(const struct redial_env *env, uint32_t ms);
typedef bool asks(const struct redial_env *env);
typedef void listens(const struct redial_env *env, const struct redial_event *event);

MEMBER(redial_policy, base_ms, uint32_t);
MEMBER(redial_policy, cap_ms, uint32_t);
MEMBER(redial_policy, jitter_ms, uint32_t);
MEMBER(redial_policy, max_retries, uint32_t);
MEMBER(redial_policy, max_elapsed_ms, uint32_t);
MEMBER(redial_policy, max_retry_after_ms, uint32_t);
MEMBER(redial_policy, attempt_ms, uint32_t);
MEMBER(redial_policy, min_uptime_ms, uint32_t);
MEMBER(redial_policy, jitter, enum redial_jitter);
MEMBER(redial_policy, retryable, asks_status *);
MEMBER(redial_policy, user, const void *);
MEMBER(redial_policy, budget, struct redial_budget *);
MEMBER(redial_policy, gate, struct redial_gate *);

MEMBER(redial_outcome, kind, enum redial_kind);
MEMBER(redial_outcome, code, int);
MEMBER(redial_outcome, retry_after_ms, uint32_t);
MEMBER(redial_outcome, uptime_ms, uint32_t);

MEMBER(redial_call, policy, const struct redial_policy *);

MEMBER(redial_step, verdict, enum redial_verdict);
MEMBER(redial_step, delay_ms, uint32_t);
MEMBER(redial_step, timeout_ms, uint32_t);

MEMBER(redial_event, retry, uint32_t);
MEMBER(redial_event, delay_ms, uint32_t);
MEMBER(redial_event, elapsed_ms, uint32_t);
MEMBER(redial_event, outcome, struct redial_outcome);

MEMBER(redial_env, now_ms, gives_number *);
MEMBER(redial_env, wait_ms, waits *);
MEMBER(redial_env, random, gives_number *);
MEMBER(redial_env, port, void *);
MEMBER(redial_env, cancelled, asks *);
MEMBER(redial_env, on_wait, listens *);
MEMBER(redial_env, user, void *);

MEMBER(redial_attempt, number, uint32_t);
MEMBER(redial_attempt, timeout_ms, uint32_t);
MEMBER(redial_attempt, env, const struct redial_env *);

MEMBER(redial_report, verdict, enum redial_verdict);
MEMBER(redial_report, last, struct redial_outcome);
MEMBER(redial_report, attempts, uint32_t);
MEMBER(redial_report, elapsed_ms, uint32_t);
MEMBER(redial_report, waited_ms, uint32_t);
MEMBER(redial_report, refused_wait_ms, uint32_t);

MEMBER(redial_fake, env, struct redial_env);
MEMBER(redial_fake, now_ms, uint32_t);
MEMBER(redial_fake, random, uint32_t);
MEMBER(redial_fake, waits, uint32_t);
MEMBER(redial_fake, waited_ms[0], uint32_t);
MEMBER(redial_fake, cancel_at_wait, uint32_t);
_Static_assert(sizeof ((struct redial_fake *)0)->waited_ms == REDIAL_FAKE_WAITS * sizeof(uint32_t), "waited_ms");

_Static_assert(sizeof(struct redial_call) <= (sizeof(void *) > 4 ? 32 : 24), "a call is small");
#if defined(__x86_64__) && !defined(__ILP32__)
_Static_assert(sizeof(struct redial_call) == 24, "a call has 24 bytes on x86-64");
#endif

/* ---- functions ---- */

#define FUNCTIONS(F) \
    F(redial_policy_default, struct redial_policy (*)(void)) \
    F(redial_policy_check, enum redial_policy_error (*)(const struct redial_policy *)) \
    F(redial_policy_error_text, const char *(*)(unsigned)) \
    F(redial_http, struct redial_outcome (*)(int, uint32_t)) \
    F(redial_http_request, struct redial_outcome (*)(const char *, int, uint32_t)) \
    F(redial_done, struct redial_outcome (*)(void)) \
    F(redial_retry, struct redial_outcome (*)(int)) \
    F(redial_retry_after, struct redial_outcome (*)(int, uint32_t)) \
    F(redial_disconnected, struct redial_outcome (*)(int, uint32_t)) \
    F(redial_fail, struct redial_outcome (*)(int)) \
    F(redial_pending, struct redial_outcome (*)(uint32_t)) \
    F(redial_postponed, struct redial_outcome (*)(uint32_t)) \
    F(redial_errno, struct redial_outcome (*)(int)) \
    F(redial_classify, enum redial_kind (*)(const struct redial_policy *, struct redial_outcome)) \
    F(redial_verdict_name, const char *(*)(unsigned)) \
    F(redial_system, const struct redial_env *(*)(void)) \
    F(redial_run, enum redial_verdict (*)(const struct redial_policy *, const struct redial_env *, redial_operation *, \
                                          void *, struct redial_report *)) \
    F(redial_loop_begin, struct redial_step (*)(struct redial_call *, const struct redial_policy *, \
                                                const struct redial_env *)) \
    F(redial_loop_next, struct redial_step (*)(struct redial_call *, const struct redial_env *, \
                                               struct redial_outcome)) \
    F(redial_begin, bool (*)(struct redial_call *, const struct redial_policy *, uint32_t)) \
    F(redial_resume, bool (*)(struct redial_call *, const struct redial_policy *, uint32_t, uint32_t, uint32_t)) \
    F(redial_retries, uint32_t (*)(const struct redial_call *)) \
    F(redial_elapsed_ms, uint32_t (*)(const struct redial_call *, uint32_t)) \
    F(redial_timeout_ms, uint32_t (*)(const struct redial_call *, uint32_t)) \
    F(redial_next, struct redial_step (*)(struct redial_call *, struct redial_outcome, uint32_t, uint32_t)) \
    F(redial_budget_init, void (*)(struct redial_budget *, uint32_t, uint32_t)) \
    F(redial_budget_tokens, uint32_t (*)(const struct redial_budget *)) \
    F(redial_gate_init, void (*)(struct redial_gate *)) \
    F(redial_gate_close, void (*)(struct redial_gate *, uint32_t, uint32_t)) \
    F(redial_gate_open, void (*)(struct redial_gate *)) \
    F(redial_gate_left_ms, uint32_t (*)(const struct redial_gate *, uint32_t)) \
    F(redial_http_retryable, bool (*)(int)) \
    F(redial_http_idempotent, bool (*)(const char *)) \
    F(redial_parse_retry_after, bool (*)(const char *, size_t, int64_t, uint32_t *)) \
    F(redial_parse_http_date, bool (*)(const char *, size_t, int64_t, int64_t *)) \
    F(redial_seconds_ms, uint32_t (*)(int64_t)) \
    F(redial_delay_ms, uint32_t (*)(const struct redial_policy *, uint32_t, uint32_t)) \
    F(redial_random_delay_ms, uint32_t (*)(const struct redial_policy *, uint32_t, uint32_t)) \
    F(redial_longest_waits_ms, uint64_t (*)(const struct redial_policy *)) \
    F(redial_fake_init, void (*)(struct redial_fake *))

#define CHECK_TYPE(function, type) _Static_assert(HAS_TYPE(&function, type), #function " is no " #type);
FUNCTIONS(CHECK_TYPE)
_Static_assert(HAS_TYPE((redial_operation *)0, struct redial_outcome (*)(void *, const struct redial_attempt *)),
               "redial_operation");

typedef void any_function(void);

TEST(every_function_is_there)
{
#define ADDRESS(function, type) (any_function *)&function,
    any_function *const functions[] = { FUNCTIONS(ADDRESS) };
    for (size_t i = 0; i < LENGTH(functions); i++)
        assert_true(functions[i] != NULL);
}

TEST(the_default_policy_is_an_initialiser_for_static_data)
{
    static const struct redial_policy policies[] = { REDIAL_POLICY_DEFAULT, REDIAL_POLICY_DEFAULT };
    assert_int_equal(policies[1].base_ms, 1000);
}

int main(void)
{
    return run_all();
}
