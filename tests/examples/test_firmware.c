/* examples/firmware/firmware.c on the host. This file is its board, with a tick that a test
   advances. SPDX-License-Identifier: MIT

   The tick moves between two passes alone, so a pass that waited for anything would hang here. */
#include "../common/support.h"
#include "../../examples/firmware/firmware.h"

enum { ENTRIES = 64, LAST_PASS_MS = 80000, ANSWERS_AFTER_MS = 20 };

struct entry {
    uint32_t at_ms;      /* since the start */
    char what[16];
    uint32_t number;
};

static struct board {
    uint32_t start_ms, at_ms, seed, measured, requests, sent_at_ms, lamp_changes;
    bool lamp, under_way;
    struct answer first, others;    /* to the attempts; status -1: none comes */
    struct entry log[ENTRIES];
    unsigned entries;
} board;

uint32_t board_tick_ms(void)
{
    return board.start_ms + board.at_ms;
}

uint32_t board_seed(void)
{
    return board.seed;
}

uint32_t board_measure(void)
{
    return ++board.measured;
}

void board_say(const char *what, uint32_t number)
{
    struct entry *entry = &board.log[board.entries++];
    assert_true(board.entries <= ENTRIES);
    entry->at_ms = board.at_ms;
    entry->number = number;
    strncpy(entry->what, what, sizeof entry->what - 1);
}

void board_send(uint32_t reading)
{
    assert_false(board.under_way);
    board_say("send", reading);
    board.under_way = true;
    board.sent_at_ms = board.at_ms;
    board.requests++;
}

bool board_answer(struct answer *answer)
{
    const struct answer *next = board.requests == 1 ? &board.first : &board.others;
    assert_true(board.under_way);
    if (next->status < 0 || board.at_ms - board.sent_at_ms < ANSWERS_AFTER_MS)
        return false;
    *answer = *next;
    board.under_way = false;
    return true;
}

void board_hang_up(void)
{
    assert_true(board.under_way);
    board.under_way = false;
}

void board_lamp(bool on)
{
    board.lamp_changes += on != board.lamp;
    board.lamp = on;
}

/* A new board. Its tick wraps on the way: after 5 s if the seed is 1, and up to 50 s later with
   others. */
static void set_up(uint32_t seed, int first, int others)
{
    board = (struct board){ .seed = seed, .start_ms = UINT32_MAX - (seed % 100 + 9) * 512 + 1,
                            .first = { .status = first }, .others = { .status = others } };
    firmware_setup();
}

/* The entry of this name with this index, counted from 0. The test fails if there is none. */
static const struct entry *said(const char *what, unsigned index)
{
    const struct entry *entry = board.log;
    while (strcmp(entry->what, what) != 0 || index-- > 0)
        assert_true(++entry < board.log + board.entries);
    return entry;
}

/* Runs until the first reading has its verdict, and returns the entry with it. */
static const struct entry *run(void)
{
    for (; board.measured < 2 && board.at_ms < LAST_PASS_MS; board.at_ms++)
        firmware_pass();
    return said("reading", 1) - 1;
}

TEST(waits_double_in_an_outage_and_the_last_retry_gives_it_up)
{
    static const uint32_t least[] = { 500, 1000, 2000, 4000, 4000, 4000 };
    set_up(1, 503, 503);
    assert_string_equal(run()->what, "exhausted");
    assert_int_equal(said("exhausted", 0)->number, 7);
    for (unsigned i = 0; i < LENGTH(least); i++) {
        uint32_t wait = said("send", i + 1)->at_ms - said("status", i)->at_ms;
        assert_in_range(wait, least[i], 2 * least[i]);
        assert_int_equal(said("wait", i)->number, wait);
    }
}

TEST(a_silent_modem_is_hung_up_the_lamp_blinks_on_and_the_next_reading_comes_on_time)
{
    set_up(1, -1, 200);
    assert_string_equal(run()->what, "done");
    assert_int_equal(said("status", 0)->number, 0);
    assert_int_equal(said("status", 0)->at_ms, said("send", 0)->at_ms + 5000);
    assert_int_equal(said("done", 0)->at_ms, said("send", 1)->at_ms + ANSWERS_AFTER_MS);
    assert_int_equal(said("send", 2)->at_ms, said("done", 0)->at_ms + 6000);
    assert_int_equal(said("send", 2)->number, 2);
    assert_int_equal(board.lamp_changes, (board.at_ms - 1) / 256);
}

/* The loop is away for 50 s after "reading" and "send", or after "status" and "wait", too. */
TEST(a_loop_that_comes_back_too_late_sends_nothing_more)
{
    for (unsigned entries = 2; entries <= 4; entries += 2) {
        set_up(1, 503, 503);
        for (; board.entries < entries; board.at_ms++)
            firmware_pass();
        board.at_ms += 50000;
        assert_string_equal(run()->what, "timed_out");
        assert_int_equal(said("timed_out", 0)->number, 1);
    }
}

TEST(a_retry_after_in_seconds_counts_up_to_the_limit_and_a_date_does_not_count)
{
    static const struct {
        int status;
        const char *retry_after, *verdict;
        uint32_t attempts, least_ms, most_ms;
    } rows[] = {
        { 429, "7", "done", 2, 7000, 7500 }, { 503, "31", "wait_too_long", 1, 0, 0 },
        { 429, "Fri, 31 Dec 9999 23:59:59 GMT", "done", 2, 500, 1000 },
        { 404, "", "failed", 1, 0, 0 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        set_up(1, rows[i].status, 200);
        strcpy(board.first.retry_after, rows[i].retry_after);
        assert_string_equal(run()->what, rows[i].verdict);
        assert_int_equal(said(rows[i].verdict, 0)->number, rows[i].attempts);
        if (rows[i].attempts > 1)
            assert_in_range(said("wait", 0)->number, rows[i].least_ms, rows[i].most_ms);
    }
}

/* 1,000 devices that lose power together: their first attempts and their first waits are spread
   over their ranges, in parts of 128 ms and 51 ms. Some have attempts that the limit cuts short. */
TEST(devices_with_different_seeds_send_at_different_times_up_to_their_limit)
{
    static unsigned first[16], wait[10];
    unsigned cut_short = 0;
    uint32_t first_ms;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        uint32_t all_ms;
        set_up(seed, -1, -1);
        run();
        first[said("send", 0)->at_ms / 128]++;
        wait[(said("wait", 0)->number - 500) / 51]++;
        all_ms = said("status", board.requests - 2)->at_ms - said("send", 0)->at_ms;
        assert_true(all_ms <= 50000);
        cut_short += all_ms == 50000;
    }
    assert_true(cut_short > 0);
    for (unsigned i = 0; i < LENGTH(first); i++)
        assert_in_range(first[i], 31, 99);      /* expected: 62.5 */
    for (unsigned i = 0; i < LENGTH(wait); i++)
        assert_in_range(wait[i], 61, 149);      /* expected: 100 */
    first_ms = said("send", 0)->at_ms;
    set_up(999, 200, 200);
    run();
    assert_int_equal(said("send", 0)->at_ms, first_ms);   /* the seed alone decides */
}

int main(void)
{
    return run_all();
}
