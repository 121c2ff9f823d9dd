#!/bin/bash
# herd's table is the same on other machines, byte for byte.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu \
    libc6-dev-s390x-cross qemu-user

for target in '- gcc' '- i686-linux-gnu-gcc' 'qemu-s390x s390x-linux-gnu-gcc'; do
    set -- $target
    [ "$1" != - ] && emulator=$1 || emulator=
    "$2" -std=c11 -O2 -static -Iinclude examples/fleet/herd*.c $posix -o "$build/$2"
    $emulator "$build/$2" --outage 10 --workers 50 --gate 429 --retry-after 2 >"$build/$2.txt"
    cmp "$build/gcc.txt" "$build/$2.txt"
    echo "$2: the same table"
done
