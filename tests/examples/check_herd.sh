#!/bin/sh
# herd refuses what makes no sense, each of its options counts, its table is right for one client, and its columns add
# up to the table. Ctrl-C ends a run with the table so far. schedule prints the ranges that were computed by hand.
# check_herd.sh HERD SCHEDULE. Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
herd=$1
schedule=$2
folder=check_herd.$$
mkdir "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT

wrong() { echo "$*" >&2; exit 1; }

# ---- refusals: the program, its options, and the option that the only line on stderr is about ----

while IFS='|' read -r program options about; do
    # shellcheck disable=SC2086
    "$(eval echo "\$$program")" $options >"$folder/out" 2>"$folder/err"
    [ $? = 2 ] && [ "$(wc -l <"$folder/err")" -eq 1 ] && grep -q -e "^$program: $about" "$folder/err" &&
        ! [ -s "$folder/out" ] || wrong "$program $options was to be refused: $(cat "$folder/err")"
done <<'END'
herd|--retry-after soon|--retry-after
herd|--base 5 --cap 2|--base
herd|--outage 60 --horizon 60|--outage
herd|--gate 429|--gate
herd|--retry-after window|--retry-after
herd|--clients 10000000 --jobs 101|--clients
schedule|--base 5 --cap 2|--base
END

[ -c /dev/full ] && { "$herd" --clients 9 || "$schedule"; } >/dev/full 2>"$folder/err" && wrong 'full disk: not noticed'

# ---- each option counts ----

table() { "$herd" "$@" | sed -n '/^[a-z(]* .*[0-9]$/p; /^(floor)/p'; }

set -- --clients 300 --jobs 3 --pause 100ms --capacity 20 --outage 2 --retry-after 3 --bad 10 --bad-after 4 \
    --workers 30 --gate 429 --retries 4 --elapsed 1m --budget 100 --horizon 200 --mode added
table "$@" >"$folder/usual"
for option in '--clients 301' '--jobs 2' '--pause 200ms' '--capacity 30' '--per 1.1' '--burst 2' '--window 1s' \
    '--outage 4' '--retry-after slot' '--bad 11' '--bad-after 5' '--mode wide' '--base 900ms' '--cap 3' \
    '--jitter 900ms' '--retries 5' '--elapsed 9' '--max-after 3500ms' '--workers 20' '--gate none' '--gate 429+503' \
    '--budget 60' '--budget-percent 50' '--seed 2' '--horizon 9'; do
    # shellcheck disable=SC2086
    table "$@" $option >"$folder/other"
    [ -s "$folder/other" ] && ! cmp -s "$folder/usual" "$folder/other" || wrong "herd: $option changes nothing"
done

# ---- a table by hand: one client, which retries after 1, 2, 4, 8, 16 s and then every 32 s ----

for known in '--outage 30|none 6.0 31.1 s 100.0 % 100.0 % 5 0' '--outage 130|none 10.0 159.2 s 0.0 % 100.0 % 9 0' \
    '--outage 600|none 10.0 never 0.0 % 0.0 % 10 1' '--outage 30 --jobs 2|none 4.0 32.2 s 100.0 % 200.0 % 6 0'; do
    # shellcheck disable=SC2086
    printed=$("$herd" --clients 1 --mode none --retries 9 ${known%%|*} | sed -n '/^none/ { s/  */ /g; p; }')
    [ "$printed" = "${known#*|}" ] || wrong "herd prints $printed, and not ${known#*|}"
done

# ---- the columns add up to the table ----

"$herd" | awk '$NF == 0 { gsub(",", ""); print $1, 1000, $(NF - 1) + 1000 }' >"$folder/known"
"$herd" --seconds | awk '/^# second/ { for (i = 3; i < NF; i += 2) name[i] = $i }
    !/^#/ && NF != 9 { print "a line of " NF " fields" }
    !/^#/ { for (i = 2; i < NF; i += 2) { calls[i] += $i; served[i] += $(i + 1) } }
    END { for (i = 2; i < 10; i += 2) print name[i + 1], served[i], calls[i] }' >"$folder/added"
diff "$folder/known" "$folder/added" >&2 || wrong "herd --seconds does not add up to its table"

# ---- Ctrl-C: without it this run would take hours ----

"$herd" --clients 100000 --capacity 1 --horizon 1000000 >"$folder/out" 2>"$folder/err" &
pid=$!
until [ -s "$folder/out" ]; do kill -0 "$pid" || exit 1; done   # the head is out, so the handler is in
kill -INT "$pid"
wait "$pid"
status=$?
[ "$status" = 130 ] && grep -q '^none .*(interrupted)$' "$folder/out" && grep -q '^(floor)' "$folder/out" &&
    ! [ -s "$folder/err" ] || wrong "status $status after Ctrl-C: $(cat "$folder/out" "$folder/err")"

# ---- schedule: the options, and for each retry the wait and the time, from and to ----

while IFS='|' read -r options known; do
    # shellcheck disable=SC2086
    printed=$("$schedule" $options | sed -n 's/ to / /g; s/ |.*//p' | awk '{ print $2 "-" $3 "@" $4 "-" $5 }' |
        paste -sd ' ' -)
    [ "$printed" = "$known" ] || wrong "schedule $options: $printed, and not $known"
done <<'END'
--mode added --cap 4 --retries 3|1.0-2.0@1.0-2.0 2.0-3.0@3.0-5.0 4.0-4.0@7.0-9.0
--mode wide --cap 4 --retries 3|1.0-2.0@1.0-2.0 2.0-4.0@3.0-6.0 2.0-4.0@5.0-10.0
--mode none --cap 4 --elapsed 7|1.0-1.0@1.0-1.0 2.0-2.0@3.0-3.0
--mode full --base 100ms --retries 2 --elapsed 250ms|0.000-0.100@0.000-0.100 0.000-0.200@0.000-0.249
--retries 0|
END
