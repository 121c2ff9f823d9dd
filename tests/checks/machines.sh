#!/bin/bash
# Runs the unit tests for other processors in qemu-user, for i686 on this machine, for Windows in
# Wine, and with musl. "ci_run" is what .ci/run does on Windows, where it has no cmocka. It prints a
# line for each: how many tests passed. machines.sh TARGET...: only these.
# With REDIAL_CI: mips, which is big-endian and has 32 bits, musl, and Windows.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/cmocka.sh
. tests/checks/lib/code.sh

# name     compiler                   runs by        packages
targets='
i686       i686-linux-gnu-gcc         -              gcc-i686-linux-gnu libc6-dev-i386-cross
s390x      s390x-linux-gnu-gcc        qemu-s390x     gcc-s390x-linux-gnu libc6-dev-s390x-cross
mips       mips-linux-gnu-gcc         qemu-mips      gcc-mips-linux-gnu libc6-dev-mips-cross
powerpc64  powerpc64-linux-gnu-gcc    qemu-ppc64     gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross
aarch64    aarch64-linux-gnu-gcc      qemu-aarch64   gcc-aarch64-linux-gnu libc6-dev-arm64-cross
riscv64    riscv64-linux-gnu-gcc      qemu-riscv64   gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
musl       musl-gcc                   -              musl-tools
windows    x86_64-w64-mingw32-gcc     wine           gcc-mingw-w64-x86-64 wine wine64
ci_run     x86_64-w64-mingw32-gcc     wine           gcc-mingw-w64-x86-64 wine wine64
'

# NAME COMPILER EMULATOR: makes a CMake build in $build/NAME
build_tests() {
    local directory=$build/$1 system=Linux options=-O1
    [ "$3" != wine ] || system=Windows
    [ "$1" != musl ] || options+=' -Wno-error=sign-conversion'   # in its FD_SET
    build_cmocka "$directory/cmocka" "$2" -O1
    quietly cmake -S . -B "$directory" -G Ninja -DCMAKE_SYSTEM_NAME=$system \
        -DCMAKE_C_COMPILER="$2" \
        -DCMAKE_CROSSCOMPILING_EMULATOR="${3#-}" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="$options" -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DREDIAL_DEVELOPER=ON -DREDIAL_EXAMPLES=OFF \
        -DREDIAL_CMOCKA_INCLUDE="$directory/cmocka" \
        -DREDIAL_CMOCKA_LIBRARY="$directory/cmocka/libcmocka.a"
    quietly cmake --build "$directory" --parallel "$(nproc)"
}

# .ci/run in a copy of the sources, on a system that calls itself Windows, with MinGW for
# Microsoft's compiler.
ci_run() {
    mkdir "$build/windows_bin" "$build/clone"
    printf '#!/bin/sh\necho MINGW64_NT\n' >"$build/windows_bin/uname"
    chmod +x "$build/windows_bin/uname"
    cp -r .ci CMakeLists.txt include src tests "$build/clone"
    cat >"$build/windows.cmake" <<'END'
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
END
    CMAKE_GENERATOR='Ninja Multi-Config' CMAKE_TOOLCHAIN_FILE=$build/windows.cmake \
        CTEST_PARALLEL_LEVEL=$(nproc) PATH=$build/windows_bin:$PATH quietly "$build/clone/.ci/run"
    sed -n 's/^100% tests passed/ci_run: &/p' "$build/log" | grep .
}

# NAME: an emulator may hide an exit status, so each program must have printed its result.
count_tests() {
    local programs
    programs=$(find "$build/$1/tests" -name CMakeFiles -prune -o -type f -perm -100 -print | wc -l)
    awk -v name="$1" -v programs="$programs" '
        { sub(/\r$/, "") }
        / \[  PASSED  \] [1-9][0-9]* test\(s\)\.$/ { passed += $(NF - 1); said++ }
        / [1-9][0-9]* passed, 0 failed$/ { said++ }
        / ERROR | LINE | FAILED |\*\*\*/ { print; failed = 1 }
        END {
            printf "%s: %d tests passed, %d of %d programs reported\n", name, passed, said, programs
            exit failed || !passed || said != programs
        }' "$build/$1/said"
}

# Wine's server outlives the program that started it, and would keep that program's output open for
# seconds. So it is started before the tests and stopped after them. Otherwise it ends by itself in
# a minute.
export WINEPREFIX=$build/wine WINEDEBUG=-all WINEDLLOVERRIDES='winemenubuilder.exe,mscoree,mshtml='
begin_wine() {
    [ -d "$WINEPREFIX" ] || { mkdir "$WINEPREFIX" && wineserver -p60 && wineboot -i; }
}

# All sources together: system_posix.c is empty here.
windows_by_the_line_of_readme() {   # COMPILER
    quietly readme_program "$build/readme" "$1" -Wall -Wextra -Wpedantic -Werror
    wine "$build/readme/a.exe" | tr -d '\r' | cmp - <(printed_by_readme) ||
        fail 'the program of README prints something else in Wine'
}

check() {   # NAME COMPILER EMULATOR
    [ "$3" != wine ] || begin_wine </dev/null >/dev/null 2>&1
    [ "$1" != ci_run ] || { ci_run; return; }
    [ "$1" != windows ] || windows_by_the_line_of_readme "$2"
    build_tests "$@"
    ctest --test-dir "$build/$1" --parallel "$(nproc)" -V >"$build/$1/said" 2>&1 || true
    count_tests "$1"
}

[ $# -gt 0 ] || [ -z "${REDIAL_CI-}" ] || set -- mips musl windows
chosen=$(for name in "${@:-[a-z]}"; do grep "^$name" <<<"$targets" || fail "no $name" >&2; done)
fetch_cmocka
need cmake ninja-build $(echo "$chosen" | awk '
    { for (i = 4; i <= NF; i++) print $i }
    $3 ~ /^qemu/ { print "qemu-user" }' | sort -u)
while read -r name compiler emulator packages; do
    check "$name" "$compiler" "$emulator"
done <<<"$chosen"
[ ! -d "$WINEPREFIX" ] || { wineserver -k && wineserver -w; } || true
