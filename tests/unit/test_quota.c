/* What to do with a 429 that holds for all callers: the two steps of redial_gate's section in
   redial.h, with send_now and ended of redial_next's section, in virtual time. The server has a
   quota of 20 requests a second, and answers 429 beyond it. SPDX-License-Identifier: MIT */
#include "decision.h"

enum { MOST_CALLS = 1000, QUOTA = 20, ONE_WAY_MS = 20, TEN_DAYS_MS = 864000000 };

struct request {
    struct redial_call call;
    enum event { SEND_NOW, ARRIVE, ANSWERED, ENDED } next;
    uint32_t next_ms; /* when that happens */
    struct redial_outcome answer;
    unsigned sent;
    enum redial_verdict verdict;
};

struct scenario {
    unsigned calls;
    uint32_t apart_ms;       /* the calls begin so long after each other; 0: at once */
    unsigned burst;          /* so many requests the server takes at once */
    uint32_t retry_after_ms; /* of a 429 */
    unsigned tokens;         /* of a budget that earns 10 percent; 0: no budget */
    bool second_step, no_gate;
    bool only_once;          /* the first request gets a 429, and no other */
};

static const struct scenario *the;
static struct request requests[MOST_CALLS];
static struct redial_policy policy;
static struct redial_gate quota;
static uint64_t seed;
static uint32_t now_ms, longest_hold_ms;
static unsigned served, seen; /* requests with a 200, and all of them */

/* ---- the server ---- */

static struct redial_outcome serve(void)
{
    static uint32_t filled_ms;
    static unsigned left; /* thousandths of a request */
    left = seen++ == 0 ? the->burst * 1000 : left + (now_ms - filled_ms) * QUOTA;
    left = left < the->burst * 1000 ? left : the->burst * 1000;
    filled_ms = now_ms;
    if (the->only_once ? seen == 1 : left < 1000)
        return redial_http(429, the->retry_after_ms, "GET");
    left -= the->only_once ? 0 : 1000;
    served++;
    return redial_http(200, 0, "GET");
}

/* ---- the callers ---- */

static void then(struct request *r, enum event next, uint32_t ms)
{
    r->next = next;
    r->next_ms = now_ms + ms;
}

static void finish(struct request *r, enum redial_verdict verdict)
{
    then(r, ENDED, 0);
    r->verdict = verdict;
}

static void ended(struct request *r, struct redial_outcome outcome)
{
    struct redial_step step = redial_next(&r->call, now_ms, outcome, random32(&seed));
    if (step.verdict == REDIAL_RETRY)
        then(r, SEND_NOW, step.delay_ms);
    else
        finish(r, step.verdict);
}

static void send_now(struct request *r)
{
    uint32_t timeout_ms = redial_timeout_ms(&r->call, now_ms);
    uint32_t closed_ms = the->no_gate ? 0 : redial_gate_left_ms(&quota, now_ms);
    longest_hold_ms = closed_ms > longest_hold_ms ? closed_ms : longest_hold_ms;
    r->sent += timeout_ms > 0 && closed_ms == 0;
    if (timeout_ms == 0)
        finish(r, REDIAL_TIMED_OUT);
    else if (closed_ms > 0)
        ended(r, redial_postponed(closed_ms));
    else
        then(r, ARRIVE, ONE_WAY_MS);
}

static void answered(struct request *r)
{
    struct redial_outcome outcome = r->answer;
    int status = outcome.code;
    uint32_t retry_after_ms = outcome.retry_after_ms;
    uint32_t ms = retry_after_ms < 1000 ? 1000 : retry_after_ms;
    if (status == 429)
        redial_gate_close(&quota, now_ms, ms < 5000 ? ms : 5000);
    if (the->second_step && status == 429 && retry_after_ms > 0)
        outcome.kind = REDIAL_KIND_POSTPONED;
    ended(r, outcome);
}

/* ---- the world ---- */

static struct request *next_request(void)
{
    struct request *first = NULL;
    for (struct request *r = requests; r < requests + the->calls; r++)
        if (r->next != ENDED && (!first || r->next_ms < first->next_ms))
            first = r;
    return first;
}

