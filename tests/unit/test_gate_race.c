/* src/gate.c among three threads: every order in which their accesses to the gate may follow each other. Real threads
   meet these orders by chance; here each of them occurs on every machine. SPDX-License-Identifier: MIT

   A thread makes one step: its operation runs from its beginning, is given what its earlier accesses found, makes one
   more access, and is left before the next one. So a state of all threads is plain data, and each state is entered
   once. At the end of every order, what the looks said must be what they could have said one after another. */
#define REDIAL_API       /* what is tested is compiled into the test, never imported from a DLL */
#define REDIAL_ATOMIC_H
#include "support.h"

enum { THREADS = 3, OPERATIONS = 2, MOST_ACCESSES = 20, MOST_STATES = 1 << 16 };

struct thread {
    uint32_t done;   /* operations */
    uint32_t accesses, found[MOST_ACCESSES];   /* of the operation under way */
    uint32_t earlier[OPERATIONS];   /* what had returned when each one began: a bit for each operation of all threads */
    uint32_t left_ms[OPERATIONS];   /* what each look said */
};

/* Of uint32_t alone, so that two states may be compared byte by byte. */
struct state {
    uint32_t end_ms, start_ms, longest_ms;
    uint32_t returned;
    struct thread threads[THREADS];
};

/* ---- one access ---- */

static struct redial_gate shared;
static struct thread *running;   /* NULL: nobody interrupts */
static uint32_t replayed;        /* accesses of the running thread */
static bool stepped;
static jmp_buf leave;
static unsigned writes;          /* stores and swaps, including failed ones */

/* *value is what the word is, or was when the access was made. True: it is to be made now. */
static bool is_due(uint32_t *value)
{
    bool due = !running || replayed == running->accesses;
    if (!running)
        return true;
    if (due && stepped)
        longjmp(leave, 1);
    if (due) {
        assert_true(running->accesses < MOST_ACCESSES);
        running->found[running->accesses++] = *value;
        stepped = true;
    }
    *value = running->found[replayed++];
    return due;
}

static uint32_t redial_load(const uint32_t *word)
{
    uint32_t found = *word;
    is_due(&found);
    return found;
}

static void redial_store(uint32_t *word, uint32_t value)
{
    uint32_t unread = 0;
    if (is_due(&unread))
        *word = value;
    writes++;
}

static bool redial_swap(uint32_t *word, uint32_t *expected, uint32_t value)
{
    uint32_t found = *word;
    bool due = is_due(&found), swapped = found == *expected;
    if (due && swapped)
        *word = value;
    *expected = found;
    writes++;
    return swapped;
}

#include "../../src/gate.c"

/* ---- the scenarios ---- */

struct operation {
    enum { NOTHING, CLOSE, OPEN, LOOK } what;
    uint32_t now_ms, ms;   /* now_ms: after base_ms */
};

#define CLOSE(now_ms, ms) { CLOSE, now_ms, ms }
#define LOOK(now_ms)      { LOOK, now_ms, 0 }
#define OPEN              { OPEN, 0, 0 }
#define CLOSED_BEFORE     { CLOSE(0, 5) }   /* and nobody has looked since */
#define NEW               { { NOTHING, 0, 0 } }

