#!/bin/bash
# The library compiles for Windows without a warning: by MinGW, static and as a DLL, and by
# clang-cl, which takes the options of Microsoft's compiler, for three processors, with the tests
# that need a compiler alone. A source that includes the two files gets no macro of windows.h. With
# REDIAL_CI: for two processors, the tests for one of them, and as fewer versions of C and C++.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 clang clang-tools-14 llvm-14 cmake ninja-build

# ---- MinGW ----

# The DLL is named as Meson names it, and redial.pc names the library that a linker finds.
for option in BUILD_SHARED_LIBS=OFF BUILD_SHARED_LIBS=ON REDIAL_BOTH=ON; do
    library "$build/$option" 'all install' -DCMAKE_SYSTEM_NAME=Windows \
        -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
        -DCMAKE_INSTALL_PREFIX="$build/$option/usr" \
        -DCMAKE_C_FLAGS="-O2 ${warnings//$'\n'/}" -D$option
    [ $option = BUILD_SHARED_LIBS=OFF ] || [ -f "$build/$option/libredial-$abi.dll" ] ||
        fail "$option: the DLL is not libredial-$abi.dll"
    # Who ships a program takes this component: the DLL alone.
    quietly cmake --install "$build/$option" --component libredial --prefix "$build/$option/alone"
    [ "$(cd "$build/$option" && find alone -type f 2>/dev/null)" = \
        "$([ $option = BUILD_SHARED_LIBS=OFF ] || echo "alone/bin/libredial-$abi.dll")" ] ||
        fail "$option: the component libredial is not the DLL alone"
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

# ---- clang-cl ----

# Microsoft's headers are not available here. The stubs declare what library and self tests need.
# The function behind errno is in "Internal CRT Globals and Functions", the numbers are MinGW's.
microsoft=$PWD/tests/checks/systems/microsoft
{
    echo 'int *__cdecl _errno(void);'
    echo '#define errno (*_errno())'
    grep '^#define E' /usr/share/mingw-w64/include/errno.h
} >"$build/errno.h"

PATH=$PATH:/usr/lib/llvm-14/bin
options="/clang:-ffreestanding /imsvc \"$microsoft\" /imsvc \"$build\" /W4 /WX"
options+=' -Wno-unused-parameter'
processors='x86_64 aarch64'
[ -n "${REDIAL_CI-}" ] || processors+=' i686'
for processor in $processors; do
    tree=$build/$processor
    quietly cmake -S . -B "$tree" -G Ninja -DREDIAL_TESTS=self -DREDIAL_EXAMPLES=OFF \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Windows \
        -DCMAKE_SYSTEM_PROCESSOR=$processor -DCMAKE_C_COMPILER=clang-cl \
        -DCMAKE_C_COMPILER_TARGET=$processor-pc-windows-msvc \
        -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_FLAGS="$options"
    quietly cmake --build "$tree" --target redial
    # What the self tests are made of. Without Microsoft's libraries they can't be linked.
    [ "${REDIAL_CI:+$processor}" = aarch64 ] ||
        quietly ninja -C "$tree" $(ninja -C "$tree" -t targets all | sed -n 's/\.obj: .*/.obj/p')
    # The budget is read by an atomic instruction, which keeps the order of all accesses.
    llvm-objdump-14 -d "$tree/redial.lib" |
        sed -n '/<_*redial_budget_tokens>:/,/^$/p' >"$build/code"
    grep -qE 'cmpxchg|ldaxr|casal' "$build/code" ||
        { cat "$build/code"; fail "$processor: a plain read"; }
done
echo "clang-cl: $processors"
