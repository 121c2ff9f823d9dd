#!/bin/bash
# The freestanding part includes no libc header, and needs no symbols but the compiler's run-time
# and the four functions that a compiler may call by itself, also where unused sections are kept.
# cortex_m.sh links it without a libc.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev clang gcc-arm-none-eabi gcc-avr

# The files that redial.h lists for redial_next on bare metal are enough.
listed=$(tr -s '\n ' '  ' <include/redial.h |
    sed -n 's/.*On bare metal, compile \([^:]*\) Add .*/\1/p' |
    grep -oE '[a-z_]+\.c')
[ -n "$listed" ] || fail 'include/redial.h lists no files for bare metal'
for name in $listed; do
    [[ " $freestanding " == *" src/$name "* ]] ||
        fail "include/redial.h: src/$name is not freestanding"
done
echo '#include <redial.h>
int main(void) { return (int)redial_next(0, 0, redial_http(503, 0, "GET"), 0).delay_ms; }' \
    >"$build/next.c"
quietly gcc -Iinclude "$build/next.c" $(printf 'src/%s ' $listed) -o "$build/next"

# check NAME ALLOWED COMPILER OPTION...: the objects together need no symbols but those of the file
# ALLOWED
check() {
    local name=$1 allowed=$2 source
    shift 2
    rm -f "$build"/*.o
    for source in $freestanding; do
        "$@" -std=c99 -ffreestanding $warnings -Iinclude -c "$source" \
            -o "$build/$(basename "$source" .c).o"
    done
    nm -u "$build"/*.o | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u |
        comm -23 - <(symbols "$build"/*.o) >"$build/undefined"
    echo "$name: undefined: $(paste -sd ' ' "$build/undefined")"
    ! grep -vxFf "$allowed" "$build/undefined" || fail "$name: these are not allowed"
}

own_headers() {
    echo "-nostdinc -isystem $("$1" -print-file-name=include)"
}

printf '%s\n' memcmp memcpy memmove memset >"$build/four"
for level in -O0 -Os -O3; do
    check "gcc x86-64 $level" "$build/four" \
        gcc $level -mgeneral-regs-only $(own_headers gcc)   # no float either
    check "clang x86-64 $level" "$build/four" clang $level -nostdlibinc
done
for target in 'arm-none-eabi -mcpu=cortex-m0 -mthumb' 'arm-none-eabi -mcpu=cortex-m0plus -mthumb' \
              'arm-none-eabi -mcpu=cortex-m23 -mthumb' 'arm-none-eabi -mcpu=cortex-m4 -mthumb' \
              'avr -mmcu=atmega1284' 'avr -mmcu=atmega2560'; do
    set -- $target
    prefix=$1
    shift
    # The compiler's run-time: the symbols that its own library defines.
    "$prefix-nm" -g --defined-only "$("$prefix-gcc" "$@" -print-libgcc-file-name)" 2>/dev/null |
        awk 'NF == 3 { print $3 }' | cat - "$build/four" >"$build/allowed"
    for level in -Os -O2; do
        check "$target $level" "$build/allowed" "$prefix-gcc" "$@" $level \
            $(own_headers "$prefix-gcc")
    done
done
