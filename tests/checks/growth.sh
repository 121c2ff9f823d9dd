#!/bin/bash
# A source that follows redial.h compiles with a later 1.x, and does the same: the samples of the
# documents and the small examples, where each struct that may grow has one more member, and the
# library aborts if that is not zero. What a program does not initialise has a pattern, not zeros.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/grown.sh
need gcc libc6-dev cmake ninja-build libcmocka-dev libcurl4-openssl-dev libuv1-dev
pattern=-ftrivial-auto-var-init=pattern
gcc $pattern -E - </dev/null >/dev/null 2>&1 || skip "it needs a gcc with $pattern: 12 or later"

tree=$build/grown
copy_tree "$tree" .ci .clang* .github CMakeLists.txt LICENSE README.md examples include src tests
grow_headers "$tree/include"
for source in "$tree"/src/*.c; do   # whose initialisers -Wextra would ask for the new member
    demand_zeros "$source"
    sed -i '1i #pragma GCC diagnostic ignored "-Wmissing-field-initializers"' "$source"
done

# What the library hands to a program has no pattern in it.
gcc -std=c11 $pattern $warnings -I"$tree/include" tests/checks/growth.c \
    $(ls "$tree"/src/*.c | grep -v windows) -o "$build/hooks"
"$build/hooks" || fail 'the library leaves out the new member of a struct'

# A call is larger than redial.h says.
sed -i '/redial\.h|in %u bytes/,/;$/d' "$tree/tests/checks/docs.c"
quietly "$tree/tests/checks/docs.sh" gcc $pattern
echo 'the samples of the documents: as before'

# REDIAL_DEVELOPER refuses initialisers by position that leave the new member out.
quietly cmake -S "$tree" -B "$build/made" -G Ninja -DREDIAL_DEVELOPER=ON \
    -DCMAKE_C_FLAGS="-O1 $pattern"
quietly cmake --build "$build/made" --target examples/all tests/examples/all
quietly ctest --test-dir "$build/made" -L examples -E 'page|herd|fleet|google|redis' \
    --output-on-failure -j "$(nproc)"
echo "the small examples: $(grep 'tests passed' "$build/log")"

# broken WHAT SED: an example that fills WHAT by hand aborts.
broken() {
    local status=0
    sed "$2" examples/quickstart/quickstart.c >"$tree/examples/quickstart/quickstart.c"
    ! cmp -s examples/quickstart/quickstart.c "$tree/examples/quickstart/quickstart.c" ||
        fail "the example is not broken: $1"
    quietly cmake --build "$build/made" --target quickstart
    { "$build/made/examples/quickstart" >/dev/null || status=$?; } 2>/dev/null
    [ $status = 134 ] || fail "an example that fills $1 by hand is not noticed"
}

broken 'an env' 's/= \*redial_system();/, *own = \&env;\
    own->now_ms = redial_system()->now_ms, own->wait_ms = redial_system()->wait_ms;\
    own->random = redial_system()->random, own->port = NULL, own->hold_ms = NULL;/'
broken 'an outcome' 's/return http_outcome(result);/\
    struct redial_outcome own, got = http_outcome(result);\
    own.kind = got.kind, own.code = got.code, own.uptime_ms = 0;\
    own.retry_after_ms = got.retry_after_ms;\
    return own;/'
echo 'an env or an outcome that is filled by hand is noticed'
