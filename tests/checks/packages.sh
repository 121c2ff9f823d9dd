#!/bin/bash
# A user's project gets the library through CMake and pkg-config from trees that were moved after the install, and it
# contains the library as a part.
. "$(dirname "$0")/lib/check.sh"
need gcc g++ libc6-dev cmake make ninja-build pkgconf binutils dpkg-dev file gcc-arm-none-eabi
triplet=$(gcc -print-multiarch)

# consumer NAME OPTION...: builds the project of tests/checks/consumers
consumer() {
    local name=$1
    shift
    quietly cmake -S tests/checks/consumers -B "$build/$name" "$@"
    quietly cmake --build "$build/$name"
    consumer_works "$name" "$build/$name/consumer"
}

# ---- installed ----

# Only the header contains the version. A copy gets version 3.2.1, so that the project can ask for older versions.
mkdir "$build/source"
cp -r CMakeLists.txt LICENSE examples include src "$build/source"
chmod -R u+w "$build/source"   # ours may be read-only
for part in 'MAJOR 3' 'MINOR 2' 'PATCH 1'; do
    sed -i "s/^\(#define REDIAL_VERSION_${part% *}\) .*/\1 ${part#* }/" "$build/source/include/redial.h"
done
own=$version version=3.2.1

# installed KIND SHARED LIBDIR: installs it, and moves the tree to $build/moved
installed() {
    quietly cmake -S "$build/source" -B "$build/$1" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DBUILD_SHARED_LIBS="$2" \
        -DCMAKE_INSTALL_PREFIX=/nowhere -DCMAKE_INSTALL_LIBDIR="$3"
    quietly cmake --build "$build/$1"
    quietly cmake --install "$build/$1" --prefix "$build/first"
    rm -rf "$build/moved"
    mv "$build/first" "$build/moved"
    ! grep -rlF "$build" "$build/moved" || fail "$1: these files name the folder of the build or of the install"
    [ -f "$build/moved/share/man/man3/redial.3" ] || fail "$1: no manual"
    [ -f "$build/moved/share/man/man1/redial.1" ] || fail "$1: no manual of the program redial"
    [ "$("$build/moved/bin/redial" --version)" = "redial $version" ] || fail "$1: the program redial does not run"
}

through_cmake() {   # NAME
    local wanted
    consumer "$1, find_package" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/moved" -DWANTED_VERSION=3.1
    for wanted in 2.2 3.3 4; do
        ! cmake -S tests/checks/consumers -B "$build/refused" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/moved" \
            -DWANTED_VERSION=$wanted >"$build/log" 2>&1 || fail "$1: it passes for version $wanted"
        grep -q "version: $version" "$build/log" || fail "$1: version $wanted is refused, but not for its number"
    done
}

through_pkg_config() {   # NAME LIBDIR [static]
    local name="$1, pkg-config" libdir=$build/moved/$2
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    [ "$(pkg-config --modversion redial)" = "$version" ] || fail "$name: its version is not $version"
    quietly gcc ${3:+-static} tests/checks/consumers/main.c $(pkg-config ${3:+--static} --cflags --libs redial) \
        -o "$build/program"
    consumer_works "$name" env LD_LIBRARY_PATH="$libdir" "$build/program"
}

installed static OFF lib
through_cmake static
through_pkg_config static lib static

installed shared ON "lib/$triplet"
library=$build/moved/lib/$triplet/libredial.so
through_cmake shared
through_pkg_config shared "lib/$triplet"
soname=libredial.so.3
readelf -d "$library" | grep -q "SONAME.*\[$soname\]" || fail "shared: its SONAME is not $soname"
[ "$(readlink -f "$library")" = "$library.$version" ] || fail "shared: libredial.so does not lead to .$version"
readelf -d "$build/program" | grep -q "NEEDED.*\[$soname\]" || fail 'shared: the program does not need it'

# Before 1.0 a minor version may change everything.
library "$build/own" -DCMAKE_INSTALL_PREFIX=/nowhere
quietly cmake --install "$build/own" --prefix "$build/own tree"
[ -z "$(find "$build/own tree" -name '*.so*')" ] || fail 'static: it installs a shared library'
if [[ $own = 0.* ]]; then
    minor=$(cut -d . -f 2 <<<"$own")
    consumer '0.x, the same minor version' -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/own tree" \
        -DWANTED_VERSION="0.$minor"
    for wanted in $((minor - 1)) $((minor + 1)); do
        ! cmake -S tests/checks/consumers -B "$build/refused" -DWAY=find_package -DWANTED_VERSION="0.$wanted" \
            -DCMAKE_PREFIX_PATH="$build/own tree" >"$build/log" 2>&1 || fail "0.$minor passes for version 0.$wanted"
    done
fi

