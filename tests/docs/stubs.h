/* What the code in the documents uses, and its readers have. Each block is compiled with this, and
   docs.c has the functions of those that it runs. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef WITH_CURL
#include "redial_curl.h"
#else
typedef void CURL, CURLM, CURLMsg;
#endif
#include "redial.h"
#include "redial_fake.h"

struct request {
    struct redial_call call;
    enum redial_verdict verdict;
    uint32_t timer_ms, timeout_ms;
    size_t length;
#ifdef WITH_CURL
    CURL *curl;
    struct redial_curl_attempt attempt;
#endif
};

/* The variables that statements use. */
#define VARIABLES \
    struct redial_policy policy, struct redial_call call, struct redial_step step, \
    struct redial_outcome outcome, struct redial_report report, struct redial_budget budget, \
    struct redial_gate gate, struct redial_gate my_gate, struct redial_gate quota, \
    int app, const struct redial_env *env, const struct redial_attempt *attempt, \
    struct request *request, struct request *get, struct request body, const char *method, \
    const char *url, uint32_t now_ms, uint32_t deadline_ms, uint32_t left_ms, \
    uint32_t retry_after_ms, uint32_t random_bits, uint32_t failures, int item, int items, \
    int status, bool ready, bool has_key, void *my_data, void *host, CURL *curl, CURLM *multi, \
    CURLMsg *message

enum redial_verdict fetch(const char *url, const struct redial_env *env);
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
