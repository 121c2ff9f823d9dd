#!/bin/sh
# herd prints the figures of each jitter mode that README.md and examples/README.md have.
# check_fleet.sh HERD ROOT. Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
herd=$1
root=$2

# says DOCUMENT PROGRAM OPTION...: herd runs with the options, and the awk program makes sentences
# from its output. The document has each of them. Commas, parentheses and percent signs are ignored.
says() {
    document=$1
    program=$2
    shift 2
    text=$(tr -d ',()%' <"$root/$document" | tr -s '\n ' '  ')
    lines=$("$herd" --clients 100000 "$@" | tr -d '(),%' | awk "$program") && [ -n "$lines" ] ||
        exit 1
    printf '%s\n' "$lines" | while read -r line; do
        printf '%s\n' "$text" | grep -q -e "$line" ||
            { echo "$document does not say: $line" >&2; exit 1; }
    done || exit 1
}

says README.md '
    /^The server takes/ { sub("The", "the"); sub(" with.*", ""); print }
    $1 == "none" { print "REDIAL_JITTER_NONE` | w | " $2 " | " $3 " s |" }
    /^(added|wide|full)/ { print "REDIAL_JITTER_" toupper($1) "` |[^|]*| " $2 " | " $3 " s |" }'
says examples/README.md '
    /^(added|wide)/ { high = high > $6 ? high : $6 }
    $1 == "full" { full = $6 }
    $1 == "floor" { print "The best that is possible is " $2 " attempts a client and " $3 " s" }
    END { printf "FULL makes %.0f attempts for every 100 clients; " \
                 "ADDED and WIDE make at most %.0f.\n",
                 full, high }'
# Processes that share a gate, with the default jitter mode.
gates='--mode added --clients 640 --workers 64 --jobs 100 --pause 1s --capacity 160
    --retry-after 1'
for options in '' '--gate 429'; do
    # shellcheck disable=SC2086
    says examples/README.md '$1 == "added" {
        print $(NF - 1) " attempts are wasted and all are served after " $3 " s" }' $gates $options
done
