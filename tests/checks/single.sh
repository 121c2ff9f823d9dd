#!/bin/bash
# Runs all unit tests against the two files that the target `single` writes. With REDIAL_CI they are
# compiled as fewer versions of C and C++, and with fewer levels of optimisation.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc g++ clang gcc-mingw-w64-x86-64 gcc-avr avr-libc libc6-dev cmake make libcmocka-dev binutils

library "$build/a (b)" single
single="$build/a (b)/single"

# Both compilers accept them as strict C and C++. A program may include its config.h first, or have
# a clock of its own. HAVE_CONFIG_H asks for no header: that of the program may have another name.
printf '#define _GNU_SOURCE 1\n#define VERSION "1.0"\n#define HAVE_UNISTD_H 1\n' >"$build/config.h"
compilers=(gcc\ c99 clang\ c11 g++\ c++11 clang++\ c++20 'x86_64-w64-mingw32-gcc c99')
[ -n "${REDIAL_CI-}" ] ||
    compilers+=(gcc\ {c11,c2x} clang\ c99 g++\ c++{14,17,20} clang++\ c++{11,14,17})
for compiler in "${compilers[@]}"; do
    set -- $compiler
    for options in '' '-DREDIAL_API=static' "-include $build/config.h" \
                   '-D_GNU_SOURCE -include unistd.h' '-DREDIAL_NO_SYSTEM' \
                   '-DREDIAL_NO_ATOMICS -DREDIAL_API=static' \
                   '-DREDIAL_NO_SYSTEM -DREDIAL_API=static' -DHAVE_CONFIG_H; do
        "$1" -x "${2%%[0-9]*}" -std="$2" -pedantic-errors -Wall -Wextra -Wshadow -Wconversion \
            -Wsign-conversion -Wundef -Werror $options -c "$single/redial.c" -o "$build/redial.o"
        nm "$build/redial.o" >"$build/symbols"
        [[ $options != *API=static* ]] || ! grep ' [A-TV-Z] ' "$build/symbols" ||
            fail "$compiler: with -DREDIAL_API=static it exports symbols"
        [[ $options != *NO_SYSTEM* ]] ||
            ! grep -E ' redial_system| U .*(clock|sleep|Sleep|rand)' "$build/symbols" ||
            fail "$compiler: with -DREDIAL_NO_SYSTEM it has redial_system"
    done
done
echo '#include "redial.c"' >"$build/included.c"
avr-gcc -mmcu=atmega328p -Os -std=c99 -Wall -Wextra -Wconversion -Werror -DREDIAL_API=static \
    -I"$single" -c "$build/included.c" -o "$build/redial.o"   # an old gcc
echo 'alone: strict C99 to C++20, and for Windows; after a config.h; without the system'

# The library refuses unknown values of enums. -fstrict-enums lets a C++ compiler assume that an
# enum has no more bits than its values need. Kinds have room for unknown ones, and modes of jitter
# fill their two bits: with clang++ -fstrict-enums an unknown mode passes, and draws as WIDE.
cat >"$build/enums.cpp" <<'END'
#include <initializer_list>
#include "redial.h"
int main()
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_outcome outcome = redial_done();
    struct redial_call call;
    int bad = 0;
    for (int kind : { 1, 15, 18, 30, 35, 63, 64, 255, 1 << 30 }) {
        *(volatile int *)&outcome.kind = kind;
        redial_begin(&call, &policy, 0);
        bad += redial_next(&call, 0, outcome, 0).verdict != REDIAL_INVALID;
    }
    for (int mode : { 4, 5, 7, 8, 9, 16, 255, 1 << 30 }) {
        *(volatile int *)&policy.jitter = mode;
        bad += MODES && !redial_policy_error(&policy);
    }
    return bad;
}
END
for compiler in {clang++,g++}' '-O{1,2,3}' '{-DMODES=1,'-DMODES=0 -fstrict-enums'}; do
    [ -z "${REDIAL_CI-}" ] || [[ $compiler = *-O2* ]] || continue
    $compiler -std=c++17 -I"$single" -x c++ "$single/redial.c" "$build/enums.cpp" -o "$build/enums"
    "$build/enums" || fail "$compiler takes $? values of enums for valid"
done

# If a source includes it, it defines only names with our prefix: macros, types, functions and
# variables. Those that redial.h does not have end in _.
gcc -std=c99 -E -dD "$single/redial.c" | awk '/^# [0-9]+ "/ { ours = /single/ } ours' >"$build/ours"
gcc -std=c99 -DREDIAL_API=static -fkeep-static-functions -fkeep-static-consts \
    -c "$single/redial.c" -o "$build/redial.o"
{
    sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' "$build/ours"
    sed -n 's/^\(struct\|enum\|union\) \([a-z_0-9]*\) {.*/\2/p' "$build/ours"
    nm "$build/redial.o" | sed -n 's/.* [A-TV-Za-z] \([^.]*\)$/\1/p'   # a name with a . is local
} | sort -u >"$build/names"
count=$(wc -l <"$build/names")
[ "$count" -gt 90 ] || fail "only $count names were found"
grep -owE '(redial|REDIAL)_\w+' "$single/redial.h" | sort -u >"$build/public"
! grep -vE '^(redial_\w+|REDIAL_\w+)_$|^REDIAL_[A-Z]+_H$|^_(DEFAULT_SOURCE|CRT_RAND_S)$' \
    "$build/names" | grep -vxF -f "$build/public" || fail 'these names have not the form redial_x_'
echo "in one source: $count names, all of them ours"

# Without those that include a source of the library themselves.
tests=$(ls tests/unit/test_*.c | sed 's|.*/test_\(.*\)\.c|\1|' |
    grep -vE '^race$|^mix$|^system_')
tests/checks/lib/single_tests.sh "$single" "$build/suite" gcc g++ $tests
