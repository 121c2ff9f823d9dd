#!/bin/sh
# What the README says that each jitter mode costs is what herd prints: check_fleet.sh HERD README. Called by ctest.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
herd=$1
readme=$(tr -d ',' <"$2" | tr -s '\n ' '  ')     # no commas there either

# says PROGRAM OPTION...: the README has every line that the awk program makes of what herd prints with the options
says() {
    program=$1
    shift
    lines=$("$herd" --clients 100000 "$@" | tr -d '(),%' | awk "$program") && [ -n "$lines" ] || exit 1
    printf '%s\n' "$lines" | while read -r line; do
        printf '%s\n' "$readme" | grep -q -e "$line" || { echo "README.md does not say: $line" >&2; exit 1; }
    done || exit 1
}

says '
    $1 == "none" { print "REDIAL_JITTER_NONE` | w | " $2 " | " $3 " s |" }
    /^(added|spread|equal|full)/ { print "REDIAL_JITTER_" toupper($1) "` |[^|]*| " $2 " | " $3 " s |" }
    /^(added|spread|equal)/ { low = low && low < $6 ? low : $6; high = high > $6 ? high : $6 }
    $1 == "full" { full = $6 }
    $1 == "floor" { print "The best that is possible: " $2 " calls a client " $3 " s" }
    END { printf "(%.2f calls a client the others %.2f to %.2f)\n", full / 100, low / 100, high / 100 }'
says '
    $1 == "added" { print "ADDED needs " $2 " calls and " $3 " s SPREAD " }
    $1 == "spread" || $1 == "full" { print toupper($1) " " $2 " and " $3 " s" }' --window 100
says '
    $1 == "added" { text = "it needs " $2 " calls and " $3 " s full jitter " }
    $1 == "full" { print text $2 " and " $3 " s" }' --window 60000
says '
    $1 == "30" && ($5 != $7 || $5 != $9 || $5 != $11) { print "all four do not do the same" }
    $1 == "30" { printf "they need %s calls and %.0f s and without jitter %s calls and %.0f s\n", $4, $5, $2, $3 }
    $1 == "a" { printf "each needs %s calls and all %.0f s\n", $5, $6 }' --table answers
gates='--table gates --clients 640 --workers 64 --jobs 100 --pause 1000 --capacity 160 --retry-after 1 --horizon 600'
# shellcheck disable=SC2086
says '
    $1 == "429" { print $6 " wasted calls in place of " $3 }
    $1 == "503" { print $8 " % are served in 600 s and not all in " $4 " s" }
    ' $gates
printf '%s\n' "$readme" | grep -q -e "$gates" || { echo "README.md does not say: $gates" >&2; exit 1; }
