/* What the code in the documents uses, and its readers have. docs.sh compiles this with each block;
   docs.c runs some of them. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef WITH_CURL
#include "redial_curl.h"
#else
typedef void CURL, CURLM, CURLMsg;
struct redial_curl_attempt { int unused; };
#endif
#include "redial.h"
#include "redial_fake.h"

struct request {
    struct redial_call call;
    enum redial_verdict verdict;
    uint32_t timer_ms, timeout_ms;
    size_t length;
    CURL *curl;
    struct redial_curl_attempt attempt;
};

redial_operation my_operation;
struct redial_outcome my_get(const char *url, uint32_t timeout_ms);
int my_connect(void *host, uint32_t timeout_ms);
void my_work(int fd);

/* An event loop. */
static uint32_t clock_ms;
static struct redial_gate my_gate;
#define my_clock_ms() clock_ms
#define my_random() 0
#define my_send(request, ms) ((request)->timeout_ms = (ms))
#define my_start_timer(request, ms) ((request)->timer_ms = clock_ms + (ms))
#define my_finish(request, is) ((request)->verdict = (is))

#ifdef FUNCTIONS
#include FUNCTIONS

/* The statements of a block, which use these variables. */
struct redial_outcome block(
    struct redial_policy policy, struct redial_call call, struct redial_step step,
    struct redial_outcome outcome, struct redial_report report, struct redial_gate quota,
    int app, const struct redial_env *env, const struct redial_attempt *attempt,
    struct request *request, struct request *get, struct request body, const char *method,
    const char *url, uint32_t now_ms, uint32_t retry_after_ms, uint32_t random_bits,
    uint32_t failures, int item, int items, int status, bool ready, bool has_key, void *my_data,
    void *host, CURL *curl, CURLM *multi, CURLMsg *message)
{{
#include STATEMENTS
}}
#endif