/* No look reads an older time than the closing of an open gate: it could pass. */
static const struct scenario {
    struct operation before[OPERATIONS], threads[THREADS][OPERATIONS];
    uint32_t last_look_ms;
} scenarios[] = {
    { CLOSED_BEFORE, { { LOOK(10) }, { LOOK(10) }, { CLOSE(10, 5) } }, 10 },
    { CLOSED_BEFORE, { { LOOK(10) }, { CLOSE(10, 5) }, { CLOSE(10, 7) } }, 10 },
    { CLOSED_BEFORE, { { LOOK(10), LOOK(10) }, { LOOK(10) }, { CLOSE(10, 5) } }, 10 },
    { CLOSED_BEFORE, { { LOOK(6) }, { OPEN }, { CLOSE(6, 5), LOOK(7) } }, 7 },
    { CLOSED_BEFORE, { { LOOK(6), LOOK(6) }, { OPEN, LOOK(6) }, { CLOSE(6, 5) } }, 6 },
    { CLOSED_BEFORE, { { CLOSE(6, 5), OPEN }, { LOOK(6) }, { LOOK(6) } }, 6 },
    { CLOSED_BEFORE, { { CLOSE(6, 5) }, { CLOSE(7, 9) }, { OPEN } }, 7 },
    { CLOSED_BEFORE, { { CLOSE(6, 5) }, { CLOSE(7, 9) }, { CLOSE(5, 30) } }, 7 },
    { CLOSED_BEFORE, { { CLOSE(2, 9), OPEN }, { CLOSE(3, 9) }, { LOOK(4) } }, 4 },
    { CLOSED_BEFORE, { { CLOSE(2, 9) }, { OPEN, CLOSE(3, 1) }, { LOOK(4) } }, 4 },
    { { CLOSE(0, 5), OPEN }, { { CLOSE(7, 5), OPEN }, { CLOSE(8, 5) }, { LOOK(8) } }, 9 },
    { { CLOSE(0, 5), CLOSE(4, 5) }, { { CLOSE(7, 5), LOOK(7) }, { CLOSE(8, 5) }, { LOOK(8) } }, 9 },
    { { CLOSE(0, 5), LOOK(6) }, { { CLOSE(7, 5), LOOK(8) }, { CLOSE(8, 5) }, { LOOK(8) } }, 9 },
    { NEW, { { CLOSE(6, 5) }, { CLOSE(5, 1) }, { LOOK(6) } }, 6 },
    { NEW, { { CLOSE(0, 5) }, { LOOK(0) }, { LOOK(1) } }, 1 },
};

#undef CLOSE
#undef LOOK
#undef OPEN

static const struct scenario *scenario;
static uint32_t base_ms, last_left_ms;

static uint32_t perform(const struct operation *operation)
{
    uint32_t now_ms = (uint32_t)(((uint64_t)base_ms + operation->now_ms) & UINT32_MAX);
    if (operation->what == CLOSE)
        redial_gate_close(&shared, now_ms, operation->ms);
    else if (operation->what == OPEN)
        redial_gate_open(&shared);
    else if (operation->what == LOOK)
        return redial_gate_left_ms(&shared, now_ms);
    return 0;
}

/* ---- what the looks could have said one after another ---- */

