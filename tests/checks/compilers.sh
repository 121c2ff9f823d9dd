#!/bin/bash
# The unit tests pass and nobody warns, with gcc and clang at every level of optimisation.
# tcc has no compare-and-swap for budget.c: it takes the freestanding part and its test.
. "$(dirname "$0")/lib/check.sh"
need cmake ninja-build gcc libc6-dev libcmocka-dev clang clang-19 tcc

check() {   # COMPILER LEVEL
    local tree=$build/$1$2
    CC=$1 cmake -S . -B "$tree" -G Ninja -DREDIAL_DEVELOPER=ON -DREDIAL_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="$2" >/dev/null
    cmake --build "$tree" --parallel "$(nproc)" -- --quiet
    ctest --test-dir "$tree" -L quick --parallel "$(nproc)" --output-on-failure >"$tree/said" 2>&1 ||
        { cat "$tree/said"; return 1; }
    echo "$1 $2: $(grep 'tests passed' "$tree/said")"
}

for compiler in gcc clang clang-19; do
    for level in -O0 -O1 -O2 -O3 -Os; do
        check $compiler $level
    done
done

tcc -std=c11 -Wall -Werror -Iinclude tests/machines/selftest.c tests/machines/hosted.c $freestanding \
    -o "$build/selftest"
echo "$(tcc -v)"
"$build/selftest" | all_passed
