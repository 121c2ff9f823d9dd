/* examples/outbox/worker.c in this process, with a clock of the test: cases that hardly ever happen in the program.
   SPDX-License-Identifier: MIT */
#include <curl/curl.h>

#include "../../examples/outbox/worker.h"
#include "outbox_fixture.h"

static uint32_t clock_now_ms, clock_step_ms;

/* The clock advances with each reading. */
static uint32_t stepping_clock(const struct redial_env *env)
{
    (void)env;
    clock_now_ms += clock_step_ms;
    return clock_now_ms;
}

static int run_worker(uint32_t step_ms)
{
    struct worker worker;
    memset(&worker, 0, sizeof worker);
    clock_step_ms = step_ms;
    worker.store = store;
    worker.policy = redial_policy_default();
    worker.policy.jitter = REDIAL_JITTER_NONE;
    worker.policy.attempt_ms = 60000;
    worker.lease_ms = LEASE_MS;
    worker.until = WORKER_IDLE;
    worker.env = *redial_system();
    worker.env.now_ms = stepping_clock;
    return worker_run(&worker);
}

/* Between the beginning of the transaction and the attempt, the clock is read twice. */
TEST(a_lease_that_is_nearly_over_after_the_commit_is_not_used)
{
    int64_t id = add(0, "/ok");
    assert_int_equal(run_worker(LEASE_MS - 60000), 0);
    assert_int_equal(receiver_count(&receiver, NULL), 0);
    assert_string_equal(STATE(id), "waiting");
    assert_string_equal(ANSWER(id), "not sent: the store was too slow");
    assert_int_equal(RETRIES(id), 0);
    travel_until_due(id);
    assert_int_equal(run_worker(LEASE_MS - 60001), 0);
    assert_string_equal(STATE(id), "delivered");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

TEST(an_order_and_its_job_are_kept_in_one_transaction_or_not_at_all)
{
    static char url[] = "http://127.0.0.1/", body[] = "{}";
    struct job job = { .url = url, .host = "127.0.0.1", .body = body, .length = 2, .key = "k" };
    require(db_begin(&db) && store_add(&db, &job));
    db_rollback(&db);
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
    require(db_begin(&db) && store_add(&db, &job) && db_commit(&db));
    assert_string_equal(STATE(job.id), "waiting");
}

int main(int argc, char **argv)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return run_on_store(argc, argv);
}
