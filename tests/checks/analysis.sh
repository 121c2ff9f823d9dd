#!/bin/bash
# Static analysis: clang-format, clang-tidy (.clang-tidy selects the checks), gcc -fanalyzer and
# cppcheck.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev clang-tidy clang-format cppcheck gcc-mingw-w64-x86-64

quietly clang-format --dry-run -Werror src/*.[ch]

quietly clang-tidy --quiet include/*.h -- -xc -std=c99
quietly clang-tidy --quiet $posix -- -std=c99 -Iinclude
quietly clang-tidy --quiet src/system_windows.c src/errno.c -- -target x86_64-w64-mingw32 \
    -isystem /usr/share/mingw-w64/include -std=c99 -Iinclude

for source in $posix; do
    for level in -O0 -O2; do
        quietly gcc -std=c99 $level $warnings -fanalyzer -Iinclude -c "$source" -o "$build/object.o"
    done
done

# These reports are suppressed: functions that only users call, and configurations without EHOSTDOWN
# or the system's headers. cppcheck also reports a suppression that suppresses nothing.
quietly cppcheck --quiet --std=c99 --enable=all --inconclusive --error-exitcode=1 -Iinclude \
    --suppress=unusedFunction --suppress=ConfigurationNotChecked \
    --suppress=missingIncludeSystem src/*.c
echo 'clang-format, clang-tidy, gcc -fanalyzer and cppcheck find nothing'
