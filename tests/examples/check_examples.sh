#!/bin/sh
# check_examples.sh PROGRAM: runs an example for a short time, and checks its output and exit status. Called by ctest.
set -u
export LC_ALL=C
program=$1
name=$(basename "$program" .exe)

fail() {
    printf '%s: %s\nIt printed:\n%s\n' "$name" "$1" "$out" >&2
    exit 1
}

# run STATUS ARGUMENT...: out is what it printed.
run() {
    wanted=$1
    shift
    out=$("$program" "$@" 2>&1)
    status=$?
    [ $status -eq "$wanted" ] || fail "ended with $status, not $wanted"
}

# No line of the output is longer than 80 columns.
narrow() {
    printf '%s\n' "$out" | awk 'length > 80 { wide = 1 } END { exit wide }' || fail 'a line is longer than 80 columns'
}

# Every program answers --help, and refuses an option that it does not know.
check_options() {
    run 0 --help
    says '.+'
    narrow
    run 2 --wrong
    says "$name: --wrong: no such option; --help lists them"
}

# says REGEX: a whole line of the output matches
says() {
    printf '%s\n' "$out" | grep -Exq -- "$1" || fail "no line says: $1"
}

# holds CONDITION NUMBER...: awk finds the condition true. a, b and c in it are the numbers.
holds() {
    condition=$1
    shift
    awk -v a="${1:--1}" -v b="${2:--1}" -v c="${3:--1}" "BEGIN { exit !($condition) }" </dev/null ||
        fail "does not hold: $condition, of $*"
}

# number REGEX: prints what its parentheses match, in the line of the output that the whole REGEX matches.
number() {
    printf '%s\n' "$out" | sed -nE "s/^$1\$/\\1/p"
}

counted() {
    printf '%s\n' "$out" | grep -Ec -- "$1"
}

check_many_calls() {
    run 0 --calls "$1"
    says "$1 calls at once, at most $2 sockets"
    says 'both sides agree'
    says 'memory: (36|28) bytes a call, .*'     # of 64 and of 32 bits
    attempts=$(number '([0-9]+) attempts, .*')
    holds 'a > 2 * b' "$attempts" "$1"
    # The busiest 100 ms have at least the mean number of attempts of all 100 ms.
    holds 'a * (int(c * 10) + 1) >= b && a <= b' "$(number 'peak: ([0-9]+) attempts in 100 ms')" "$attempts" \
        "$(number 'time: ([0-9.]+) s')"
    holds 'a > 0.9 * b && a <= b' "$(number '([0-9]+) done')" "$1"
}

# shellcheck disable=SC3045
many_calls() {
    limit=$(ulimit -H -n)
    [ "$limit" != unlimited ] && [ "$limit" -lt 520 ] || limit=520
    check_many_calls 10000 $((limit - 20))
    ulimit -n 60
    check_many_calls 100 40     # more calls than files
    run 2 --calls 1000001
    says 'many_calls: --calls 1000001: must be a whole number from 1 to 1000000'
}

uv_get() {
    run 0
    for call in 1 2 3 4 5 6; do
        holds 'a == 1' "$(counted "call $call, .*, (done|exhausted)\$")"
    done
    says ' *[0-9]+ ms: call 1, attempt 6: -[0-9]+ connection refused, exhausted'
    holds 'a == b && a == c' "$(number '([0-9]+) attempts, the server .*')" \
        "$(number '.* server counted ([0-9]+) .*')" "$(counted 'call [2-6], attempt')"
    holds 'a == b && a > 0' "$(number '.* served ([0-9]+)')" "$(counted ': 200, done$')"
    early=$(printf '%s\n' "$out" |
        awk '$3 == "call" { early += $1 < due[$4]; due[$4] = $1 + $(NF - 1) } END { print 0 + early }')
    holds 'a == 0' "$early"     # no attempt is over before its wait was
}

reconnect() {
    run 0
    retries=$(printf '%s\n' "$out" | sed -nE 's/^retry ([0-9]+) .*/\1/p' | tr '\n' ' ')
    [ "$retries" = '1 2 3 1 2 3 4 5 ' ] || fail "the retries were $retries"
    says 'retry 3 in .*: worked for 0 ms, .*timed out'  # it hung for longer than min_uptime_ms
    holds 'a >= 1000' "$(number 'retry 1 in .*: worked for ([0-9]{4,}) ms.*')"
    holds 'a >= 20000' "$(number 'retry 5 in *([0-9]+) ms.*')"
    holds 'a < 20000' "$(number 'cancelled after 8 connections and ([0-9]+) ms')"
    reconnect_interrupted
}

# Ctrl-C comes in its first wait or soon after it.
reconnect_interrupted() {
    file=reconnect.$$
    trap 'rm -f "$file"' EXIT
    "$program" >"$file" 2>&1 &
    until grep -q retry "$file"; do
        kill -0 $! || fail 'ended early'
        sleep 0.05
    done
    kill -INT $!
    wait $!
    status=$?
    out=$(cat "$file")
    [ $status -eq 0 ] || fail "interrupted, it ended with $status"
    holds 'a < 8' "$(number 'cancelled after ([0-9]+) connections? and .*')"
}

crawler() {
    run 0
    says '503 to everything +100 +0 +600 +0 +110'   # 10 tokens more than the pages
    says '503 to every 20th +200 +200 +2[0-9]+ +200 +2[0-9]+'
    says 'retries: .*, or .* with a budget that allows .*: right'
    says '429s: [1-8], or [1-8] with the budget; at most one for each thread: right'
    says 'waits at the gate: [0-9]+ after a 429; 0 after a 503: right'
    says 'all pages served when the server is back, with the budget: right'
    narrow
}

check_herd() {
    run 0 --clients 1000000 --horizon 1
    narrow
    run 2 --clients 0
    says '.* from 1 to 10000000'
}

case $name in
    many_calls | uv_get | reconnect | crawler) check_options && "$name" ;;
    test_your_client) check_options && run 0 ;;
    herd) check_options && check_herd ;;
    schedule) check_options && run 0 --base 1193h --cap 1193h --retries unlimited && narrow ;;
    quickstart | curl_request) check_options ;;
    *) echo "check_examples.sh: no check is known for \"$name\"" >&2; exit 2 ;;
esac
