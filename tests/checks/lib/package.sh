# Functions that the checks of packages share. Sourced, never run. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"

# consumer NAME OPTION...: builds and runs the project of tests/consumers
consumer() {
    quietly cmake -S tests/consumers -B "$build/$1" "${@:2}"
    quietly cmake --build "$build/$1"
    consumer_works "$1" "$build/$1/consumer"
}

# refused MESSAGE OPTION...: CMake refuses the project with this message
refused() {
    rm -rf "$build/refused"
    ! cmake -S tests/consumers -B "$build/refused" "${@:2}" >"$build/log" 2>&1 ||
        fail "accepted: ${*:2}"
    grep -q "$1" "$build/log" || { cat "$build/log"; fail "refused, but without '$1': ${*:2}"; }
}

# through_pkg_config NAME PREFIX LIBDIR [static]
through_pkg_config() {
    export PKG_CONFIG_PATH=$2/$3/pkgconfig
    [ "$(pkg-config --modversion redial)" = "$version" ] || fail "$1: its version is not $version"
    quietly gcc ${4:+-static} tests/consumers/main.c \
        $(pkg-config ${4:+--static} --cflags --libs redial) -o "$build/program"
    consumer_works "$1, pkg-config" env LD_LIBRARY_PATH="$2/$3" "$build/program"
}

# needs FILE: prints the libraries of redial that a program needs
needs() {
    readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(libredial.*\)\]/\1/p'
}

# has_lines FILE LINE...: the file has these lines, which are regular expressions
has_lines() {
    local line
    for line in "${@:2}"; do
        grep -qxE "$line" "$1" || fail "$(basename "$1") lacks $line"
    done
}

# has_files FOLDER FILE...: the folder has these files, and they are not empty
has_files() {
    local file
    for file in "${@:2}"; do
        [ -s "$1/$file" ] || fail "$1 lacks $file"
    done
}
