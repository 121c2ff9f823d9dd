#!/bin/sh
# herd refuses what makes no sense, each of its options counts, its table is right for one client,
# and its columns add up to the table. Ctrl-C ends a run with the table so far. check_herd.sh HERD.
# Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
herd=$1
folder=check_herd.$$
mkdir "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT

wrong() { echo "$*" >&2; exit 1; }

# ---- refusals: the options, and what the only line on stderr is about ----

while IFS='|' read -r options about; do
    # shellcheck disable=SC2086
    "$herd" $options >"$folder/out" 2>"$folder/err"
    [ $? = 2 ] && [ "$(wc -l <"$folder/err")" -eq 1 ] && grep -q -e "^herd: $about" "$folder/err" &&
        ! [ -s "$folder/out" ] || wrong "herd $options was to be refused: $(cat "$folder/err")"
done <<'END'
--retry-after soon|--retry-after soon: must be from 0 to 4000000 s$
--clients 0|--clients 0: must be from 1 to 10000000$
--clients 1e3|--clients 1e3
--clients -1|--clients -1
--pause 1x|--pause 1x
--outage 1.0005|--outage 1.0005
--mode some|--mode some: must be added or wide or full or none or all$
--gate 503|--gate 503: must be none or 429$
--retries few|--retries few: must be from 0 to 4294967294 or unlimited$
--base 5 --cap 2|--base, --cap or --jitter: cap_ms must not be less than base_ms$
--outage 60 --horizon 60|--outage
--gate 429|--gate
--clients 10000000 --jobs 101|--clients
END
"$herd" --help | awk '!/^  --/ { next } { options++ } length > 80 { wide = 1 }
    END { exit wide || options != 20 }' ||
    wrong 'herd --help does not list 20 options in 80 columns'

"$herd" --clients 9 |
    grep -qFx 'Policy: base 1,000 ms, cap 32,000 ms, jitter 1,000 ms, unlimited retries.' ||
    wrong 'herd has another policy by default'

# ---- each option counts ----

table() { "$herd" "$@" | sed -n '/^[a-z(]* .*[0-9]$/p; /^(floor)/p'; }

set -- --clients 300 --jobs 3 --pause 100ms --capacity 20 --outage 2 --retry-after 3 \
    --workers 30 --gate 429 --retries 4 --elapsed 1m --budget 100 --horizon 200 --mode added
table "$@" >"$folder/usual"
for option in '--clients 301' '--jobs 2' '--pause 200ms' '--capacity 30' '--per 1.1' '--burst 2' \
    '--outage 4' '--retry-after 4' '--mode wide' '--base 900ms' '--cap 3' '--jitter 900ms' \
    '--retries 5' '--elapsed 9' '--workers 20' '--gate none' '--budget 60' '--seed 2' \
    '--horizon 9'; do
    # shellcheck disable=SC2086
    table "$@" $option >"$folder/other"
    [ -s "$folder/other" ] && ! cmp -s "$folder/usual" "$folder/other" ||
        wrong "herd: $option changes nothing"
done

# ---- a table by hand: one client, which retries after 1, 2, 4, 8, 16 s and then every 32 s. The
#      retries of its first request do not count for its second ----

for known in '--outage 30|none 6.0 31.1 s 100.0 % 100.0 % 5 0' \
    '--outage 130|none 10.0 159.2 s 0.0 % 100.0 % 9 0' \
    '--outage 600|none 10.0 never 0.0 % 0.0 % 10 1' \
    '--outage 100 --jobs 2|none 5.5 128.2 s 100.0 % 200.0 % 9 0'; do
    # shellcheck disable=SC2086
    printed=$("$herd" --clients 1 --mode none --retries 9 ${known%%|*} |
        sed -n '/^none/ { s/  */ /g; p; }')
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
# Once the head is out, the handler is installed.
until [ -s "$folder/out" ]; do kill -0 "$pid" || exit 1; done
kill -INT "$pid"
wait "$pid"
status=$?
[ "$status" = 130 ] && grep -q '^none .*(interrupted)$' "$folder/out" &&
    grep -q '^(floor)' "$folder/out" &&
    ! [ -s "$folder/err" ] ||
    wrong "status $status after Ctrl-C: $(cat "$folder/out" "$folder/err")"
