#!/bin/sh
# Every `program: test` that mistakes.md names is in test_program.c. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
grep -o '`[a-z_]*: [A-Za-z0-9_]*`' mistakes.md | tr -d '`' | sort -u | {
    count=0 missing=0
    while read -r program test; do
        count=$((count + 1))
        grep -qE "^TEST\\($test\\)" ./*/"test_${program%:}.c" && continue
        echo "mistakes.md names '$test', and test_${program%:}.c has no such test" >&2
        missing=1
    done
    [ $count -gt 100 ] || { echo "mistakes.md names $count tests, of more than 100" >&2; missing=1; }
    exit $missing
}
