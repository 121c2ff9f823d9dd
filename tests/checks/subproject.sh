#!/bin/bash
# redial is a part of a CMake project, by add_subdirectory or FetchContent, and adds nothing to it
# but the library. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc libc6-dev cmake make

# entries NAME: prints the names of the entries in the CMake cache of NAME
entries() {
    sed -n 's/^\([A-Za-z_][^:=]*\):.*/\1/p' "$build/$1/CMakeCache.txt" | sort
}

# part WAY WITHOUT: compares the project with the same project WITHOUT redial
part() {
    local common=("-DREDIAL=$PWD" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON) foreign
    local commands=$build/$1/compile_commands.json
    quietly cmake -S tests/consumers -B "$build/without $1" -DWAY="$2" "${common[@]}"
    consumer "$1" -DWAY="$1" "${common[@]}"
    foreign=$(comm -13 <(entries "without $1") <(entries "$1") |
        grep -vE '^(FETCHCONTENT_[A-Z_]+_REDIAL$|REDIAL_)') && fail "$1: in the cache: $foreign"
    ctest --test-dir "$build/$1" -N | grep -qx 'Total Tests: 0' || fail "$1: it adds tests"
    quietly cmake --install "$build/$1" --prefix "$build/empty"
    [ ! -e "$build/empty" ] || fail "$1: it installs $(find "$build/empty")"
    grep -q 'src/delay\.c' "$commands" || fail "$1: compile_commands.json lacks src/delay.c"
    ! grep -E '"command".* -(W|pedantic)' "$commands" || fail "$1: it adds warning flags"
}

into=(-DWAY=add_subdirectory "-DREDIAL=$PWD")
part add_subdirectory none
part FetchContent FetchContent_not_made

# A compiler that makes position-independent code by itself would not tell whether we ask for it.
consumer embedded "${into[@]}" -DEMBED=ON -DCMAKE_C_FLAGS=-fno-pie -DCMAKE_EXE_LINKER_FLAGS=-no-pie
quietly cmake --install "$build/embedded" --prefix "$build/embedding"
[ -f "$build/embedding/lib/cmake/embedding/embedding.cmake" ] || fail 'embedded: exports nothing'
refused 'There is a redial already' "${into[@]}" -DTWICE=ON

# A project that sets REDIAL_INSTALL installs redial, too, which programs need if the library is
# shared. It may export its own targets from its build.
for kind in static shared; do
    consumer "$kind" "${into[@]}" -DINSTALL=ON -DBUILD_SHARED_LIBS=$([ $kind = static ]; echo $?)
    quietly cmake --install "$build/$kind" --prefix "$build/$kind tree"
    consumer "$kind, installed" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/$kind tree"
    consumer_works "$kind, moved" env LD_LIBRARY_PATH="$build/$kind tree/lib" \
        "$build/$kind tree/bin/consumer"
done
