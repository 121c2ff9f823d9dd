/* The board of firmware.c in QEMU: an LM3S6965, with a modem on its first serial line, which gets
   "PUT tag reading", and later answers with "tag status" or "tag status retry-after". The log goes
   to the host. Clock and pins are as QEMU sets them after a reset. SPDX-License-Identifier: MIT */
#include "cortex_m.h"
#include "firmware.h"

typedef volatile uint32_t reg;
static reg *const systick = (reg *)0xe000e010;         /* control, reload, value */
static reg *const uart = (reg *)0x4000c000;            /* data, ..., flags at 6 */
static reg *const user_register = (reg *)0x400fe1e0;   /* two: the device's MAC address */

enum { CYCLES_PER_MS = 12500, RX_EMPTY = 0x10, START_BEFORE_WRAP_MS = 4000 };

/* It wraps soon after the start, so that a wrap is tested before a device is in the field. */
static volatile uint32_t tick_ms = UINT32_MAX - START_BEFORE_WRAP_MS;
static uint32_t tag;

void on_systick(void)
{
    tick_ms++;
}

uint32_t board_tick_ms(void)
{
    return tick_ms;
}

/* Mixes the device's address with the number of loops in a tick, which the load of the host makes
   random in QEMU. On hardware with one crystal it is not random: there use the lowest bits of an
   open ADC input, or of RAM before it is cleared. */
uint32_t board_seed(void)
{
    uint32_t seed = user_register[0] * 0x9e3779b1 ^ user_register[1];
    unsigned i;
    for (i = 0; i < 16; i++) {
        uint32_t before = tick_ms;
        while (tick_ms == before)
            seed += 0x9e3779b9;
        seed = (seed ^ seed >> 15 ^ systick[2]) * 0x85ebca6b;
    }
    return seed;
}

uint32_t board_measure(void)
{
    static uint32_t readings;
    return ++readings;
}

/* QEMU's line is never full. A real one needs a buffer and an interrupt. */
static void modem_print(const char *text)
{
    while (*text)
        uart[0] = (uint32_t)*text++;
}

static void print_number(void (*print)(const char *text), uint32_t number, const char *after)
{
    char text[11], *at = text + 10;
    *at = 0;
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    print(at);
    print(after);
}

void board_send(uint32_t reading)
{
    modem_print("PUT ");
    print_number(modem_print, ++tag, " ");
    print_number(modem_print, reading, "\n");
}

/* What has come of the modem's line: tag, status, and perhaps a text. */
static struct line { uint32_t number[2], spaces, length; struct answer answer; } line;

static bool ends_line(char c)
{
    if (c == '\n')
        line = (struct line){ .length = 0 };
    else if (c == ' ' && line.spaces < 2)
        line.spaces++;
    else if (line.spaces < 2)
        line.number[line.spaces] = line.number[line.spaces] * 10 + (uint32_t)(c - '0');
    else if (line.length < sizeof line.answer.retry_after - 1)   /* the rest of it is lost */
        line.answer.retry_after[line.length++] = c;
    return c == '\n';
}

bool board_answer(struct answer *answer)
{
    while (!(uart[6] & RX_EMPTY)) {
        struct line came = line;
        *answer = came.answer;
        answer->status = (int)came.number[1];
        /* A late answer to an attempt that was given up has another tag. */
        if (ends_line((char)uart[0]) && came.number[0] == tag)
            return true;
    }
    return false;
}

void board_hang_up(void)
{
    tag++;   /* late answers have another tag */
}

void board_lamp(bool on)
{
    static reg *const lamp = (reg *)0x40025004;   /* pin 0 of port F */
    *lamp = on;
}

void board_say(const char *what, uint32_t value)
{
    print_number(host_print, tick_ms, " ");
    host_print(what);
    host_print(" ");
    print_number(host_print, value, "\n");
}

int main(void)
{
    systick[1] = CYCLES_PER_MS - 1;
    systick[2] = 0;
    systick[0] = 7;   /* on, with its interrupt, at the processor's clock */
    firmware_setup();
    for (;;) {
        firmware_pass();
        __asm__ volatile("wfi");   /* to the next tick at the latest */
    }
}
