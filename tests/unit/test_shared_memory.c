/* A budget and a gate in memory that forked processes share. SPDX-License-Identifier: MIT */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

#include "redial_fake.h"

#define CHILDREN 4u
#define CAPACITY 6u

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

static struct shared {
    struct redial_budget budget;
    struct redial_gate gate;
} *shared;

static int map(void **state)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return -1;
    redial_budget_init(&shared->budget, CAPACITY, 0);
    redial_gate_init(&shared->gate);
    return 0;
}

static int unmap(void **state)
{
    return munmap(shared, sizeof *shared);
}

static struct redial_outcome refused(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(503, 0);
}

/* Runs until the budget is empty, and returns how many retries it got. */
static int retries_of_a_run(void)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_report report;
    struct redial_fake fake;
    redial_fake_init(&fake);
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.budget = &shared->budget;
    if (redial_run(&policy, &fake.env, refused, NULL, &report) != REDIAL_BUDGET_EMPTY)
        return 100;
    return (int)report.attempts - 1;
}

static int exit_status_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(forked_processes_together_get_no_more_retries_than_their_budget_has)
{
    pid_t children[CHILDREN];
    unsigned i, retries = 0;
    for (i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(retries_of_a_run());
    }
    for (i = 0; i < CHILDREN; i++)
        retries += (unsigned)exit_status_of(children[i]);
    assert_int_equal(retries, CAPACITY);
    assert_int_equal(redial_budget_tokens(&shared->budget), 0);
}

TEST(a_gate_that_a_child_closes_holds_its_parent)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redial_gate_close(&shared->gate, 1000, 500);
        _exit(0);
    }
    assert_int_equal(exit_status_of(child), 0);
    assert_int_equal(redial_gate_left_ms(&shared->gate, 1100), 400);
    assert_int_equal(redial_gate_left_ms(&shared->gate, 1500), 0);
}

int main(void)
{
    return run_all_with(map, unmap, NULL, NULL);
}
