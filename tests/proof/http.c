/* src/http.c: which requests are safe to repeat. SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../../src/http.c"

static const char *the_method;
static bool idempotent;

bool some_method(const char *method)   /* in the place of redial_http_idempotent */
{
    prove(method == the_method);
    return idempotent;
}

void http_follows_its_table(void)
{
    static const char any_name = 'P';
    int status = nondet_int();
    uint32_t retry_after_ms = nondet_u32();
    struct redial_outcome outcome;
    bool redirect = status >= 301 && status <= 308 && !(status >= 304 && status <= 306);
    bool may_be_done = (status < 200 && status != 101) || (status >= 500 && status <= 599);
    enum redial_kind kind = status >= 400 || redirect ? REDIAL_KIND_FAIL : REDIAL_KIND_DONE;
    the_method = nondet_bool() ? &any_name : NULL;
    idempotent = nondet_bool();
    if (may_be_done)
        kind = idempotent ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL;
    outcome = redial_http(status, retry_after_ms, the_method);
    prove(outcome.kind == (status == 429 ? REDIAL_KIND_RETRY : kind));
    prove(outcome.code == status && outcome.retry_after_ms == retry_after_ms);
    prove(outcome.uptime_ms == 0);
    reached();
}

static bool is(const char *name, const char *other)
{
    while (*name && *name == *other) {
        name++;
        other++;
    }
    return *name == *other;
}

void idempotent_methods_are_six_and_are_read_to_their_end_only(void)
{
    const char *name = any_text(nondet_size());
    assume(name < array + LONGEST_TEXT);
    array[LONGEST_TEXT - 1] = '\0';
    prove(redial_http_idempotent(name)
          == (is(name, "GET") || is(name, "HEAD") || is(name, "OPTIONS") || is(name, "TRACE")
              || is(name, "PUT") || is(name, "DELETE")));
    prove(!redial_http_idempotent(NULL));
    reached();
}
