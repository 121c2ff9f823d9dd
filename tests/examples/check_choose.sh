#!/bin/sh
# The figures of choose agree with herd, and do not depend on the size of the fleet. A policy that exceeds the limits of
# choose has a warning. check_choose.sh CHOOSE HERD. SPDX-License-Identifier: MIT
#
# choose simulates a large fleet as smaller fleets with slower servers. This script compares such scaled fleets with
# each other. test_choose.c compares the figures with a simulation of the whole fleet.
set -u
export LC_ALL=C
choose=$1
herd=$2

wrong() { echo "$*" >&2; exit 1; }

# Prints a line for each policy of choose: served, calls, the two times in tenths of a second, the peak as a multiple of
# what the server can take, the number of warnings, its name, and the command for herd.
policies() {
    "$choose" "$@" | tr -d ',;' | awk '
        /^\/\* / || /Warning/ { if (/^\/\* /) warnings = 0; warnings += /Warning/ }
        / % served/ { for (i = 1; i < NF; i++) if ($(i + 1) == "%") served = $i
                      half = $0; sub(/.*half after /, "", half); sub(/ s.*/, "", half)
                      most = $0; sub(/.*ten after /, "", most); sub(/ s.*/, "", most) }
        / calls a (client|request)/ { calls = $1; for (i = 1; i < NF; i++) if ($i == "times") load = $(i - 1) }
        /^   herd / { command = $0; getline; command = command $0 }
        /^static const/ { print served, calls, half + 0, most + 0, load, warnings, $5, command }'
}

# There is a warning if and only if the peak is more than three times what the server can take, or a request needs more
# than twelve calls. (12.0 is rounded, so it may have a warning or none.)
warned() {
    awk '{ if ($2 != "12.0" && $6 != ($5 > 3) + ($2 > 12)) { print; bad = 1 } }
        END { exit bad || NR < 2 }' choose_policies.$$ >&2 || wrong "a warning is missing, or for nothing"
}

# The command shows a fleet that needs nearly the same number of calls.
trap 'rm -f choose_policies.$$ choose_large.$$' EXIT
policies --within 60000 --clients 1000 --capacity 100 --outage 20 >choose_policies.$$
[ "$(wc -l <choose_policies.$$)" -ge 3 ] || wrong "too few policies: $(cat choose_policies.$$)"
warned
cut -d ' ' -f 2,8- choose_policies.$$ | tr -s ' ' | while read -r calls _ options; do
    # shellcheck disable=SC2086
    shown=$("$herd" $options | awk '/^[a-z]+ .*%/ { print $2 }')
    awk -v a="$calls" -v b="$shown" 'BEGIN { exit a > b * 1.03 || b > a * 1.03 }' ||
        wrong "choose says $calls calls, herd $shown: $options"
done || exit 1

# A fleet a hundred times as large gets the same policies, and figures within 2 %, the peak too. Where the server of the
# smaller one takes 10 requests a second, one fleet alone has a peak of more than three times that by chance.
same() {   # CAPACITY OPTION...
    capacity=$1
    shift
    policies --clients 10000 --capacity "$capacity" "$@" >choose_policies.$$
    policies --clients 1000000 --capacity "${capacity}00" "$@" >choose_large.$$
    warned
    paste -d ' ' choose_policies.$$ choose_large.$$ | awk '
        function near(a, b) { return a <= b * 1.02 && b <= a * 1.02 }
        { half = NF / 2
          for (i = 1; i <= half; i++) {
              if (i <= 6 && !near($i, $(i + half))) { print "more than 2 % apart:", $i, $(i + half); bad = 1 }
              if (i > 6 && $i != $(i + half) && $(i - 1) != "--clients" && $(i - 1) != "--capacity") {
                  print "not the same policy:", $i, $(i + half); bad = 1 } } }
        END { exit bad || NR < 3 }' >&2 || wrong "the proposals depend on the size of the fleet"
}
same 500 --within 60000 --outage 10
same 10 --within 3600000 --outage 1200 --for connection

# One client alone is served by the documented formula, and choose proposes that.
policies --within 300000 --clients 1 --capacity 1 --outage 30 | head -n 1 | grep -q '^100.0 6.0 ' ||
    wrong "choose misjudges a client alone"

for situation in '--clients 20000 --capacity 500 --outage 10 --within 60000' '--clients 1 --capacity 1 --outage 30' \
    '--clients 8 --workers 8 --jobs 100 --capacity 240 --per 60000 --window 60000 --retry-after window --outage 0'; do
    # shellcheck disable=SC2086
    policies $situation >choose_policies.$$
    warned
done
