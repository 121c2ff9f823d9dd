#!/bin/bash
# Static analysis: clang-format, clang-tidy (.clang-tidy selects the checks), gcc -fanalyzer and cppcheck.
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev clang-tidy clang-format cppcheck gcc-mingw-w64-x86-64
mingw='-target x86_64-w64-mingw32 -isystem /usr/share/mingw-w64/include'
failed=0

tidy() {
    clang-tidy --quiet include/*.h -- -xc -std=c99 &&
        clang-tidy --quiet $posix -- -std=c99 -Iinclude &&
        clang-tidy --quiet src/system_windows.c src/errno.c -- $mingw -std=c99 -Iinclude
}

analyzer() {
    local source level
    for source in $posix; do
        for level in -O0 -O2; do
            gcc -std=c99 $level $warnings -fanalyzer -Iinclude -c "$source" -o "$build/object.o" || return
        done
    done
}

# These reports are suppressed: functions that only users call, and configurations without EHOSTDOWN or the system's
# headers. cppcheck also reports a suppression that suppresses nothing.
cppcheck_all() {
    cppcheck --quiet --std=c99 --enable=all --inconclusive --error-exitcode=1 -Iinclude "$@" \
        --suppress=unusedFunction --suppress=ConfigurationNotChecked \
        --suppress=missingIncludeSystem src/*.c
}

check() {   # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$build/said" 2>&1; then
        echo "$name: nothing found"
    else
        cat "$build/said"
        echo "$name: FAILED"
        failed=1
    fi
}

check clang-format clang-format --dry-run -Werror src/*.[ch]
check clang-tidy tidy
check 'gcc -fanalyzer' analyzer
check cppcheck cppcheck_all
exit $failed
