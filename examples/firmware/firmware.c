/* Firmware: no operating system, a superloop that never blocks, a 32-bit tick that wraps.
   SPDX-License-Identifier: MIT

   It shows redial_begin, redial_next and redial_timeout_ms where nothing may block: a device sends
   a reading through its modem every few seconds. During an attempt and during a wait, the loop
   continues and the lamp blinks. The board consists of eight small functions (firmware.h); board.c
   has those of a Cortex-M.

       examples/firmware/run      builds it without a libc and runs it in QEMU, against a modem
                                  that answers 503, too late, 429 with Retry-After, 200

   tests/examples/test_firmware.c runs the same file on the host, with a clock of its own. */
#include "firmware.h"
#include "redial.h"

enum { EVERY_MS = 5000, FIRST_WITHIN_MS = 2048 };

static const struct redial_policy policy = {
    .base_ms = 500,
    .cap_ms = 8000,
    .jitter_ms = 500,
    .max_retries = 6,
    .max_elapsed_ms = 50000,
    .max_retry_after_ms = 30000,
    .attempt_ms = 5000,
    .jitter = REDIAL_JITTER_WIDE   /* devices that lost power together stay apart at the cap, too */
};

enum state { IDLE, SENDING, WAITING };

static struct {
    enum state state;
    uint32_t since_ms, for_ms;   /* when the state began, and its longest duration */
    uint32_t seed, reading, attempts;
    struct redial_call call;
} uplink;

/* 32 uniform bits: a Weyl sequence and the finaliser of MurmurHash3. Any seed works, 0 included. */
static uint32_t random_bits(void)
{
    uint32_t bits = uplink.seed += 0x9e3779b9;
    bits = (bits ^ bits >> 16) * 0x85ebca6b;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35;
    return bits ^ bits >> 16;
}

/* Compares a difference of times: `now_ms >= since_ms + for_ms` would be wrong when the tick wraps.
   */
static bool over(uint32_t now_ms)
{
    return now_ms - uplink.since_ms >= uplink.for_ms;
}

static void enter(enum state state, uint32_t now_ms, uint32_t for_ms)
{
    uplink.state = state;
    uplink.since_ms = now_ms;
    uplink.for_ms = for_ms;
}

static void finish(enum redial_verdict verdict, uint32_t now_ms)
{
    board_say(redial_verdict_name(verdict), uplink.attempts);
    enter(IDLE, now_ms, EVERY_MS);
}

static void attempt(uint32_t now_ms)
{
    uint32_t timeout_ms = redial_ready(&uplink.call, now_ms).timeout_ms;
    if (timeout_ms == 0) {   /* the loop was late */
        finish(REDIAL_TIMED_OUT, now_ms);
        return;
    }
    uplink.attempts++;
    board_send(uplink.reading);   /* the same in each attempt, so a duplicate does no harm */
    enter(SENDING, now_ms, timeout_ms);
}

static void decide(struct redial_outcome outcome, uint32_t now_ms)
{
    struct redial_step step = redial_next(&uplink.call, now_ms, outcome, random_bits());
    board_say("status", (uint32_t)outcome.code);
    if (step.verdict != REDIAL_WAIT) {
        finish(step.verdict, now_ms);
        return;
    }
    board_say("wait", step.delay_ms);
    enter(WAITING, now_ms, step.delay_ms);
}

static void idle(uint32_t now_ms)
{
    if (!over(now_ms))
        return;
    uplink.attempts = 0;
    uplink.reading = board_measure();
    board_say("reading", uplink.reading);
    redial_begin(&uplink.call, &policy, now_ms);
    attempt(now_ms);
}

static void sending(uint32_t now_ms)
{
    struct answer answer;
    if (board_answer(&answer)) {
        /* The board reads no Date. So a Retry-After that is a date asks for nothing. */
        uint32_t retry_after_ms = redial_retry_after_ms(answer.retry_after, NULL);
        decide(redial_http(answer.status, retry_after_ms, "GET"), now_ms);
    } else if (over(now_ms)) {
        board_hang_up();
        decide(redial_retry(0, 0), now_ms);
    }
}

static void waiting(uint32_t now_ms)
{
    if (over(now_ms))
        attempt(now_ms);
}

/* The first reading comes at a random moment, because all devices of a street get their power back
   at once. */
void firmware_setup(void)
{
    uplink.seed = board_seed();
    enter(IDLE, board_tick_ms(), random_bits() % FIRST_WITHIN_MS);
}

void firmware_pass(void)
{
    static void (*const states[])(uint32_t now_ms) = { idle, sending, waiting };
    uint32_t now_ms = board_tick_ms();
    board_lamp(now_ms & 256);   /* about twice a second, whatever the modem does */
    states[uplink.state](now_ms);
}
