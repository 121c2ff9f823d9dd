/* A budget and a gate in memory that forked processes share. SPDX-License-Identifier: MIT */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

#include "redial_fake.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

static struct shared {
    struct redial_budget budget;
    struct redial_gate gate;
} *shared;

static struct redial_outcome refused(void *user, const struct redial_attempt *attempt)
{
    return redial_http(503, 0);
}

/* It runs until the budget is empty, and closes the gate. It exits with the number of retries that it got. */
static pid_t start_child(void)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_report report;
    struct redial_fake fake;
    pid_t child = fork();
    if (child != 0)
        return child;
    redial_fake_init(&fake);
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.budget = &shared->budget;
    if (redial_run(&policy, &fake.env, refused, NULL, &report) != REDIAL_BUDGET_EMPTY)
        _exit(100);
    redial_gate_close(&shared->gate, 1000, 500);
    _exit((int)report.attempts - 1);
}

TEST(forked_processes_share_the_retries_of_a_budget_and_a_closed_gate)
{
    pid_t children[4];
    int status, retries = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    redial_budget_init(&shared->budget, 6, 0);
    redial_gate_init(&shared->gate);
    for (unsigned i = 0; i < LENGTH(children); i++)
        children[i] = start_child();
    for (unsigned i = 0; i < LENGTH(children); i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        retries += WEXITSTATUS(status);
    }
    assert_int_equal(retries, 6);
    assert_int_equal(redial_budget_tokens(&shared->budget), 0);
    assert_int_equal(redial_gate_left_ms(&shared->gate, 1100), 400);
    assert_int_equal(redial_gate_left_ms(&shared->gate, 1500), 0);
    munmap(shared, sizeof *shared);
}

int main(void)
{
    return run_all();
}
