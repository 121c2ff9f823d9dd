# A later 1.x: each struct that may grow has one more member at its end, a pointer `grown`. Sourced
# after check.sh. SPDX-License-Identifier: MIT

# The structs that redial.h lists. redial_fake holds an env, and grows with it.
growing='policy env outcome event attempt report step call'

grow_headers() {   # FOLDER: changes the headers there
    awk -v struct="^struct redial_(${growing// /|}) [{]" '
        $0 ~ struct { inside = 1 }
        inside && /^};/ { print "    const void *grown;"; inside = 0 }
        last ~ /define REDIAL_POLICY_DEFAULT/ { sub(/ }$/, ", NULL }") }
        { print; last = $0 }' "$1/redial.h" >"$build/grown.h"
    [ "$(grep -c 'const void \*grown;' "$build/grown.h")" = "$(wc -w <<<"$growing")" ] ||
        fail "include/redial.h lacks one of these structs: $growing"
    mv "$build/grown.h" "$1/redial.h"
}

# demand_zeros SOURCE: each function there aborts if the new member of a policy, an env or an
# outcome that it was given is not zero.
demand_zeros() {
    awk '/^[a-z]/ { head = "" }
         { head = head " " $0; print }
         /^{$/ {
             if (head ~ /struct redial_policy \*policy/) given("policy && policy->")
             if (head ~ /struct redial_env \*env/) given("env && env->")
             if (head ~ /struct redial_outcome \*outcome/) given("outcome->")
             if (head ~ /struct redial_outcome outcome/) given("outcome.")
         }
         function given(what) { print "    if (" what "grown) __builtin_abort();" }
        ' "$1" >"$build/demanding.c"
    mv "$build/demanding.c" "$1"
}
