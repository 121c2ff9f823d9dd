/* Firmware: no operating system, a superloop that never blocks, a 32-bit tick that wraps.

   It shows redial_begin, redial_ready and redial_next where nothing may block: a device sends a
   reading through its modem every few seconds. During an attempt and during a wait, the loop
   continues and the lamp blinks. The board consists of eight small functions (firmware.h); board.c
   has those of a Cortex-M. examples/firmware/run builds it without a libc and runs it in QEMU, with
   a modem that answers 503, too late, 429 with Retry-After, 200. tests/examples/test_firmware.c
   runs the same file on the host, with a clock of its own. SPDX-License-Identifier: MIT */
#include "firmware.h"
#include "redial.h"

enum { EVERY_MS = 6000, FIRST_WITHIN_MS = 2048 };

static const struct redial_policy policy = {
    .base_ms = 500, .cap_ms = 8000, .jitter_ms = 500,
    .jitter = REDIAL_JITTER_WIDE,   /* devices that lost power together stay apart at the cap */
    .max_retries = 6, .max_elapsed_ms = 50000, .attempt_ms = 5000, .max_retry_after_ms = 30000
};

static struct {
    enum { IDLE, SENDING, WAITING } state;
    uint32_t since_ms, for_ms;   /* when IDLE or SENDING began, and its longest duration */
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

/* Compares a difference: `now_ms >= since_ms + for_ms` would be wrong when the tick wraps. */
static bool over(uint32_t now_ms)
{
    return now_ms - uplink.since_ms >= uplink.for_ms;
}

static void act(struct redial_step step, uint32_t now_ms)
{
    uplink.since_ms = now_ms;
    if (step.verdict == REDIAL_WAIT) {
        uplink.state = WAITING;   /* it needs no timer: redial_ready is asked in each pass */
    } else if (step.verdict == REDIAL_ATTEMPT) {
        uplink.attempts++;
        board_send(uplink.reading);   /* the same in each attempt, so a duplicate does no harm */
        uplink.state = SENDING;
        uplink.for_ms = step.timeout_ms;
    } else {
        board_say(redial_verdict_name(step.verdict), uplink.attempts);
        uplink.state = IDLE;
        uplink.for_ms = EVERY_MS;
    }
}

static void ended(struct redial_outcome outcome, uint32_t now_ms)
{
    struct redial_step step = redial_next(&uplink.call, now_ms, outcome, random_bits());
    board_say("status", (uint32_t)outcome.code);
    if (step.verdict == REDIAL_WAIT)
        board_say("wait", step.delay_ms);
    act(step, now_ms);
}

static void idle(uint32_t now_ms)
{
    if (!over(now_ms))
        return;
    uplink.attempts = 0;
    uplink.reading = board_measure();
    board_say("reading", uplink.reading);
    redial_begin(&uplink.call, &policy, now_ms);
    uplink.state = WAITING;
}

static void sending(uint32_t now_ms)
{
    struct answer answer;
    if (board_answer(&answer)) {
        /* The board reads no Date. So a Retry-After that is a date asks for nothing. */
        uint32_t retry_after_ms = redial_retry_after_ms(answer.retry_after, NULL);
        ended(redial_http(answer.status, retry_after_ms, "PUT"), now_ms);
    } else if (over(now_ms)) {
        board_hang_up();
        ended(redial_retry(0, 0), now_ms);
    }
}

/* The first reading comes at a random moment, because all devices of a street get their power back
   at once. */
void firmware_setup(void)
{
    uplink.seed = board_seed();
    uplink.state = IDLE;
    uplink.since_ms = board_tick_ms();
    uplink.for_ms = random_bits() % FIRST_WITHIN_MS;
}

void firmware_pass(void)
{
    uint32_t now_ms = board_tick_ms();
    board_lamp(now_ms & 256);   /* about twice a second, whatever the modem does */
    if (uplink.state == IDLE)
        idle(now_ms);
    if (uplink.state == SENDING)
        sending(now_ms);
    if (uplink.state == WAITING)
        act(redial_ready(&uplink.call, now_ms), now_ms);
}
