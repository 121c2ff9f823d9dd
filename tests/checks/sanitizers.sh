#!/bin/bash
# Runs the unit tests with sanitizers and valgrind, each in a build of its own. TSan runs only those
# that are linked with threads. sanitizers.sh NAME...: only these.
# With REDIAL_CI: not those of gcc-asan-ubsan and valgrind.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/cmocka.sh
need cmake make gcc libc6-dev libcmocka-dev clang libclang-rt-14-dev valgrind
fetch_cmocka

# The random number generators of the tests and of an example wrap on purpose.
printf '[integer]\nsrc:%s/*\nsrc:%s/*\n' "$PWD/tests" "$PWD/examples" >"$build/ignored"

# name            compiler  REDIAL_SANITIZE            options
variants="
gcc-asan-ubsan    gcc       address,undefined
clang-asan-ubsan  clang     address,undefined,integer  -fsanitize-ignorelist=$build/ignored
clang-msan        clang     memory
gcc-tsan          gcc       thread
valgrind          gcc       -
"

# MSan needs a cmocka that was compiled with it, and valgrind runs the programs.
run() {   # NAME COMPILER SANITIZERS OPTION...
    local directory=$build/$1 more=() targets=all tests='-L unit' names
    case $1 in
    clang-msan)
        build_cmocka "$build/cmocka" clang -O1 -g -fsanitize=memory
        more=("-DREDIAL_CMOCKA_INCLUDE=$build/cmocka"
            "-DREDIAL_CMOCKA_LIBRARY=$build/cmocka/libcmocka.a") ;;
    valgrind)
        more=(-DCMAKE_CROSSCOMPILING_EMULATOR='valgrind;-q;--error-exitcode=99;--leak-check=full')
        ;;
    gcc-tsan)
        names=$(sed -n 's/^redial_test(\(.*\) Threads::Threads)$/\1/p' tests/unit/CMakeLists.txt)
        targets=$(printf 'test_%s ' $names)
        tests="-R ^($(paste -sd '|' <<<"$names"))\$" ;;
    esac
    cmake -S . -B "$directory" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="-O1 -g ${*:4}" \
        -DREDIAL_SANITIZE="${3#-}" $only_unit_tests "${more[@]}" &&
        cmake --build "$directory" --parallel "$(nproc)" --target $targets &&
        ctest --test-dir "$directory" $tests --no-tests=error --output-on-failure \
            --parallel "$(nproc)"
}

[ $# -gt 0 ] || [ -z "${REDIAL_CI-}" ] || set -- clang-asan-ubsan clang-msan gcc-tsan
chosen=$(for name in "${@:-[a-z]}"; do grep "^$name" <<<"$variants" || fail "no $name" >&2; done)
while read -r name rest; do
    start=$SECONDS
    quietly run "$name" $rest </dev/null
    passed=$(sed -n 's/^100% tests passed, 0 tests failed out of //p' "$build/log")
    echo "$name: $passed programs, nothing found, $((SECONDS - start)) s"
done <<<"$chosen"
