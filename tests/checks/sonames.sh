#!/bin/bash
# A process may load two sonames of redial, of which the second has larger structs, through two
# libraries in C and in C++, in both link orders. Without versions of the symbols neither order
# works, and in C++ none without a namespace for the inline functions of each version. A program
# that uses a new function does not start with an older library of the same soname.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/grown.sh
need gcc g++ libc6-dev cmake make binutils

copy_tree "$build/later" CMakeLists.txt include src
grow_headers "$build/later/include"
sed -i 's/^set(redial_abi .*)$/set(redial_abi 99)/' "$build/later/CMakeLists.txt"
sed -i 's/^\(#define REDIAL_VERSION_MINOR\) .*/\1 99/' "$build/later/include/redial.h"

# shared SOURCE NAME OPTION...: libredial.so of this source
shared() {
    (cd "$1" && library "$build/$2" redial -DBUILD_SHARED_LIBS=ON "${@:3}")
}

# user COMPILER SOURCE NAME: libNAME.so, which uses that library
user() {
    $1 -shared -fPIC -DREDIAL_SHARED "-DWORKS=$3_works" -I"$2/include" \
        tests/checks/sonames.c -x none -o "$build/lib$3.so" \
        "$build/$3/libredial.so" "-Wl,-rpath,$build/$3"
}

# orders_that_work COMPILER: prints the orders in which a program is linked to both, and works
orders_that_work() {
    local order
    user "$1" . this
    user "$1" "$build/later" later
    for order in '-lthis -llater' '-llater -lthis'; do
        gcc "$build/main.c" -L"$build" "-Wl,-rpath,$build" $order -o "$build/main"
        ! "$build/main" || echo "$order"
    done 2>/dev/null
}

echo 'int this_works(void), later_works(void);
int main(void) { return !this_works() || !later_works(); }' >"$build/main.c"
shared . this
shared "$build/later" later
for compiler in gcc 'g++ -x c++'; do
    orders=$(orders_that_work "$compiler")
    [ "$(wc -l <<<"$orders")" = 2 ] || fail "$compiler: only in these orders: $orders"
done
# The later header with the version of this one has the same namespace.
sed -i 's/^\(#define REDIAL_VERSION_MINOR\) 99/\1 '"$(cut -d . -f 2 <<<"$version")/" \
    "$build/later/include/redial.h"
orders=$(orders_that_work 'g++ -x c++')
[ "$(grep -c . <<<"$orders")" -lt 2 ] || fail 'C++ works without a namespace of its own, too'
echo 'two sonames in one process: work in both orders, in C and in C++'

# ---- a later version of the same soname, with a new function ----

copy_tree "$build/new" CMakeLists.txt include src
sed -i '/redial_done(void);/i REDIAL_API int redial_new(void);' "$build/new/include/redial.h"
echo 'int redial_new(void) { return 0; }' >>"$build/new/src/names.c"
echo 'int redial_new(void);
int main(int argc, char **argv) { return argc > 1 ? redial_new() : !argv; }' >"$build/main.c"

# starts: what the program says that was linked to the later library and runs with this one
starts() {
    shared "$build/new" newer
    gcc -Wl,-z,lazy "$build/main.c" -L"$build/newer" -lredial -o "$build/main"
    LD_LIBRARY_PATH=$build/newer "$build/main" new
    LD_LIBRARY_PATH=$build/this "$build/main" 2>&1 && echo 'it starts'
}

[ "$(starts)" = 'it starts' ] || fail 'without a node of its own the program does not start'
echo 'REDIAL_@redial_abi@.99 { redial_new; } REDIAL_@redial_abi@;' \
    >>"$build/new/src/package/redial.map.in"
said=$(starts) || true
[[ $said = *"version \`REDIAL_$abi.99' not found (required by $build/main)" ]] ||
    fail "a program of a later version says with this library: $said"
echo "a later program says: ${said#*: }"

# ---- without versions of the symbols ----

shared . this -DREDIAL_HAVE_VERSION_SCRIPT=OFF
shared "$build/later" later -DREDIAL_HAVE_VERSION_SCRIPT=OFF
orders=$(orders_that_work gcc)
[ -z "$orders" ] || fail "they work without versions, too: $orders"
