#!/bin/sh
# The README's table of what each kind of jitter costs is what herd prints: check_fleet.sh HERD README. Called by ctest.
# SPDX-License-Identifier: MIT
set -u
rows=$("$1" --clients 100000 | awk '$1 ~ /^(added|spread|equal|full)$/ { print toupper($1) "` .*| " $2 " | " $3 " s |$" }')
[ "$(printf '%s\n' "$rows" | wc -l)" -eq 4 ] || { echo "herd printed: $rows" >&2; exit 1; }
printf '%s\n' "$rows" | while read -r row; do
    grep -q "^| .REDIAL_JITTER_$row" "$2" || { echo "README.md has no row REDIAL_JITTER_$row" >&2; exit 1; }
done
