#!/bin/sh
# What the README says that each kind of jitter costs is what herd prints: check_fleet.sh HERD README. Called by ctest.
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
    $1 == "none" { print "| none [^|]*| w | " $2 " | more than 3,600 s |" }
    /^(added|spread|equal|full)/ { print "REDIAL_JITTER_" toupper($1) "` |[^|]*| " $2 " | " thousands($3) " s |" }
    /^(added|spread|equal)/ { low = low && low < $6 ? low : $6; high = high > $6 ? high : $6 }
    $1 == "full" { full = $6 }
    $1 == "floor" { print "No fleet can do with fewer than " $2 " calls a client and " $3 " s" }
    END { printf "(%.2f calls a client, the others %.2f to %.2f)\n", full / 100, low / 100, high / 100 }'
says '
    $1 == "added" { text = "it needs " $2 " calls and " $3 " s, full jitter " }
    $1 == "full" { print text $2 " and " $3 " s" }' --window 60000

range='/^(added|spread|equal|full)/ { if (!n++) { a = b = $2; c = d = $3 }
       if ($2 < a) a = $2; if ($2 > b) b = $2; if ($3 < c) c = $3; if ($3 > d) d = $3 }'
says "$range"' END { printf "every kind gets by with %.1f calls and %.0f to %.0f s\n", b, c, d }' --retry-after slot
says "$range"' END { printf "without it %.1f to %.1f calls and %.0f to %.0f s\n", a, b, c, d }' --retry-after slot --jitter 0
