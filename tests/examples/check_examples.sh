#!/bin/sh
# check_examples.sh PROGRAM: runs an example in its quick form, checks what it prints and how it ends. Called by ctest.
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

# says REGEX: so does a line of it, as a whole.
says() {
    printf '%s\n' "$out" | grep -Exq -- "$1" || fail "no line says: $1"
}

# holds CONDITION NUMBER...: a sum that awk does, a b c standing for the numbers.
holds() {
    condition=$1
    shift
    awk -v a="${1:--1}" -v b="${2:--1}" -v c="${3:--1}" "BEGIN { exit !($condition) }" </dev/null ||
        fail "does not hold: $condition, of $*"
}

# number REGEX: what stands in its parentheses, where a line of the output is as it says.
number() {
    printf '%s\n' "$out" | sed -nE "s/^$1\$/\\1/p"
}

counted() {
    printf '%s\n' "$out" | grep -Ec -- "$1"
}

check_many_calls() {
    run 0 "$1"
    says "$1 calls at once, at most $2 sockets"
    says 'both sides agree'
    says 'memory: (36|28) bytes a call, .*'     # of 64 and of 32 bits; examples/README.md says 36
    attempts=$(number '([0-9]+) attempts, .*')
    holds 'a > 2 * b' "$attempts" "$1"
    # One of the 100 ms that make up the whole time has its share of the attempts.
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
    run 2 none
    says 'many_calls: the number of calls must be 1..1000000, not "none"'
    run 2 1000001
    says '.*not "1000001"'
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
    says 'retry 3 in .*: was up 0 ms, .*timed out'  # hung for longer than min_uptime_ms, and grows on
    holds 'a >= 1000' "$(number 'retry 1 in .*: was up ([0-9]{4,}) ms.*')"
    holds 'a >= 20000' "$(number 'retry 5 in *([0-9]+) ms.*')"
    holds 'a < 20000' "$(number 'cancelled after 8 connections and ([0-9]+) ms')"
    reconnect_interrupted
}

# A Ctrl-C as soon as it waits or dials again.
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
    says 'retries without: .* allowed: kept'
    says '429s: [1-8] without; [1-8] with, at most one a thread: kept'
    says 'when it is back, with the budget: recovered'
}

case $name in
    many_calls | uv_get | reconnect | crawler) "$name" ;;
    *) echo "check_examples.sh: no check is known for \"$name\"" >&2; exit 2 ;;
esac