# A component installs both kinds of library, and builds the one that is missing. find_package prefers the shared one.
for component in libredial libredial-dev; do
    quietly cmake --install "$build/own" --component $component --prefix "$build/both"
done
for kind in '1' '0 -DBUILD_SHARED_LIBS=OFF'; do
    set -- $kind
    consumer "both kinds${2:+, $2}" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/both" ${2-}
    [ "$(readelf -d "$build/both kinds${2:+, $2}/consumer" | grep -c 'NEEDED.*libredial')" = "$1" ] ||
        fail "both kinds${2:+, $2}: it is linked to the other kind"
done

# A library folder with another name, and then a prefix that differs from the configured one.
library "$build/absolute" -DCMAKE_INSTALL_PREFIX=/nowhere -DCMAKE_INSTALL_LIBDIR="$build/absolute lib"
quietly cmake --install "$build/absolute" --prefix "$build/elsewhere"
export PKG_CONFIG_PATH="$build/absolute lib/pkgconfig"
[ "$(pkg-config --variable=includedir redial)" = "$build/elsewhere/include" ] ||
    fail "an absolute libdir: redial.pc says $(pkg-config --variable=includedir redial)"
[ "$(pkg-config --variable=libdir redial)" = "$build/absolute lib" ] ||
    fail "an absolute libdir: redial.pc says $(pkg-config --variable=libdir redial)"

# Exceptions and the cancellation of a thread pass through it. On x86-64 the unwind tables exist in any case.
library "$build/unwinding" -DCMAKE_C_FLAGS='-O2 -fno-asynchronous-unwind-tables'
g++ -Iinclude tests/checks/consumers/throws.cpp "$build/unwinding/libredial.a" -lpthread -o "$build/throws"
[ "$("$build/throws" 2>&1)" = 'thrown, cancelled' ] || fail 'an exception does not pass through redial_run'

library "$build/unity" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
library "$build/bare metal" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=arm-none-eabi-gcc -DREDIAL_INSTALL=OFF \
    -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_FLAGS='-mcpu=cortex-m0 -mthumb -ffreestanding'
! nm "$build/bare metal/libredial.a" | grep -E '_GLOBAL_OFFSET_TABLE_|clock_gettime|redial_errno' ||
    fail 'bare metal: it has sources that need an operating system'
library "$build/several" -G 'Ninja Multi-Config'
(cd "$build/several" && quietly cpack -G DEB -C Release)
echo 'exceptions, a unity build, bare metal, several configurations: work'

# ---- as a part of the project ----

# entries NAME: prints the names of the entries in the CMake cache of NAME
entries() {
    sed -n 's/^\([A-Za-z_][^:=]*\):.*/\1/p' "$build/$1/CMakeCache.txt" | sort
}

# part WAY WITHOUT: compares the project with the same project WITHOUT redial
part() {
    local common=("-DREDIAL=$PWD" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON) foreign
    quietly cmake -S tests/checks/consumers -B "$build/without $1" -DWAY="$2" "${common[@]}"
    consumer "$1" -DWAY="$1" "${common[@]}"
    foreign=$(comm -13 <(entries "without $1") <(entries "$1") | grep -vE '^(FETCHCONTENT_[A-Z_]+_REDIAL$|REDIAL_)') &&
        fail "$1: in the cache: $foreign"
    ctest --test-dir "$build/$1" -N | grep -qx 'Total Tests: 0' || fail "$1: it adds tests"
    quietly cmake --install "$build/$1" --prefix "$build/empty"
    [ ! -e "$build/empty" ] || fail "$1: it installs $(find "$build/empty")"
    grep -q 'src/delay\.c' "$build/$1/compile_commands.json" || fail "$1: compile_commands.json lacks src/delay.c"
    ! grep -E '"command".* -(W|pedantic)' "$build/$1/compile_commands.json" || fail "$1: it adds warning flags"
}

part add_subdirectory none
part FetchContent FetchContent_not_made

# A compiler that makes position-independent code by itself would not tell whether we ask for it.
consumer embedded -DWAY=add_subdirectory "-DREDIAL=$PWD" -DEMBED=ON -DCMAKE_C_FLAGS=-fno-pie \
    -DCMAKE_EXE_LINKER_FLAGS=-no-pie
quietly cmake --install "$build/embedded" --prefix "$build/embedding"
[ -f "$build/embedding/lib/cmake/embedding/embedding.cmake" ] || fail 'embedded: nothing is exported'
! cmake -S tests/checks/consumers -B "$build/twice" -DWAY=add_subdirectory "-DREDIAL=$PWD" -DTWICE=ON \
    >"$build/log" 2>&1 || fail 'a project can contain redial twice'
grep -q 'There is a target redial already' "$build/log" || fail 'a part twice: the error message is another one'
