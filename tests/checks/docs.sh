#!/bin/sh
# docs.sh [COMPILER [OPTION...]]: the links of the documents lead to something, and the code in
# README.md, examples/README.md and the headers compiles and works: docs.c uses it. No line is
# longer than 100 bytes, and each source names its licence.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- cc
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR   # a folder that is gone
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
. tests/checks/lib/code.sh

fail() {
    echo "docs.sh: $1" >&2
    exit 1
}

for page in README.md */README.md src/package/README.md .github/*.md; do
    for link in $(grep -oE '\]\([^) ]+|^\[[^]]*\]: .+' "$page" | sed 's/^.*\]:* *(*//' |
        grep -v :); do
        file=${link%%#*}
        file=${file:+$(dirname "$page")/$file}
        [ -e "${file:-$page}" ] || fail "$page links to $link, which is not there"
        # A heading's anchor is made of its words.
        [ "$link" = "${link#*#}" ] || sed -n 's/^##* //p' "${file:-$page}" |
            tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx "${link#*#}" ||
            fail "$page links to $link, and there is no such heading"
    done
done
tr -s '\n ' '  ' <include/redial.h | grep -oE 'examples/README.md, "[^"]+' | sed 's/.*"//' |
    while read -r heading; do
        grep -qx "##* $heading" examples/README.md || fail "redial.h names a section: $heading"
    done || exit 1
# Only tables of documents may be wider; pictures and inputs of the fuzzer have no lines to read.
find .ci .clang* .github CMakeLists.txt README.md examples include src tests -type f \
    ! -name '*.svg' ! -path '*/corpus/*' ! -name '*.pyc' ! -path '*/abi/released' -exec awk '
    length > 100 && !/^[|]/ { print FILENAME ":" FNR ": longer than 100 bytes"; bad = 1 }
    END { exit bad }' {} + >&2 || exit 1
unnamed=$(find .ci .github/workflows CMakeLists.txt examples include src tests -type f \( \
    -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.js' -o -name '*.css' -o -name '*.html' -o -name '*.cmake' -o -name '*.gp' \
    -o -name '*.yml' -o -name run \
    -o -name CMakeLists.txt \) -exec grep -L 'SPDX-License-Identifier: MIT' {} +)
[ -z "$unnamed" ] || fail "no line names the licence in $unnamed"

# block NAME DOCUMENT TEXT: the code of a document that has the text goes to NAME.c
block() {
    code "$2" "$3" >"$work/$1.c"
    [ -s "$work/$1.c" ] || fail "$2 has no code with '$3'"
}

# snippet NAME FROM TO [HEADER]: the lines of a header from one pattern to another, without their
# indentation
snippet() {
    sed -n "/$2/,/$3/p" "${4-include/redial.h}" | sed 's/^ \{7\}//; s| \*/$||' >"$work/$1.c"
    [ -s "$work/$1.c" ] || fail "${4-include/redial.h} has no code from '$2' to '$3'"
}

without_last_line() {   # NAME: not with sed -i, which is another option on macOS and the BSDs
    sed '$d' "$work/$1.c" >"$work/shorter" && mv "$work/shorter" "$work/$1.c"
}

block app README.md 'int main('
sed -n '/^static .* fetch(/,/^}/p' "$work/app.c" >"$work/fetch.c"
block opinion README.md 'outcome.code == 408'
block curl README.md redial_curl.h
block stay README.md ' stay_connected('
block poll README.md redial_pending
block test README.md redial_fake_init
for name in every wait_by_table about_ms of_answer get_with_login pass \
    attempt_ended wake_up handle ask; do
    block $name examples/README.md " $name("
done
block next_wait examples/README.md 'wait_ms = redial_random'
block at_once examples/README.md 'bad_nonce ?'
block next_item examples/README.md '++item < items'
block tick_ms examples/README.md 'tick_ms(void)'
block random_bits examples/README.md 'random_bits(void)'
block rtos examples/README.md vTaskDelay
block gate examples/README.md 'redial_gate_left_ms(&quota'
snippet program '#include <stdio.h>' '^   CONVENTIONS'
without_last_line program
snippet hooks '^       struct app {' '^$'
snippet env '^       struct redial_env env = ' 'env.user = '
snippet steps 'static void ended(struct request' '^   - A final verdict'
without_last_line steps
snippet quota '^       uint32_t ms = ' 'outcome.kind = REDIAL_KIND_POSTPONED'

snippet fake 'struct redial_fake fake;' 'assert(fake.waits' include/redial_fake.h
snippet curl_loop '^       struct redial_step step' '^       }$' include/redial_curl.h
snippet curl_operation 'request->length = 0' '"GET");$' include/redial_curl.h
snippet curl_before 'uint32_t timeout_ms = redial_t' 'REDIAL_TIMED_OUT;$' include/redial_curl.h
snippet curl_after 'CURLcode result = message' 'step = redial_next(' include/redial_curl.h
snippet curl_override 'outcome.code == 303)$' 'outcome.kind =' include/redial_curl.h
cat >"$work/curl_header.c" <<'END'
#include "curl.c"
#include <redial_fake.h>
struct request { CURL *curl; size_t length; };
struct redial_outcome operation(struct request *request, const struct redial_attempt *attempt) {
#include "curl_operation.c"
}
struct redial_outcome override(struct redial_outcome outcome) {
#include "curl_override.c"
    return outcome;
}
enum redial_verdict multi(CURL *curl, const struct redial_policy *policy, uint32_t now_ms) {
    struct { struct redial_call call; struct redial_curl_attempt attempt; CURL *curl;
             size_t length; enum redial_verdict verdict; } it = { .curl = curl }, *get = &it;
    CURLM *multi = curl_multi_init();
    const uint32_t random_bits = 0;
    struct redial_step step;
    CURLMsg *message;
    int n;
    redial_begin(&it.call, policy, 0);
#include "curl_before.c"
    while (!(message = curl_multi_info_read(multi, &n)))
        if (it.verdict == REDIAL_TIMED_OUT)
            return it.verdict;
        else
            curl_multi_perform(multi, &n);
#include "curl_after.c"
    curl_multi_cleanup(multi);
    return step.verdict;
}
size_t loop(CURL *curl, struct request body, struct redial_policy policy,
            const struct redial_env *env) {
    struct redial_call call;
#include "curl_loop.c"
    return body.length;
}
int main(void) {
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    static CURL *here, *nowhere;
    redial_fake_init(&fake);
    here = curl_easy_init();
    nowhere = curl_easy_init();
    curl_easy_setopt(here, CURLOPT_URL, "file:///dev/null");
    curl_easy_setopt(nowhere, CURLOPT_URL, "file:///dev/null/nowhere");
    printf("README.md|below %d, a CURLcode (%d: no connection)\n", CURL_LAST <= 200 ? 200 : 0,
           CURLE_COULDNT_CONNECT);
    policy.max_elapsed_ms = 9000;
    return override(redial_fail(303)).kind != REDIAL_KIND_DONE
           || override(redial_fail(302)).kind != REDIAL_KIND_FAIL
           || multi(here, &policy, 1) != REDIAL_DONE || multi(nowhere, &policy, 1) != REDIAL_FAILED
           || multi(here, &policy, 9000) != REDIAL_TIMED_OUT
           || loop(here, (struct request){ here, 7 }, policy, &fake.env) || fake.waits
           || !get_with_retries(here) || get_with_retries(nowhere);
}
END

# The line of README, as its reader types it. The program waits for some seconds.
cc=$(command -v cc >/dev/null && echo cc || echo "$1")
{ readme_program "$work/beside" "$cc" && "$work/beside/a.out" >"$work/printed"; } \
    >"$work/beside_said" 2>&1 &
program_of_readme=$!

# has HEADER COMPILER...
has() {
    header=$1
    shift
    echo "#include <$header>" | "$@" -E -x c - >/dev/null 2>&1
}

errors() {   # FILE FROM TO: the names of errors in these lines
    sed -n "/$2/,/$3/p" "$1" | grep -oE '\<E[A-Z]{3,}\>' | sort -u
}
[ "$(errors include/redial.h 'These are retried' 'All others')" = \
    "$(errors src/errno.c 'retried\[\]' 'WSAEINTR')" ] ||
    fail 'include/redial.h lists other errors than src/errno.c'
oldest=$(sed -n 's/^cmake_minimum_required(VERSION \(.*\))$/\1/p' CMakeLists.txt)
for page in README.md tests/install.sh; do
    grep -qi "cmake $oldest or later" "$page" || fail "$page does not name CMake $oldest"
done

set -- "$@" -std=gnu11 -Wall -Wextra -Werror -Iinclude "-I$work"
! has curl/curl.h "$@" || { "$@" "$work/curl_header.c" src/*.c -lcurl -o "$work/curl" &&
    "$work/curl" >"$work/numbers" 2>"$work/said"; } || fail 'the code with libcurl does not work'
"$@" tests/checks/docs.c src/*.c -o "$work/samples" ||
    fail 'the code does not compile'
"$work/samples" >>"$work/numbers" 2>"$work/said" ||
    fail "docs.c ended with $?: $(cat "$work/said")"
while IFS='|' read -r page text; do
    tr -s '\n ' '  ' <"$page" | grep -qF -e "$text" || fail "$page does not say: $text"
done <"$work/numbers"
wait "$program_of_readme" && printed_by_readme | cmp -s - "$work/printed" ||
    fail "the program of README.md does not work: $(cat "$work/beside_said" "$work/printed")"
