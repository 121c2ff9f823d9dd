#!/bin/bash
# The library compiles for Windows without a word, static and as a DLL.
. "$(dirname "$0")/lib/check.sh"
need gcc-mingw-w64-x86-64

for options in '-O0' '-O2' '-O2 -DREDIAL_SHARED -DREDIAL_BUILD'; do
    for source in $(ls src/*.c | grep -v posix); do
        x86_64-w64-mingw32-gcc -std=c99 $options $warnings -Iinclude -c "$source" -o "$build/$(basename "$source" .c).o"
    done
done
x86_64-w64-mingw32-gcc -shared "$build"/*.o -o "$build/redial.dll"
