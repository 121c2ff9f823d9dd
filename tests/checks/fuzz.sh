#!/bin/bash
# Runs libFuzzer on each target of tests/fuzz, with ASan and UBSan, beginning with the committed
# inputs.
# fuzz.sh SECONDS: for so many seconds, instead of 300, or 10 with REDIAL_CI.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need clang libclang-rt-14-dev libc6-dev
seconds=300
[ -z "${REDIAL_CI-}" ] || seconds=10
seconds=${1:-$seconds}

fuzz() {   # TARGET
    local directory=$build/$1 log=$build/$1.log
    mkdir -p "$directory/found"
    clang -std=gnu11 -O1 -g $warnings -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all -Iinclude "tests/fuzz/$1.c" $posix -o "$directory/fuzz"
    "$directory/fuzz" -max_total_time="$seconds" -max_len=400 -timeout=10 -use_value_profile=1 \
        -artifact_prefix="$directory/" "$directory/found" "tests/fuzz/corpus/$1" >"$log" 2>&1 || {
        grep -vE '^#[0-9]+[[:space:]]+(NEW|REDUCE|pulse|INITED|READ|RELOAD)' "$log" | tail -n 60
        echo "$1: FAILED with the input"
        od -A d -t x1z "$directory"/*-*
        return 1
    }
    awk -v target="$1" '/DONE/ { runs = substr($1, 2) }
        END { print target ": " runs " runs, nothing found"; exit !runs }' "$log"
}

for target in parsers next run; do   # at the same time
    fuzz $target &
done
failed=0
for target in 1 2 3; do
    wait -n || failed=1
done
exit $failed
