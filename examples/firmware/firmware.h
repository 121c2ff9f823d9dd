/* The interface between the superloop of firmware.c and its board. SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdbool.h>
#include <stdint.h>

/* Call the first one after power-up, and the second one for ever. They never block. */
void firmware_setup(void);
void firmware_pass(void);

/* The board. Its functions never block. */
struct answer {
    int status;             /* the HTTP status */
    char retry_after[32];   /* the value of the header; "": there was none */
};

uint32_t board_tick_ms(void);                /* free-running: wraps after 49.7 days */
uint32_t board_seed(void);                   /* different in each device and after each power-up */
uint32_t board_measure(void);
void board_send(uint32_t reading);           /* starts an attempt */
bool board_answer(struct answer *answer);    /* once, when that to the last attempt has come */
void board_hang_up(void);                    /* discards the answer to the last attempt */
void board_lamp(bool on);
void board_say(const char *what, uint32_t number);   /* writes to the log */

#endif
