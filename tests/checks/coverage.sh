#!/bin/bash
# The unit tests alone reach every line and every branch of src/, and show the independent effect of
# every condition (MC/DC). tests/unit/test_system_scripted*.c include system_posix.c and
# system_windows.c.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need cmake make libc6-dev libcmocka-dev clang-19 libclang-rt-19-dev llvm-19

tree=$build/tree
quietly cmake -S . -B "$tree" -DCMAKE_C_COMPILER=clang-19 $only_unit_tests \
    -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-O1 -fprofile-instr-generate -fcoverage-mapping \
-fcoverage-mcdc -fprofile-update=atomic"
quietly cmake --build "$tree" --parallel "$(nproc)"

objects=()
for program in "$tree"/tests/unit/test_*; do
    quietly env LLVM_PROFILE_FILE="$program.profraw" "$program"
    objects+=(-object "$program")
done
llvm-profdata-19 merge -sparse "$tree"/tests/unit/*.profraw -o "$tree/profile"

cov() {   # COMMAND OPTION... SOURCE...
    llvm-cov-19 "$1" "${objects[@]:1}" -instr-profile="$tree/profile" "${@:2}"
}
cov report -show-mcdc-summary "$PWD"/src/*.[ch] | tee "$build/report"
[ "$(grep -c '\.[ch] ' "$build/report")" = "$(ls src/*.[ch] | wc -l)" ] ||
    fail 'a source is not in the table'

# The columns 9, 12 and 15 are the missed lines, branches and conditions.
short=$(awk '/\.[ch] / && $9 + $12 + $15 > 0 { print "src/" $1 }' "$build/report")
for source in $short; do
    cov show -show-branches=count -show-mcdc "$PWD/$source"
done
[ -z "$short" ] || fail "not all of it is reached: $short"
