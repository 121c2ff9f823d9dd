#!/bin/bash
# The freestanding part works on two AVRs in simavr, where int has 16 bits. The second AVR has more
# than 64 Ki words of code, so its pointers to functions need more than 16 bits.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc-avr avr-libc simavr

for processor in atmega1284 atmega2560; do
    echo "$processor"
    avr-gcc -std=c11 "-mmcu=$processor" -Os $warnings -Iinclude tests/machines/selftest.c \
        tests/machines/avr.c $freestanding -o "$build/selftest"
    # simavr's exit status is not the program's.
    timeout 300 simavr -m "$processor" -f 16000000 "$build/selftest" \
        </dev/null >"$build/log" 2>&1 || true
    all_passed <"$build/log"
done
