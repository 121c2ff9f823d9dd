#!/bin/bash
# CMake builds examples/firmware with redial as a part of it, and it runs on a board in QEMU. The
# log has the modem's answers, and no attempt came before its wait was over, even where the clock
# wrapped.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm

for source in firmware board cortex_m; do
    arm-none-eabi-gcc -std=c11 -mcpu=cortex-m0 -mthumb -Os -ffreestanding $warnings -Iinclude \
        -c "examples/firmware/$source.c" -o "$build/object.o"
done

# On a processor with compare-and-swap, all but the hosted parts is there, and needs no libc but the
# four functions that a compiler may call by itself.
library "$build/host" redial
library "$build/m3" redial -DCMAKE_TOOLCHAIN_FILE=examples/firmware/cortex_m0.cmake \
    '-DCMAKE_C_FLAGS=-mcpu=cortex-m3 -mthumb -Os -ffreestanding'
diff <(symbols "$build/host/libredial.a" | grep -vx redial_system) \
    <(symbols "$build/m3/libredial.a") ||
    fail "these symbols are only in the hosted library (<) or in that for a Cortex-M3 (>)"
! arm-none-eabi-nm -u "$build/m3/libredial.a" |
    grep -vE ':$|^$| U (redial_|__aeabi_|mem(cmp|cpy|move|set)$)' || exit 1
library "$build/no_libc" redial -DCMAKE_TOOLCHAIN_FILE=examples/firmware/cortex_m0.cmake \
    "-DCMAKE_C_FLAGS=-mcpu=cortex-m0 -mthumb -nostdinc -isystem \
$(arm-none-eabi-gcc -print-file-name=include)"
! symbols "$build/no_libc/libredial.a" | grep -x redial_errno ||
    fail 'redial_errno is there without an errno.h'

timeout 300 examples/firmware/run >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
cat "$build/log"
grep -E '^[0-9]+ [a-z_]+ [0-9]+$' "$build/log" >"$build/events"

# The third reading may or may not be in the log when QEMU is ended.
said=$(awk '$2 != "wait" && !($2 == "reading" && $3 == 3) { printf "%s %s, ", $2, $3 }' \
    "$build/events")
wanted='reading 1, status 503, status 0, status 429, status 200, done 4, '
wanted+='reading 2, status 503, status 404, failed 2, '
[ "$said" = "$wanted" ] || { printf 'said   %s\nwanted %s\n' "$said" "$wanted"; exit 1; }

# The event after a wait comes when the wait is over, or later. Times are compared modulo 2^32.
awk 'function since(a, b) { return b >= a ? b - a : b - a + 4294967296 }
     waiting && since(at, $1) < wait { print "came too early: " $0; early = 1 }
     { waiting = $2 == "wait"; at = $1; wait = $3; waits += waiting }
     { wrapped += $1 < last; last = $1 }
     END {
         if (wrapped != 1 || waits != 4) { print "wraps: " wrapped ", waits: " waits; early = 1 }
         exit early
     }
' "$build/events"
