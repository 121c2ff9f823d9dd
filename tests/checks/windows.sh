#!/bin/bash
# The library compiles for Windows without a warning, static and as a DLL, by MinGW. A source that
# includes the two files gets no macro of windows.h. With REDIAL_CI: as fewer versions of C and C++.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 clang cmake ninja-build

# ---- MinGW ----

# redial.pc names the library that a linker finds.
for option in BUILD_SHARED_LIBS=OFF BUILD_SHARED_LIBS=ON; do
    library "$build/$option" 'all install' -DCMAKE_SYSTEM_NAME=Windows \
        -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
        -DCMAKE_INSTALL_PREFIX="$build/$option/usr" \
        -DCMAKE_C_FLAGS="-O2 ${warnings//$'\n'/}" -D$option
    [ $option = BUILD_SHARED_LIBS=OFF ] || [ -f "$build/$option/libredial-$abi.dll" ] ||
        fail "$option: the DLL is not libredial-$abi.dll"
    grep -q -e '-lredial *$' "$build/$option"/usr/lib/pkgconfig/redial.pc ||
        fail "$option: $(grep Libs "$build/$option"/usr/lib/pkgconfig/redial.pc)"
done

# ---- in one source ----

quietly cmake -DOUT="$build" -P src/package/single.cmake
headers='#include <winsock2.h>\n#include <windows.h>\n'
printf '#include "redial.c"\nenum { ERROR, DELETE, IGNORE, INFINITE, min, max };\n' \
    >"$build/alone.c"
printf "#include \"redial.c\"\n$headers" >"$build/before.c"
printf "#define _CRT_RAND_S\n$headers#include \"redial.c\"\n" >"$build/after.c"
clang='-isystem /usr/share/mingw-w64/include'
compilers=('x86_64-w64-mingw32-gcc -std=c99' 'x86_64-w64-mingw32-g++ -std=gnu++20'
    "clang -std=c99 -target x86_64-w64-mingw32 $clang"
    "clang++ -std=c++17 -target i686-w64-mingw32 $clang")
[ -n "${REDIAL_CI-}" ] ||
    compilers+=(x86_64-w64-mingw32-gcc\ -std=gnu2x x86_64-w64-mingw32-g++\ -std=c++11)
for compiler in "${compilers[@]}"; do
    language=c
    case $compiler in *++*) language=c++ ;; esac
    for order in alone before after; do
        $compiler -x $language -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror \
            -DREDIAL_API=static -c "$build/$order.c" -o "$build/one.o"
    done
done
x86_64-w64-mingw32-gcc -std=c99 -Iinclude -c src/system_windows.c -o "$build/object.o"
! x86_64-w64-mingw32-nm "$build/object.o" | grep ' [bBcCdD] [^.]' ||
    fail 'system_windows.c has a variable'
echo 'MinGW: static, as a DLL; in one source beside windows.h'
