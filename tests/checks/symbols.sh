#!/bin/bash
# The shared library exports the functions that the header declares, and no others. It calls no
# function that allocates, prints or locks.
# A library that embeds redial exports none of its functions, so each of several uses its own.
# redial has no variables. Accesses to what threads share have one order for all.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc g++ libc6-dev binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# The name before the parameters of each REDIAL_API declaration.
gcc -E -P -DREDIAL_API=EXPORTED include/redial.h | tr '\n' ' ' | tr ';' '\n' |
    sed -nE 's/.*EXPORTED [^(]*[ *]([a-z0-9_]+)\(.*/\1/p' | sort >"$build/documented"
[ "$(wc -l <"$build/documented")" = "$(grep -c '^REDIAL_API ' include/redial.h)" ] ||
    fail "include/redial.h has a REDIAL_API that is none of these: $(cat "$build/documented")"

library "$build/shared" redial -DBUILD_SHARED_LIBS=ON
symbols "$build/shared/libredial.so" >"$build/exported"
diff "$build/documented" "$build/exported" ||
    fail 'shared library: < is documented, > is exported'
count=$(wc -l <"$build/documented")
echo "shared library: exports the $count documented functions and nothing else"

# A compiler that makes position-independent code by itself would not tell whether we ask for it.
library "$build/static" 'redial single' -DBUILD_SHARED_LIBS=OFF -DCMAKE_C_FLAGS=-fno-pie
symbols "$build/static/libredial.a" >"$build/global"
comm -23 "$build/documented" "$build/global" | grep . && fail 'static library: lacks these'
# Functions that several files of src/ share are declared in internal.h.
for name in $(comm -13 "$build/documented" "$build/global"); do
    [[ $name = redial_* ]] && grep -q "\b$name(" src/internal.h ||
        fail "static library: $name is not documented nor in src/internal.h, or lacks the prefix"
done
count=$(wc -l <"$build/global")
echo "static library: $count global symbols, all redial_, and no others than internal.h has"

# No function of libc but these, so that nothing is allocated, printed or locked.
nm -uD "$build/shared/libredial.so" | awk '$1 == "U" { sub("@.*", "", $2); print $2 }' |
    grep -vxE 'clock_gettime|clock_nanosleep|syscall|__errno_location|__stack_chk_fail' &&
    fail 'shared library: it calls these'

# ---- embedded: as the static library, and as the two files in C and in C++ ----

gcc -fPIC -Iinclude -c tests/consumers/plugin.c -o "$build/plugin.o"
gcc -fPIC -c "$build/static/single/redial.c" -o "$build/c.o"
g++ -fPIC -x c++ -c "$build/static/single/redial.c" -o "$build/c++.o"
for way in static/libredial.a c.o c++.o; do
    gcc -shared "$build/plugin.o" -Wl,--whole-archive "$build/$way" -Wl,--no-whole-archive \
        -o "$build/plugin.so"
    [ "$(symbols "$build/plugin.so")" = plugin_says ] ||
        fail "embedded as $way: the plugin exports more than its own"
done
echo 'embedded: nothing is exported'

# A shared library of the two files.
gcc -shared -fPIC -fvisibility=hidden -DREDIAL_SHARED -DREDIAL_BUILD \
    "$build/static/single/redial.c" -o "$build/redial.so"
symbols "$build/redial.so" | diff "$build/documented" - ||
    fail 'shared library of the two files: < is documented, > is exported'

# ---- no variable: every function may run in any thread, and from read-only memory ----

for source in $posix; do
    for level in -O0 -O2; do
        gcc -std=c99 -fno-pic $level -Iinclude -c "$source" -o "$build/object.o"
        size "$build/object.o" | awk 'NR == 2 { exit $2 + $3 > 0 }' ||
            fail "$source $level: it has a variable"
    done
done
echo 'no object has a variable'

# ---- the gate's words ----
# On aarch64, accesses in one order for all are instructions of their own.

aarch64-linux-gnu-gcc -std=c99 -O2 -mno-outline-atomics -Iinclude -c src/gate.c -o "$build/gate.o"
accesses=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$build/gate.o" |
    awk '/\[/ && $3 ~ /^w/ { print $2 }' | sort -u | paste -sd ' ')
[ "$accesses" = 'ldar ldaxr stlr stlxr' ] || fail "gate.c accesses its words by $accesses"
echo 'the gate is accessed in one order for all threads'
