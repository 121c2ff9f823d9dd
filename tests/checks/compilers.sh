#!/bin/bash
# The unit tests pass and no compiler warns, with gcc and clang at every level of optimisation.
# With REDIAL_CI: one level each, because that takes minutes.
# tcc 0.9.27 has no compare-and-swap. It compiles the two files without budget and gate.
. "$(dirname "$0")/lib/check.sh"
need cmake ninja-build gcc libc6-dev libcmocka-dev clang clang-19 tcc

check() {   # COMPILER LEVEL
    local tree=$build/$1$2
    quietly cmake -S . -B "$tree" -G Ninja -DCMAKE_C_COMPILER="$1" -DREDIAL_DEVELOPER=ON \
        -DREDIAL_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$2"
    quietly cmake --build "$tree" --parallel "$(nproc)"
    quietly ctest --test-dir "$tree" -L quick -E '^single_' --parallel "$(nproc)" \
        --output-on-failure
    echo "$1 $2: $(grep 'tests passed' "$build/log")"
}

if [ "${REDIAL_CI-}" ]; then
    check gcc -O3
    check clang -Os
    check clang-19 -O2
    exit
fi
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
