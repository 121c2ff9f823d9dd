/* Many GETs with libcurl's multi interface, in one thread, with a retry budget and a gate.
   SPDX-License-Identifier: MIT

       curl_many 10 http://a.example/1 http://a.example/2 ...      at most 10 of them at once

   It prints how each attempt and each call ended. Where a call is done, in act(), a program would
   use the body. All calls share the budget, so that an outage costs few requests, and the gate,
   which a 429 closes. Ctrl-C ends everything at once. To copy: all above main. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#define MOST 10               /* at once */
#define BODY_MAX (1u << 20)   /* bytes of an answer that are accepted */

/* A place for a call. All other URLs wait in the list, where their time does not run. */
static struct get {
    const char *url;   /* NULL: the place is free */
    CURL *curl;
    struct redial_call call;
    struct redial_curl_attempt attempt;
    bool sent;      /* an attempt is under way */
    char *body;
    size_t length;
} place[MOST];

static CURLM *multi;
static unsigned busy, done;   /* places that are not free, and calls that succeeded */
static uint32_t poll_ms;      /* until something is due */
static struct redial_gate gate;
static struct redial_budget budget;
static const struct redial_policy policy = {
    .base_ms = 100, .cap_ms = 5000, .max_retries = 5, .max_elapsed_ms = 60000, .attempt_ms = 2000,
    .budget = &budget
};

static uint32_t now_ms(void)
{
    return redial_system()->now_ms(redial_system());
}

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct get *get = user;
    size_t length = size * count;
    char *grown = length <= BODY_MAX - get->length ? realloc(get->body, get->length + length + 1)
                                                   : NULL;
    if (!grown)
        return 0;   /* CURLE_WRITE_ERROR */
    memcpy(grown + get->length, data, length);
    get->body = grown;
    get->length += length;
    return length;
}

static bool open_place(struct get *get)
{
    CURL *curl = get->curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_PRIVATE, get);   /* without memory these do nothing */
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, get);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");   /* no file, no mail */
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);   /* even if a name server hangs */
    return curl != NULL;
}

static struct redial_outcome end_attempt(struct get *get, CURLcode result)
{
    get->sent = false;
    curl_multi_remove_handle(multi, get->curl);
    return redial_curl_end(&get->attempt, result);
}

static void ended(struct get *get, struct redial_outcome outcome);

/* act, ended and go: see redial_ready in redial.h. The last verdict of a call frees its place. */
static void act(struct get *get, struct redial_step step)
{
    if (step.verdict == REDIAL_ATTEMPT) {
        get->length = 0;   /* drops the error page, or the part of a body, of the attempt before */
        get->sent = redial_curl_begin(&get->attempt, get->curl, step.timeout_ms, "GET");
        if (curl_multi_add_handle(multi, get->curl) != CURLM_OK)
            ended(get, end_attempt(get, CURLE_OUT_OF_MEMORY));
    } else if (step.verdict == REDIAL_WAIT) {
        poll_ms = step.delay_ms < poll_ms ? step.delay_ms : poll_ms;
    } else {
        printf("%s: %s\n", get->url, redial_verdict_name(step.verdict));
        done += step.verdict == REDIAL_DONE;   /* here get->body is whole */
        get->url = NULL;
        busy--;
        poll_ms = 0;   /* the next URL may take its place */
    }
}

/* After an attempt, or instead of one that the gate holds. */
static void ended(struct get *get, struct redial_outcome outcome)
{
    const struct redial_env *env = redial_system();
    struct redial_step step = redial_next(&get->call, now_ms(), outcome, env->random(env));
    printf("%s: %d %s, %zu bytes", get->url, outcome.code, outcome.code >= 200 ? ""
           : outcome.code ? curl_easy_strerror((CURLcode)outcome.code) : "held", get->length);
    printf(step.verdict == REDIAL_WAIT ? "; wait %u ms\n" : "\n", (unsigned)step.delay_ms);
    act(get, step);
}

/* Makes the attempt if it is due. */
static void go(struct get *get)
{
    uint32_t now = now_ms(), closed_ms = redial_gate_left_ms(&gate, now);
    struct redial_step step = redial_ready(&get->call, now);
    if (step.verdict == REDIAL_ATTEMPT && closed_ms > 0)
        ended(get, redial_held(closed_ms));
    else
        act(get, step);
}

/* A 429 holds all calls for 1 to 5 s. If it named a time, it costs no retry and no token. */
static struct redial_outcome obey(struct redial_outcome outcome)
{
    if (outcome.code == 429)
        redial_gate_throttle(&gate, now_ms(), outcome.retry_after_ms);
    if (outcome.code == 429 && outcome.retry_after_ms > 0)
        outcome.kind = REDIAL_KIND_HELD;
    return outcome;
}

static void read_ends(void)
{
    CURLMsg *message;
    int ignored;
    while ((message = curl_multi_info_read(multi, &ignored))) {
        struct get *get = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&get);
        ended(get, obey(end_attempt(get, message->data.result)));
    }
}

/* *urls is the next URL. Its call begins only when it has a place. */
static void use_place(struct get *get, char ***urls)
{
    if (!get->url && **urls) {
        get->url = *(*urls)++;
        busy++;
        curl_easy_setopt(get->curl, CURLOPT_URL, get->url);
        redial_begin(&get->call, &policy, now_ms());
    }
    if (get->url && !get->sent)
        go(get);
}

/* After a signal all GETs are given up. */
static void get_all(char **urls, unsigned places)
{
    struct curl_waitfd stop = { .fd = interrupt_fd(), .events = CURL_WAIT_POLLIN };
    int ignored;
    interrupt_catch();
    while (!interrupted && (busy > 0 || *urls)) {
        poll_ms = 60000;
        for (unsigned i = 0; i < places; i++)
            use_place(&place[i], &urls);
        curl_multi_perform(multi, &ignored);
        read_ends();
        curl_multi_poll(multi, &stop, 1, (int)poll_ms, NULL);
    }
    for (unsigned i = 0; i < places; i++)
        if (place[i].sent)
            end_attempt(&place[i], CURLE_ABORTED_BY_CALLBACK);
}

int main(int argc, char **argv)
{
    unsigned places = argc > 2 ? (unsigned)atoi(argv[1]) : 0, ready = 0, i;
    stdout_begin();
    if (places < 1 || places > MOST) {
        fputs("usage: curl_many COUNT URL...\nCOUNT GETs, 1 to 10, are made at once.\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);   /* each line at once, in a pipe, too */
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
#if LIBCURL_VERSION_NUM >= 0x081400
    /* Without it, curl_multi_cleanup waits for the threads of a name server that hangs. */
    curl_multi_setopt(multi, CURLMOPT_QUICK_EXIT, 1L);
#endif
    redial_budget_init(&budget, 20, 20);
    while (ready < places && open_place(&place[ready]))
        ready++;
    if (multi && ready == places)
        get_all(argv + 2, places);
    for (i = 0; i < places; i++) {
        curl_easy_cleanup(place[i].curl);
        free(place[i].body);
    }
    curl_multi_cleanup(multi);
    return stdout_end("curl_many", done == (unsigned)argc - 2 ? EXIT_SUCCESS : EXIT_FAILURE);
}
