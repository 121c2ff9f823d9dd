#!/bin/bash
# The bytes in README.md and redial.h are right, and no call costs more than its limit. It prints
# what it measures, a key and a value a line: instructions (gcc -O2, by callgrind), and bytes. The
# instructions of hooks and of the operation are not counted.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev valgrind gcc-arm-none-eabi
[ "$(uname -m)" = x86_64 ] || skip "instructions are counted on x86_64, and this is $(uname -m)"

# ---- what is measured ----

# Instructions of the functions that each *_once in numbers.c calls, with everything that they call
# but the hooks.
instructions() {
    gcc -std=c11 -O2 $warnings -Iinclude tests/checks/numbers.c $freestanding -o "$build/cost"
    valgrind --quiet --tool=callgrind --compress-strings=no --compress-pos=no \
        --callgrind-out-file="$build/out" "$build/cost"
    awk '/^fn=/ { caller = substr($0, 4) }
         /^cfn=/ { callee = substr($0, 5) }
         /^calls=/ {
             getline   # which says what the callee took
             if (caller ~ /_once$/)
                 took[substr(caller, 1, length(caller) - 5)] += $2
             else if (callee ~ /^(succeed|redial_fake_)/)
                 took["run"] -= $2
         }
         END { for (name in took) print name "_instructions", took[name] }' "$build/out"
}

# links NAME FUNCTION...: what these functions add to a program for a Cortex-M0, if --gc-sections
# removes the rest: code and constants. memset, memcpy and the compiler's run-time (for the M0 a
# 64-bit multiplication) are not counted.
links() {
    local name=$1
    shift
    arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os -ffreestanding -std=c99 $warnings \
        -ffunction-sections -Iinclude $freestanding -nostdlib -static \
        -Wl,--gc-sections,--unresolved-symbols=ignore-all,-e,"$1" "${@/#/-Wl,-u,}" \
        -o "$build/linked"
    arm-none-eabi-size "$build/linked" | awk -v key="m0_links_$name" 'NR == 2 { print key, $1 }'
}

# What the two files add to a program that calls redial_run, compiled by themselves and included as
# static.
embedded() {
    local way
    quietly cmake -DOUT="$build/single" -P src/package/single.cmake
    printf '#include INCLUDED
        static struct redial_outcome get(void *user, const struct redial_attempt *attempt)
        { (void)user; return redial_http((int)attempt->number, 0, "GET"); }
        int main(void) { struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        return redial_run(&policy, redial_system(), get, 0, 0); }\n' >"$build/calls.c"
    echo 'int main(void) { return 0; }' >"$build/empty.c"
    for way in 'empty empty.c' 'object calls.c single/redial.c -DINCLUDED="redial.h"' \
               'static calls.c -DREDIAL_API=static -DINCLUDED="redial.c"'; do
        set -- $way
        (cd "$build" && gcc -w -O2 -Isingle "${@:2}" -o "embedded_$1" && size "embedded_$1") |
            awk -v key="$1" 'NR == 2 { print key, $1 + $2 }'
    done | awk '$1 == "empty" { empty = $2; next } { print "embedded_" $1, $2 - empty }'
}

{
    instructions
    links decision redial_begin redial_next redial_http
    links run redial_run
    embedded
    library=$(arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -print-libgcc-file-name)
    size=$(arm-none-eabi-nm -S "$library" | awk '$4 == "__aeabi_lmul" { print $2 }')
    echo "lmul_bytes $((0x$size))"
} >"$build/numbers"
cat "$build/numbers"
echo "(without the instructions of the hooks)"

# ---- what is said of it ----

measured() {   # KEY
    sed -n "s/^$1 //p" "$build/numbers"
}

# said KEY PERCENT SENTENCE: README.md has the sentence, and its number differs from the measured
# one by PERCENT at most
said() {
    local written
    written=$(tr -s '\n ' '  ' <README.md | sed -n "s/.*$3.*/\1/p" | tr -d ,)
    awk -v w="$written" -v m="$(measured "$1")" -v percent="$2" 'BEGIN {
        off = w > m ? w - m : m - w
        exit w == "" || m == "" || off * 100 > percent * m
    }' ||
        fail "$1: README.md says ${written:-nothing}, and $(measured "$1") was measured"
}
said m0_links_decision 5 \
    '`redial_begin`, `redial_next` and `redial_http` link as \([0-9,]*\) bytes on a Cortex-M0'
said lmul_bytes 0 "64-bit multiplication adds \([0-9]*\)"
said call_bytes 0 'A call takes \([0-9]*\) bytes'

kb() {   # KEY
    measured "$1" | awk '{ printf "%.1f KB", $1 / 1000 }'
}
tr -s '\n ' '  ' <include/redial.h |
    grep -q "adds $(kb embedded_static), and not $(kb embedded_object)" ||
    fail "include/redial.h: redial.c included as static adds $(kb embedded_static)," \
        "and by itself $(kb embedded_object)"

most() {   # KEY LIMIT
    local number
    number=$(measured "$1")
    [ "${number:-$(($2 + 1))}" -le "$2" ] ||
        fail "$1: measured ${number:-nothing}, and the limit is $2"
}
most full_draw_instructions 25
most next_instructions 130
most next_and_http_instructions 195
most run_instructions 285
most m0_links_decision 1100
most m0_links_run 1680
most call_bytes 24
