/* Between the superloop of firmware.c and the board it runs on. SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdbool.h>
#include <stdint.h>

/* The firmware: once after power-up, then for ever. Neither ever blocks. */
void firmware_setup(void);
void firmware_pass(void);

/* The board. Each returns at once. */
struct answer {
    int status;             /* of HTTP */
    char retry_after[32];   /* the header's value; "": it was not there */
};

uint32_t board_tick_ms(void);                /* free-running: wraps after 49.7 days */
uint32_t board_seed(void);                   /* another one in every device, and after every power-up */
uint32_t board_measure(void);
void board_send(uint32_t reading);           /* starts an attempt */
bool board_answer(struct answer *answer);    /* true once, when the answer to the last attempt has come */
void board_hang_up(void);                    /* no answer is wanted any more */
void board_lamp(bool on);
void board_say(const char *what, uint32_t number);   /* for the log */

#endif
