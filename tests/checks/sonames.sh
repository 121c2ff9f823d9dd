#!/bin/bash
# A process may load two sonames of redial, of which the second has larger structs, through two
# libraries, in both link orders. Without versions of the symbols neither order works.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/grown.sh
need gcc libc6-dev cmake make binutils

mkdir "$build/later"
cp -r CMakeLists.txt include src "$build/later"
chmod -R u+w "$build/later"   # ours may be read-only
grow_headers "$build/later/include"
sed -i 's/^set(redial_abi .*)$/set(redial_abi 99)/' "$build/later/CMakeLists.txt"

# shared SOURCE NAME OPTION...: libredial.so of this source, and libNAME.so, which uses it
shared() {
    quietly cmake -S "$1" -B "$build/$2" -DBUILD_SHARED_LIBS=ON -DREDIAL_TESTS=OFF \
        -DREDIAL_EXAMPLES=OFF "${@:3}"
    quietly cmake --build "$build/$2" --target redial
    gcc -shared -fPIC -DREDIAL_SHARED "-DWORKS=$2_works" -I"$1/include" \
        tests/checks/sonames/user.c -o "$build/lib$2.so" \
        "$build/$2/libredial.so" "-Wl,-rpath,$build/$2"
}

# orders_that_work: prints the orders in which a program is linked to both, and works
orders_that_work() {
    local order
    for order in '-lthis -llater' '-llater -lthis'; do
        gcc "$build/main.c" -L"$build" "-Wl,-rpath,$build" $order -o "$build/main"
        ! "$build/main" || echo "$order"
    done 2>/dev/null
}

echo 'int this_works(void), later_works(void);
int main(void) { return !this_works() || !later_works(); }' >"$build/main.c"
shared . this
shared "$build/later" later
[ "$(orders_that_work | wc -l)" = 2 ] || fail "only in these orders: $(orders_that_work)"
echo 'two sonames in one process: work in both orders'

shared . this -DREDIAL_HAVE_VERSION_SCRIPT=OFF
shared "$build/later" later -DREDIAL_HAVE_VERSION_SCRIPT=OFF
[ -z "$(orders_that_work)" ] || fail "they work without versions, too: $(orders_that_work)"
