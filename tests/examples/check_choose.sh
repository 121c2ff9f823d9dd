#!/bin/sh
# What choose says is what herd shows, does not depend on the size of the fleet, and keeps to its limits or says so:
# check_choose.sh CHOOSE HERD. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
choose=$1
herd=$2

wrong() { echo "$*" >&2; exit 1; }

# Each policy of choose as a line: served, calls, the two times in tenths of a second, how many times what the server
# can take, how many warnings, and the command for herd.
policies() {
    "$choose" "$@" | tr -d ',;' | awk '
        /^\/\* / || /Beware/ { if (/^\/\* /) warnings = 0; warnings += /Beware/ }
        / % served/ { for (i = 1; i < NF; i++) if ($(i + 1) == "%") served = $i
                      half = $0; sub(/.*half after /, "", half); sub(/ s.*/, "", half)
                      most = $0; sub(/.*ten after /, "", most); sub(/ s.*/, "", most) }
        / calls a (client|request)/ { calls = $1; for (i = 1; i < NF; i++) if ($i == "times") load = $(i - 1) }
        /^   herd / { command = $0; getline; command = command $0 }
        /^static const/ { print served, calls, half + 0, most + 0, load, warnings, command }'
}

# Whoever runs the command sees the same calls.
trap 'rm -f choose_policies.$$ choose_large.$$' EXIT
policies --within 60000 --clients 1000 --capacity 100 --outage 20 >choose_policies.$$
[ "$(wc -l <choose_policies.$$)" -ge 3 ] || wrong "too few policies: $(cat choose_policies.$$)"
cut -d ' ' -f 2,7- choose_policies.$$ | tr -s ' ' | while read -r calls program options; do
    # shellcheck disable=SC2086
    shown=$("$herd" $options | awk '/^[a-z]+ .*%/ { print $2 }')
    [ "$program $shown" = "herd $calls" ] || wrong "choose says $calls calls, herd $shown: $options"
done || exit 1

# A fleet a hundred times as large gets the same policies, and figures within 2 %. (The peak is left out: the busiest
# second of 500 requests a second has more in it by chance.)
policies --within 60000 --clients 10000 --capacity 500 --outage 10 >choose_policies.$$
policies --within 60000 --clients 1000000 --capacity 50000 --outage 10 >choose_large.$$
paste -d ' ' choose_policies.$$ choose_large.$$ | awk '
    function near(a, b) { return a <= b * 1.02 && b <= a * 1.02 }
    { half = NF / 2
      for (i = 1; i <= half; i++) {
          if (i <= 4 && !near($i, $(i + half))) { print "more than 2 % apart:", $i, $(i + half); bad = 1 }
          if (i > half - 14 && $i != $(i + half)) { print "not the same policy:", $i, $(i + half); bad = 1 } } }
    END { exit bad || NR < 3 }' >&2 || wrong "the proposals depend on the size of the fleet"

# One client alone is served by the documented formula, and so says choose.
policies --within 300000 --clients 1 --capacity 1 --outage 30 | head -n 1 | grep -q '^100.0 6.0 ' ||
    wrong "choose misjudges a client alone"

# Beyond three times what the server can take, or twelve calls, there is a warning; and only there. (3.0 is either.)
for situation in '--clients 20000 --capacity 500 --outage 10 --within 60000' '--clients 1 --capacity 1 --outage 30' \
    '--clients 10000 --capacity 10 --outage 1200 --within 3600000 --for connection' \
    '--clients 8 --workers 8 --jobs 100 --capacity 240 --per 60000 --window 60000 --retry-after window --outage 0'; do
    # shellcheck disable=SC2086
    policies $situation | awk -v s="$situation" '
        { if ($5 != "3.0" && $2 != "12.0" && $6 != ($5 > 3) + ($2 > 12)) { print s ": " $0; bad = 1 } }
        END { exit bad || NR < 2 }' >&2 || wrong "a warning is missing, or for nothing"
done
