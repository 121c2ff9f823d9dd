/* src/outcome.c and src/http.c: which requests are safe to repeat. SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../../src/http.c"
#include "../../src/outcome.c"

static const char *the_method;
static bool idempotent;

bool some_method(const char *method)   /* in the place of redial_http_idempotent */
{
    prove(method == the_method);
    return idempotent;
}

void http_fails_only_where_the_work_may_be_done_already(void)
{
    static const char any_name = 'P';
    int status = nondet_int();
    uint32_t retry_after_ms = nondet_u32();
    struct redial_outcome outcome;
    bool may_be_done = status <= 0 || status >= 500;
    the_method = nondet_bool() ? &any_name : NULL;
    idempotent = nondet_bool();
    outcome = redial_http(status, retry_after_ms, the_method);
    prove(outcome.kind == (may_be_done && !idempotent ? REDIAL_KIND_FAIL : REDIAL_KIND_HTTP));
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