static void play(const struct scenario *scenario, uint64_t some_seed)
{
    struct redial_budget budget;
    struct request *r;
    the = scenario;
    seed = some_seed;
    longest_hold_ms = served = seen = 0;
    quota = (struct redial_gate){ 0 };
    redial_budget_init(&budget, the->tokens, 10);
    policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    policy.max_elapsed_ms = the->second_step ? 60000 : 0;
    policy.budget = the->tokens ? &budget : NULL;
    for (unsigned i = 0; i < the->calls; i++) {
        requests[i] = (struct request){ .next = SEND_NOW, .next_ms = i * the->apart_ms };
        assert_true(redial_begin(&requests[i].call, &policy, requests[i].next_ms));
    }
    while ((r = next_request()) != NULL) {
        now_ms = r->next_ms;
        if (r->next == SEND_NOW) {
            send_now(r);
        } else if (r->next == ARRIVE) {
            r->answer = serve();
            then(r, ANSWERED, ONE_WAY_MS);
        } else {
            answered(r);
        }
    }
}

/* ---- what comes of it ---- */

/* Each row plays three times, with other random bits. A row whose most_served is less than its
   calls shows what is lost otherwise. */
TEST(with_a_gate_and_the_two_steps_a_quota_serves_all_with_few_requests)
{
    static const struct {
        const char *what;
        struct scenario scenario;
        unsigned least_served, most_served, most_seen;
    } rows[] = {
        { "both steps", { 50, 0, 20, 1000, 10, true, false, false }, 50, 50, 199 },
        { "both steps, and no burst", { 50, 0, 1, 1000, 10, true, false, false }, 50, 50, 199 },
        { "without the second step", { 50, 0, 20, 1000, 10, false, false, false }, 0, 35, 70 },
        { "the first step", { 1000, 0, 50, 1000, 0, false, false, false }, 990, 1000, 3499 },
        { "short hints", { 1000, 0, 50, 100, 0, false, false, false }, 990, 1000, 3499 },
        { "no hints", { 1000, 0, 50, 0, 0, false, false, false }, 990, 1000, 3499 },
        { "long hints", { 1000, 0, 50, 60000, 0, false, false, false }, 990, 1000, 3499 },
        { "no gate", { 1000, 0, 50, 1000, 0, false, true, false }, 0, 930, 6000 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (unsigned run = 1; run <= 3; run++) {
            play(&rows[i].scenario, run);
            if (served < rows[i].least_served || served > rows[i].most_served
                || seen > rows[i].most_seen)
                fail_msg("%s, seed %u: %u of %u were served, with %u requests", rows[i].what, run,
                         served, rows[i].scenario.calls, seen);
        }
}

TEST(an_endless_429_ends_after_max_retries_with_the_first_step)
{
    static const struct scenario endless = { 20, 0, 0, 1000, 0, false, false, false };
    play(&endless, 1);
    for (unsigned i = 0; i < endless.calls; i++) {
        assert_int_equal(requests[i].sent, 6);
        assert_int_equal(requests[i].verdict, REDIAL_EXHAUSTED);
    }
    assert_true(longest_hold_ms >= 1 && longest_hold_ms <= 1000);
}

TEST(a_retry_after_of_days_stops_nobody_else_for_long)
{
    static const struct scenario ten_days = { 20, 100, 0, TEN_DAYS_MS, 0, false, false, true };
    play(&ten_days, 1);
    assert_int_equal(requests[0].verdict, REDIAL_WAIT_TOO_LONG);
    for (unsigned i = 1; i < ten_days.calls; i++) {
        assert_int_equal(requests[i].verdict, REDIAL_DONE);
        assert_true(requests[i].next_ms - i * 100 <= 5000 + 1000 + 2 * ONE_WAY_MS);
    }
    assert_true(longest_hold_ms > 4000 && longest_hold_ms <= 5000);
}

int main(void)
{
    return run_all();
}