struct expected {
    uint32_t end_ms, longest_ms;   /* end_ms: after base_ms; 0: open */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* True: the operation could have said left_ms now. */
static bool follows(struct expected *expected, const struct operation *operation, uint32_t left_ms)
{
    uint32_t end_ms = operation->now_ms + operation->ms;
    if (operation->what == CLOSE && expected->end_ms < end_ms)
        expected->end_ms = end_ms;
    if (operation->what == CLOSE && expected->longest_ms < operation->ms)
        expected->longest_ms = operation->ms;
    if (operation->what == OPEN)
        expected->end_ms = 0;
    if (operation->what != LOOK)
        return true;
    return left_ms == (expected->end_ms > operation->now_ms
                       ? smaller(expected->end_ms - operation->now_ms, expected->longest_ms) : 0);
}

/* An operation that had returned before another one began comes before it. */
static bool is_explained(const struct state *state, uint32_t placed, struct expected expected)
{
    const struct operation last = { LOOK, scenario->last_look_ms, 0 };
    uint32_t t, i;
    if (placed == state->returned)
        return follows(&expected, &last, last_left_ms);
    for (t = 0; t < THREADS; t++)
        for (i = 0; i < state->threads[t].done; i++) {
            uint32_t bit = UINT32_C(1) << (t * OPERATIONS + i);
            struct expected next = expected;
            if (!(placed & bit) && !(state->threads[t].earlier[i] & ~placed)
                && follows(&next, &scenario->threads[t][i], state->threads[t].left_ms[i])
                && is_explained(state, placed | bit, next))
                return true;
        }
    return false;
}

/* ---- every order ---- */

static struct state states[MOST_STATES];
static uint32_t state_count, places[MOST_STATES * 2];   /* by hash: 1 + the number of a state */

static bool is_known(const struct state *state)
{
    const unsigned char *byte = (const unsigned char *)state;
    uint64_t hash = 1;
    size_t i;
    for (i = 0; i < sizeof *state; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3) & UINT64_C(0xffffffffffff);
    for (i = (size_t)(hash >> 20) % LENGTH(places); places[i]; i = (i + 1) % LENGTH(places))
        if (memcmp(&states[places[i] - 1], state, sizeof *state) == 0)
            return true;
    assert_true(state_count < MOST_STATES);
    states[state_count++] = *state;
    places[i] = state_count;
    return false;
}

static void load_gate(const struct state *state)
{
    shared.end_ms_ = state->end_ms;
    shared.start_ms_ = state->start_ms;
    shared.longest_ms_ = state->longest_ms;
}

static void save_gate(struct state *state)
{
    state->end_ms = shared.end_ms_;
    state->start_ms = shared.start_ms_;
    state->longest_ms = shared.longest_ms_;
}

static void step(struct state *state, uint32_t t)
{
    running = &state->threads[t];
    if (running->accesses == 0)
        running->earlier[running->done] = state->returned;
    replayed = 0;
    stepped = false;
    load_gate(state);
    if (setjmp(leave) == 0) {
        running->left_ms[running->done] = perform(&scenario->threads[t][running->done]);
        state->returned |= UINT32_C(1) << (t * OPERATIONS + running->done);
        running->done++;
        running->accesses = 0;
        memset(running->found, 0, sizeof running->found);
    }
    running = NULL;
    save_gate(state);
}

static bool has_ended(const struct state *state, uint32_t t)
{
    uint32_t done = state->threads[t].done;
    return done == OPERATIONS || scenario->threads[t][done].what == NOTHING;
}

static void check_end(const struct state *state)
{
    const struct operation last = { LOOK, scenario->last_look_ms, 0 };
    struct expected expected = { 0, 0 };
    uint32_t i;
    load_gate(state);
    last_left_ms = perform(&last);
    for (i = 0; i < OPERATIONS; i++)
        if (scenario->before[i].what != LOOK)
            follows(&expected, &scenario->before[i], 0);
    if (!is_explained(state, 0, expected))
        fail_msg("scenario %d: at last, %lu ms are left", (int)(scenario - scenarios), (unsigned long)last_left_ms);
}

static void explore(const struct state *state)
{
    bool ended = true;
    uint32_t t;
    if (is_known(state))
        return;
    for (t = 0; t < THREADS; t++)
        if (!has_ended(state, t)) {
            struct state next = *state;
            ended = false;
            step(&next, t);
            explore(&next);
        }
    if (ended)
        check_end(state);
}

static void explore_from(uint32_t clock_ms)
{
    static struct state first;
    size_t s, i;
    base_ms = clock_ms;
    for (s = 0; s < LENGTH(scenarios); s++) {
        scenario = &scenarios[s];
        poison(&shared, sizeof shared);
        redial_gate_init(&shared);
        for (i = 0; i < OPERATIONS; i++)
            perform(&scenario->before[i]);
        memset(places, 0, sizeof places);
        state_count = 0;
        save_gate(&first);
        explore(&first);
    }
}

/* ---- tests ---- */

TEST(whatever_three_threads_do_a_gate_answers_as_if_one_did_it_after_another)
{
    explore_from(1000);
    explore_from(UINT32_MAX - 6);   /* the clock wraps on the way */
}

/* Otherwise the threads that look would pass one cache line around. */
TEST(a_look_writes_only_when_the_end_has_passed)
{
    poison(&shared, sizeof shared);
    redial_gate_init(&shared);
    redial_gate_close(&shared, 0, 20);
    writes = 0;
    assert_int_equal(redial_gate_left_ms(&shared, 10), 10);
    assert_int_equal(writes, 0);
    assert_int_equal(redial_gate_left_ms(&shared, 20), 0);
    assert_true(writes > 0);
    writes = 0;
    assert_int_equal(redial_gate_left_ms(&shared, 20), 0);
    assert_int_equal(writes, 0);
}

int main(void)
{
    return run_all();
}
