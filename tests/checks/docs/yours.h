/* Declares what the code of README.md uses of the reader's program. docs.sh includes it before each block.
   SPDX-License-Identifier: MIT */
#include <assert.h>
#include <unistd.h>

#include "redial_fake.h"

/* Returns the status, or 0 if no response came, and writes what Retry-After asked for unless the pointer is NULL. */
int http_put(const char *url, const char *body, uint32_t timeout_ms, uint32_t *retry_after_ms);

/* In an event loop. */
#if __has_include(<uv.h>)
#include <uv.h>
struct request { struct redial_call call; uv_timer_t timer; };
void send_request(uv_timer_t *timer);
void finish(struct request *request, enum redial_verdict verdict);
#endif

/* In firmware: a free-running tick, 32 random bits, and a modem that answers each request once. It is busy from
   modem_send until then. */
uint32_t tick_ms(void), random_bits(void);
bool modem_answered(int *status, uint32_t *retry_after_ms), modem_busy(void);
void modem_send(void);
