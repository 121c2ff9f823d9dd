#!/bin/bash
# CMake and pkg-config find the installed tree, wherever it was moved to, and no other version than
# the one that was asked for. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc g++ libc6-dev cmake make ninja-build pkgconf binutils

# found NAME PREFIX OPTION...: the consumer finds it there
found() {
    consumer "$1" -DWAY=find_package -DCMAKE_PREFIX_PATH="$2" "${@:3}"
}

# not_found MESSAGE PREFIX OPTION...
not_found() {
    refused "$1" -DWAY=find_package -DCMAKE_PREFIX_PATH="$2" "${@:3}"
}

# installed KIND SHARED LIBDIR INCLUDEDIR: installs version 3.2.1, and moves it to $build/moved
installed() {
    quietly cmake -S "$build/source" -B "$build/$1" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF \
        -DBUILD_SHARED_LIBS="$2" -DCMAKE_INSTALL_PREFIX=/nowhere -DCMAKE_INSTALL_LIBDIR="$3" \
        -DCMAKE_INSTALL_INCLUDEDIR="$4"
    quietly cmake --build "$build/$1"
    quietly cmake --install "$build/$1" --prefix "$build/first"
    rm -rf "$build/moved"
    mv "$build/first" "$build/moved"
    ! grep -rlF "$build" "$build/moved" ||
        fail "$1: these files name the folder of the build or of the install"
    has_files "$build/moved" "$4"/redial{,_fake,_curl}.h "$3/cmake/redial/redial-config.cmake" \ \
        share/licenses/redial/LICENSE
    found "$1, find_package" "$build/moved" -DWANTED_VERSION=3.1
    for wanted in 2.2 3.3 4; do
        not_found "version: $version" "$build/moved" -DWANTED_VERSION=$wanted
    done
    through_pkg_config "$1" "$build/moved" "$3" "${5-}"
}

own=$version
copy_tree "$build/source" CMakeLists.txt LICENSE examples include src
for part in 'MAJOR 3' 'MINOR 2' 'PATCH 1'; do   # only the header contains the version
    sed -i "s/^\(#define REDIAL_VERSION_${part% *}\) .*/\1 ${part#* }/" \
        "$build/source/include/redial.h"
done
sed -i 's/^set(redial_abi .*)$/set(redial_abi 7)/' "$build/source/CMakeLists.txt"
version=3.2.1
installed static OFF lib include static
installed shared ON "lib/$(gcc -print-multiarch)" include/redial
[ "$(needs "$build/program")" = libredial.so.7 ] ||
    fail 'shared: the program does not need libredial.so.7'
ls "$build/moved/lib/$(gcc -print-multiarch)"/libredial.so{,.7,.7.2.1} >/dev/null

version=$own
library "$build/own" all -DCMAKE_INSTALL_PREFIX=/nowhere
quietly cmake --install "$build/own" --prefix "$build/own tree"
[ -z "$(find "$build/own tree" -name '*.so*')" ] || fail 'static: it installs a shared library'
not_found 'There is a redial already' "$build/own tree" -DREDIAL="$PWD" -DTWICE=ON

# A library folder with another name, and then a prefix that differs from the configured one.
library "$build/absolute" all -DCMAKE_INSTALL_PREFIX=/nowhere \
    -DCMAKE_INSTALL_LIBDIR="$build/absolute lib"
quietly cmake --install "$build/absolute" --prefix "$build/elsewhere"
has_lines "$build/absolute lib/pkgconfig/redial.pc" "prefix=$build/elsewhere" \
    'includedir=\$\{prefix\}/include' "libdir=$build/absolute lib"

# Exceptions and the cancellation of a thread pass through it. On x86-64 the unwind tables exist in
# any case.
library "$build/unwinding" all -DCMAKE_C_FLAGS='-O2 -fno-asynchronous-unwind-tables'
g++ -Iinclude tests/consumers/throws.cpp "$build/unwinding/libredial.a" -lpthread \
    -o "$build/throws"
[ "$("$build/throws" 2>&1 | paste -sd ' ')" = 'left thrown left' ] ||
    fail 'no exception passes through'

library "$build/unity" all -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0

# In /usr, pkg-config gives no folder that would hide another library. With a sysroot it does.
DESTDIR="$build/staged" quietly cmake --install "$build/own" --prefix /usr
export PKG_CONFIG_PATH=$build/staged/usr/lib/pkgconfig
[ "$(pkg-config --cflags redial | xargs)" = '' ] || fail "/usr: $(pkg-config --cflags redial)"
[ "$(PKG_CONFIG_SYSROOT_DIR=$build/staged pkg-config --cflags redial | xargs)" = \
    "-I$build/staged/usr/include" ] || fail 'a sysroot: wrong folders'

# Several configurations, one with another name, in a folder where Debian's CMake does not look.
for shared in OFF ON; do
    library "$build/several $shared" redial -G 'Ninja Multi-Config' -DBUILD_SHARED_LIBS=$shared \
        -DCMAKE_DEBUG_POSTFIX=-debug -DCMAKE_INSTALL_LIBDIR=lib64
    for type in Release Debug; do
        tree=$build/$shared-$type
        quietly cmake --build "$build/several $shared" --config $type
        quietly cmake --install "$build/several $shared" --config $type --prefix "$tree"
        not_found 'redial-config.cmake' "$tree"
        found "$shared, $type" "" -Dredial_DIR="$tree/lib64/cmake/redial"
        through_pkg_config "$shared, $type" "$tree" lib64
    done
done
echo 'exceptions, a unity build, several configurations: work'
