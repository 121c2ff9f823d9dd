#!/bin/sh
# The unit tests against the two files redial.h and redial.c: as C99, as C++17, and included into the test's own source.
#     single_tests.sh SINGLE BUILD CC CXX NAME...      if CXX is empty, C++ is left out
# SPDX-License-Identifier: MIT
set -eu
export LC_ALL=C
tests=$(CDPATH= cd -- "$(dirname -- "$0")/../../unit" && pwd)
single=$1 build=$2 cc=$3 cxx=$4
shift 4
warnings='-Wall -Wextra -Wpedantic -Werror'

mkdir -p "$build"

link() {   # NAME FILE...
    name=$1 wrap=
    shift
    [ "$name" != allocation ] || wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
    "$cc" "$@" -o "$build/test_$name" $wrap -lcmocka -lpthread
}

run() {   # HOW NAME
    "$build/test_$2" >"$build/output" 2>&1 || { cat "$build/output"; echo "$2, $1: failed"; exit 1; }
}

compile() {   # FILE OBJECT OPTION...
    file=$1 object=$2
    shift 2
    "$cc" -std=gnu11 $warnings "-I$single" "-I$tests" "$@" -c "$file" -o "$object"
}

"$cc" -std=c99 $warnings -c "$single/redial.c" -o "$build/c99.o"
[ -z "$cxx" ] || "$cxx" -x c++ -std=c++17 $warnings -c "$single/redial.c" -o "$build/c++17.o"
for name in "$@"; do
    compile "$tests/test_$name.c" "$build/test.o"
    for object in "$build"/c*.o; do
        link "$name" "$build/test.o" "$object"
        run "$(basename "$object" .o)" "$name"
    done
    printf '#include "redial.c"\n#include "%s"\n' "test_$name.c" >"$build/one.c"
    compile "$build/one.c" "$build/one.o" -DREDIAL_API=static
    link "$name" "$build/one.o"
    run 'in one source' "$name"
    echo "$name: passed as C99, ${cxx:+as C++17, }in one source"
done
