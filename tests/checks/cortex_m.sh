#!/bin/bash
# The freestanding part works on a Cortex-M0 and a Cortex-M3 in QEMU, linked without a libc.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc-arm-none-eabi qemu-system-arm

check() {   # PROCESSOR MACHINE LEVEL
    local program="$build/$1$3"
    echo "$1 ($2) $3"
    arm-none-eabi-gcc -std=c11 "-mcpu=$1" -mthumb "$3" -ffreestanding $warnings \
        -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections -Wl,--gc-sections \
        -Iinclude -nostdlib -T examples/firmware/cortex_m.ld tests/machines/selftest.c \
        tests/machines/cortex_m.c examples/firmware/cortex_m.c $freestanding -lgcc \
        -o "$program"
    timeout 300 qemu-system-arm -M "$2" -nographic -monitor none -serial none \
        -semihosting-config enable=on,target=native -kernel "$program" \
        </dev/null >"$program.log" 2>&1 ||
        { cat "$program.log"; return 1; }
    all_passed <"$program.log"
}

for level in -O0 -Os -O3; do
    check cortex-m0 microbit $level
    check cortex-m3 lm3s6965evb $level
done
