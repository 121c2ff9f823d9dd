#!/bin/sh
# The unit tests against the two files redial.h and redial.c: as C99, as C++17, and included into
# the test's own source.
#     single_tests.sh SINGLE BUILD CC CXX NAME...      if CXX is empty, C++ is left out
# SPDX-License-Identifier: MIT
set -eu
export LC_ALL=C
tests=$(CDPATH= cd -- "$(dirname -- "$0")/../../unit" && pwd)
single=$1 build=$2 cc=$3 cxx=$4
shift 4
warnings='-Wall -Wextra -Wpedantic -Werror'

mkdir -p "$build"

compile() {   # FILE OBJECT OPTION...
    file=$1 object=$2
    shift 2
    "$cc" -std=gnu11 $warnings "-I$single" "-I$tests" "$@" -c "$file" -o "$object"
}

run() {   # HOW NAME OBJECT...
    how=$1 name=$2
    shift 2
    "$cc" "$@" -o "$build/test" -lcmocka -lpthread
    "$build/test" >"$build/output" 2>&1 && return
    cat "$build/output"
    echo "$name, $how: failed"
    exit 1
}

"$cc" -std=c99 $warnings -c "$single/redial.c" -o "$build/c99.o"
[ -z "$cxx" ] || "$cxx" -x c++ -std=c++17 $warnings -c "$single/redial.c" -o "$build/c++17.o"
for name in "$@"; do
    compile "$tests/test_$name.c" "$build/test.o"
    for object in "$build"/c*.o; do
        run "$(basename "$object" .o)" "$name" "$build/test.o" "$object"
    done
    printf '#include "redial.c"\n#include "%s"\n' "test_$name.c" >"$build/one.c"
    compile "$build/one.c" "$build/one.o" -DREDIAL_API=static
    run 'in one source' "$name" "$build/one.o"
    echo "$name: passed as C99, ${cxx:+as C++17, }in one source"
done
