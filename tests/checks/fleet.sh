#!/bin/bash
# herd's table and picture are the same on other machines, byte for byte. It shows the progress of a long run only on a
# terminal. It serves a million clients, and the output says how many seconds that takes (some 15).
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user

herd="$(ls examples/fleet/herd*.c) examples/fleet/progress.c examples/fleet/svg.c src/command/options.c"

for target in '- gcc' '- i686-linux-gnu-gcc' 'qemu-s390x s390x-linux-gnu-gcc'; do
    set -- $target
    [ "$1" != - ] && emulator=$1 || emulator=
    "$2" -std=c11 -O2 -static -Iinclude -Isrc/command $herd $posix -o "$build/$2"
    $emulator "$build/$2" | cmp - tests/expected/herd_burst.txt
    $emulator "$build/$2" --clients 10000 --capacity 200 --outage 60 --horizon 260 --svg "$build/$2.svg" >/dev/null
    cmp "$build/$2.svg" examples/fleet/pictures/fleet.svg
    echo "$2: the same table and picture"
done

script -qec "'$build/gcc' --clients 300000 >'$build/table'" "$build/terminal" </dev/null >/dev/null
grep -q '% served' "$build/terminal" || { echo 'no progress on a terminal:'; cat "$build/terminal"; exit 1; }

start=$SECONDS
"$build/gcc" --clients 1000000 >"$build/table" 2>"$build/said"
cat "$build/table"
echo "1,000,000 clients: $((SECONDS - start)) s"
[ ! -s "$build/said" ] || { echo 'progress, and no terminal:'; cat "$build/said"; exit 1; }
awk '$1 == "full" { served = $3 + 0 > 0 } END { exit !served }' "$build/table"
