#!/bin/sh
# What choose says that a policy achieves is what herd shows for the same policy: check_choose.sh CHOOSE HERD.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
choose=$1
herd=$2

# Each policy of choose as a line: calls a client, and the options of herd.
policies=$("$choose" --within 60000 --clients 1000 --capacity 100 --outage 20 | tr ',;' '  ' | awk '
    / calls a client/ { calls = $1 }
    { for (i = 1; i < NF; i++) if ($(i + 1) == "=") value[$i] = $(i + 2) }
    /^}/ { print calls, "--base", value[".base_ms"], "--cap", value[".cap_ms"], "--jitter", value[".jitter_ms"], \
           "--elapsed", value[".max_elapsed_ms"], "--max-after", value[".max_retry_after_ms"], \
           "--mode", tolower(substr(value[".jitter"], 15)) }')
[ "$(printf '%s\n' "$policies" | wc -l)" -eq 3 ] || { printf 'not three policies:\n%s\n' "$policies" >&2; exit 1; }
printf '%s\n' "$policies" | while read -r calls options; do
    # shellcheck disable=SC2086
    shown=$("$herd" --clients 1000 --capacity 100 --outage 20 --horizon 61 $options | awk '/^[a-z]+ .*%/ { print $2 }')
    [ "$shown" = "$calls" ] || { echo "choose says $calls calls, herd $shown: $options" >&2; exit 1; }
done || exit 1
