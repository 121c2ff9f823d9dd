#!/bin/sh
# fleet refuses what makes no sense, each of its options counts, its table is right for one client,
# the documents have its figures, and README's picture is the one that it draws.
# check_fleet.sh FLEET ROOT. Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
fleet=$1
root=$2
folder=check_fleet.$$
mkdir "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT

wrong() { echo "$*" >&2; exit 1; }

# Refusals: the options, and the only line on stderr.
while IFS='|' read -r options rule; do
    # shellcheck disable=SC2086
    "$fleet" $options >"$folder/out" 2>"$folder/err"
    [ $? = 2 ] && [ "$(cat "$folder/err")" = "fleet: $rule" ] && ! [ -s "$folder/out" ] ||
        wrong "fleet $options was to be refused: $(cat "$folder/err")"
done <<'END'
--clients 0|--clients 0: must be from 1 to 10000000
--retry-after soon|--retry-after soon: must be from 0 to 4000000
--base 5s|--base 5s: must be from 0.001 to 4294967.295
--wings 2|--wings: no such option; fleet --help lists them
--base 5 --cap 2|--base, --cap or --jitter: cap_ms must not be less than base_ms
--outage 60 --horizon 60|--outage, --horizon: the horizon must lie beyond the outage
END

set -- --clients 300 --capacity 20 --outage 2 --retry-after 3 --retries 4 --elapsed 60 --horizon 200
"$fleet" "$@" | sed '1,/^mode/d' >"$folder/usual"
for option in '--clients 301' '--capacity 30' '--burst 0.5' '--outage 4' '--retry-after 4' \
    '--base 0.9' '--cap 1.001' '--jitter 0.9' '--retries 3' '--elapsed 9' '--seed 2' \
    '--horizon 9'; do
    # shellcheck disable=SC2086
    "$fleet" "$@" $option | sed '1,/^mode/d' >"$folder/other"
    [ "$(wc -l <"$folder/other")" -eq 6 ] && ! cmp -s "$folder/usual" "$folder/other" ||
        wrong "fleet: $option changes nothing"
done

# One client, by hand: it retries after 1, 2, 4, 8, 16 s and then every 32 s.
for known in '--outage 30|none 6.0 31.1 s 100.0 % 100.0 % 5 0' \
    '--outage 130|none 10.0 159.2 s 0.0 % 100.0 % 9 0' \
    '--outage 600|none 10.0 never 0.0 % 0.0 % 10 1' \
    '--outage 15.5 --horizon 20|none 5.0 > 20.0 s 0.0 % 0.0 % 5 0'; do
    # shellcheck disable=SC2086
    printed=$("$fleet" --clients 1 --retries 9 ${known%%|*} | sed -n '/^none/ { s/  */ /g; p; }')
    [ "$printed" = "${known#*|}" ] || wrong "fleet prints $printed, and not ${known#*|}"
done

"$fleet" --clients 100000 | tr -d '(),%' >"$folder/table"

# says DOCUMENT PROGRAM: the awk program makes sentences from the table. The document has them, but
# for commas, parentheses and percent signs.
says() {
    awk "$2" "$folder/table" >"$folder/sentences"
    [ -s "$folder/sentences" ] || exit 1
    while read -r line; do
        tr -d ',()%' <"$root/$1" | tr -s '\n ' '  ' | grep -q -e "$line" ||
            wrong "$1 does not say: $line"
    done <"$folder/sentences"
}

says README.md '
    /^The server takes/ { sub("The", "the"); sub(" with.*", ""); print }
    $1 == "none" { print "REDIAL_JITTER_NONE` | w | " $2 " | " $3 " s |" }
    /^(added|wide|full)/ { print "REDIAL_JITTER_" toupper($1) "` |[^|]*| " $2 " | " $3 " s |" }
    $1 == "slots" { print "slots[^|]*|[^|]*| " $2 " | " $3 " s |" }'
says examples/README.md '
    /^(added|wide)/ { high = high > $6 ? high : $6 }
    $1 == "full" { full = $6 }
    $1 == "floor" { print "The best that is possible is " $2 " attempts a client and " $3 " s" }
    END { printf "FULL makes %.0f attempts for every 100 clients; " \
                 "ADDED and WIDE make at most %.0f.\n", full, high }'

options=$(tr -s '\n ' '  ' <"$root/examples/README.md" | sed -n 's/.*`fleet \([^`]*--svg\)`.*/\1/p')
# shellcheck disable=SC2086
"$fleet" $options >"$folder/fleet.svg" &&
    cmp "$folder/fleet.svg" "$root/examples/fleet/fleet.svg" ||
    wrong "examples/fleet/fleet.svg is not what fleet $options draws"
