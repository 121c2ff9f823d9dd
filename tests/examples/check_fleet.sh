#!/bin/sh
# What the README says that each jitter mode costs is what herd prints: check_fleet.sh HERD README. Called by ctest.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
herd=$1
readme=$(tr -s '\n ' '  ' <"$2")

# says PROGRAM OPTION...: the README has every line that the awk program makes of what herd prints with the options
says() {
    program=$1
    shift
    lines=$("$herd" --clients 100000 "$@" | tr -d '(),%' | awk "$program") && [ -n "$lines" ] || exit 1
    printf '%s\n' "$lines" | while read -r line; do
        printf '%s\n' "$readme" | grep -q -e "$line" || { echo "README.md does not say: $line" >&2; exit 1; }
    done || exit 1
}

thousands='function thousands(s) { return s >= 1000 ? substr(s, 1, length(s) - 5) "," substr(s, length(s) - 4) : s }'
says "$thousands"'
    $1 == "none" { print "REDIAL_JITTER_NONE` | w | " $2 " | more than 3,600 s |" }
    /^(added|spread|equal|full)/ { print "REDIAL_JITTER_" toupper($1) "` |[^|]*| " $2 " | " thousands($3) " s |" }
    /^(added|spread|equal)/ { low = low && low < $6 ? low : $6; high = high > $6 ? high : $6 }
    $1 == "full" { full = $6 }
    $1 == "floor" { print "The best that is possible: " $2 " calls a client, " $3 " s" }
    END { printf "(%.2f calls a client, the others %.2f to %.2f)\n", full / 100, low / 100, high / 100 }'
says '
    $1 == "added" { text = "it needs " $2 " calls and " $3 " s, full jitter " }
    $1 == "full" { print text $2 " and " $3 " s" }' --window 60000

most='/^(added|spread|equal|full)/ { with = $2 > with ? $2 : with; until = $3 > until ? $3 : until }'
says "$most"'
    END { printf "they need %.1f calls and %.0f s\n", with, until }
    $1 == "none" && $3 == ">" { print "Without jitter that is more than 3,600 s" }' --retry-after 30
says "$most"'
    $1 == "none" { without = $3 }
    END { printf "%.1f calls and %.0f s. Without jitter that is more than 3,600 s and %.0f s\n", with, until, without }
    ' --retry-after slot
