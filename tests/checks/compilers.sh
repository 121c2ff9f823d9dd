#!/bin/bash
# The unit tests pass and no compiler warns, with gcc and clang at every level of optimisation, and
# with -fshort-enums. With REDIAL_CI: gcc-11 alone, because other checks of CI compile the tests by
# gcc, clang and clang-19.
# tcc 0.9.27 has no compare-and-swap. It compiles the two files without budget and gate.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/code.sh
need cmake ninja-build gcc gcc-11 libc6-dev libcmocka-dev clang clang-19 tcc

check() {   # COMPILER OPTIONS
    local tree=$build/tree
    rm -rf "$tree"
    quietly cmake -S . -B "$tree" -G Ninja -DCMAKE_C_COMPILER="$1" -DREDIAL_DEVELOPER=ON \
        $only_unit_tests -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$2"
    quietly cmake --build "$tree" --parallel "$(nproc)"
    quietly ctest --test-dir "$tree" -L unit --parallel "$(nproc)" --output-on-failure
    echo "$1 $2: $(grep 'tests passed' "$build/log")"
}

check gcc-11 '-O3 -fshort-enums'
[ -z "${REDIAL_CI-}" ] || exit 0
check gcc-11 -O3
check gcc '-O3 -fshort-enums'
for compiler in gcc clang clang-19; do
    for level in -O0 -O1 -O2 -O3 -Os; do
        check $compiler $level
    done
done

quietly cmake -DOUT="$build/single" -P src/package/single.cmake
tcc -std=c11 -Wall -Werror -DREDIAL_NO_ATOMICS -I"$build/single" tests/machines/selftest.c \
    tests/machines/hosted.c "$build/single/redial.c" -o "$build/selftest"
echo "$(tcc -v)"
"$build/selftest" | all_passed

# Emscripten, under node: the self test, and the program of README, which waits twice by
# redial_system.
need emscripten
quietly readme_program "$build/readme" emcc -sSINGLE_FILE=1 -std=c11 -Wall -Werror
began=$SECONDS
timeout 60 node "$build/readme/a.out.js" | cmp - <(printed_by_readme) ||
    fail 'Emscripten: the program of README does not work'
[ $((SECONDS - began)) -ge 2 ] || fail 'Emscripten: the program of README does not wait'
quietly emcc -sSINGLE_FILE=1 -std=c11 -Wall -Werror -Iinclude src/*.c tests/machines/selftest.c \
    tests/machines/hosted.c -o "$build/p.js"
timeout 60 node "$build/p.js" >"$build/said" || fail "Emscripten: the self test ended with $?"
all_passed <"$build/said"
echo "$(emcc --version | head -n 1)"
