#!/bin/bash
# Runs all unit tests against the two files that the target `single` writes.
. "$(dirname "$0")/lib/check.sh"
need gcc g++ clang gcc-mingw-w64-x86-64 gcc-avr avr-libc libc6-dev cmake make libcmocka-dev binutils

library "$build/cmake" -- single
single=$build/cmake/single

# Nothing else is needed, and both compilers accept them as strict C and C++.
mkdir "$build/alone"
cp "$single/redial.h" "$single/redial.c" "$build/alone"
language_of() {
    case $1 in *++) echo c++ ;; *) echo c ;; esac
}
# A program may include its config.h first. It may have a clock of its own.
mkdir "$build/chosen"
echo '#define REDIAL_NO_SYSTEM 1' >"$build/chosen/config.h"
printf '#define _GNU_SOURCE 1\n#define VERSION "1.0"\n#define HAVE_UNISTD_H 1\n' >"$build/config.h"
for compiler in 'gcc c99' 'gcc c11' 'gcc c2x' 'clang c99' 'clang c11' 'g++ c++11' 'g++ c++14' 'g++ c++17' 'g++ c++20' \
                'clang++ c++11' 'clang++ c++14' 'clang++ c++17' 'clang++ c++20' 'x86_64-w64-mingw32-gcc c99'; do
    set -- $compiler
    for options in '' '-DREDIAL_API=static' "-include $build/config.h" \
                   '-D_GNU_SOURCE -include unistd.h' '-DREDIAL_NO_SYSTEM' \
                   '-DREDIAL_NO_SYSTEM -DREDIAL_API=static' "-DHAVE_CONFIG_H -I$build/chosen"; do
        "$1" -x "$(language_of "$1")" -std="$2" -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion \
            -Wundef -Werror $options -c "$build/alone/redial.c" -o "$build/alone/redial.o"
        nm "$build/alone/redial.o" >"$build/symbols"
        case $options in
        *API=static*) ! grep ' [A-TV-Z] ' "$build/symbols" ||
            fail "$compiler: with -DREDIAL_API=static it exports symbols" ;;
        esac
        case $options in
        *NO_SYSTEM* | *HAVE_CONFIG_H*) ! grep -E ' redial_system| U .*(clock|sleep|Sleep|rand)' "$build/symbols" ||
            fail "$compiler: with -DREDIAL_NO_SYSTEM it has redial_system" ;;
        esac
    done
done
echo '#include "redial.c"' >"$build/alone/included.c"
avr-gcc -mmcu=atmega328p -Os -std=c99 -Wall -Wextra -Wconversion -Werror -DREDIAL_API=static \
    -c "$build/alone/included.c" -o "$build/alone/redial.o"   # an old gcc
echo 'alone: strict C99 to C++20, and for Windows; after a config.h; without the system'

# -fstrict-enums lets a C++ compiler assume that an enum has one of its values. The library still refuses other values.
cat >"$build/alone/enums.cpp" <<'END'
#include <cstdio>
#include "redial.h"
int main(int argc, char **)
{
    static const int no_modes[] = { 5, 6, 7, 8, 9, 16, 255, 1 << 30 };
    static const int no_kinds[] = { 1, 15, 22, 23, 31, 32, 48, 255, 1 << 30 };
    struct redial_policy policy = redial_policy_default();
    struct redial_outcome outcome = redial_done();
    int bad = argc - 1;
    for (int mode : no_modes) {
        *(volatile int *)&policy.jitter = mode;
        bad += redial_policy_check(&policy) != REDIAL_POLICY_JITTER_UNKNOWN;
    }
    policy = redial_policy_default();
    for (int kind : no_kinds) {
        *(volatile int *)&outcome.kind = kind;
        bad += redial_classify(&policy, outcome) != REDIAL_KIND_INVALID;
    }
    std::printf("%d taken for valid\n", bad);
    return bad;
}
END
for level in -O1 -O2 -O3; do
    for compiler in clang++ g++; do
        $compiler -std=c++17 $level -fstrict-enums -x c++ "$build/alone/redial.c" "$build/alone/enums.cpp" \
            -o "$build/alone/enums"
        "$build/alone/enums"
    done
done

# If a source includes it, it defines only names with our prefix: macros, types, functions and variables.
gcc -std=c99 -E -dD "$build/alone/redial.c" | awk '/^# [0-9]+ "/ { ours = $3 ~ /alone/ } ours' >"$build/ours"
gcc -std=c99 -DREDIAL_API=static -fkeep-static-functions -fkeep-static-consts -c "$build/alone/redial.c" \
    -o "$build/alone/redial.o"
{
    sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' "$build/ours"
    sed -n 's/^\(struct\|enum\|union\) \([a-z_0-9]*\) {.*/\2/p' "$build/ours"
    nm "$build/alone/redial.o" | sed -n 's/.* [A-TV-Za-z] \([^.]*\)$/\1/p'   # in a function a variable has a number
} | sort -u >"$build/names"
count=$(wc -l <"$build/names")
[ "$count" -gt 90 ] || fail "only $count names were found"
! grep -vE '^(redial|REDIAL)_|^_(DEFAULT_SOURCE|CRT_RAND_S)$' "$build/names" ||
    fail 'these names are not ours'
echo "in one source: $count names, all of them ours"

tests=
for test in tests/unit/test_*.c; do
    name=$(basename "${test#tests/unit/test_}" .c)
    case $name in
    *_race | internal | system_*) ;;   # they include a source of the library themselves
    *) tests="$tests $name" ;;
    esac
done
tests/checks/lib/single_tests.sh "$single" "$build/suite" gcc g++ $tests
