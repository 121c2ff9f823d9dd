#!/bin/bash
# Somebody's Meson project gets the library by dependency('redial') and the wrap, from git: static and shared, for this
# machine and for aarch64.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/publish.sh
need git cmake make gcc libc6-dev meson ninja-build binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user

publish
quietly cmake --build "$made" --target meson
mkdir "$build/project"
cp tests/checks/consumers/main.c tests/checks/consumers/meson.build "$build/project"
cp -r "$made/meson" "$build/project/subprojects"
printf "[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
" >"$build/aarch64.ini"

# symbols STATIC_OR_SHARED FOLDER: what the library there defines for others
symbols() {
    case $1 in
    static) nm -g --defined-only "$2/libredial.a" ;;
    shared) nm -D --defined-only "$2/libredial.so" ;;
    esac | awk 'NF == 3 { print $3 }' | sort
}

# check NAME STATIC_OR_SHARED RUN_BY [OPTION...]: RUN_BY may be empty
check() {
    local folder=$build/$1 said needed=
    quietly meson setup "$folder" "$build/project" --wrap-mode=forcefallback --default-library="$2" \
        -Dredial:werror=true "${@:4}"   # forced: not a redial that is installed here
    grep -q "Message: redial is $version\.$" "$build/log" || { echo "$1: not version $version"; exit 1; }
    quietly meson compile -C "$folder"
    said=$($3 "$folder/consumer") || { echo "$1: the program ended with $?"; exit 1; }
    [ "$said" = 'done after 3 attempts, 3000 ms waited; 0 tokens left' ] || { echo "$1: it said '$said'"; exit 1; }
    [ "$2" = static ] || needed=$soname
    [ "$(readelf -d "$folder/consumer" | sed -n 's/.*NEEDED.*\[\(libredial.*\)\]/\1/p')" = "$needed" ] ||
        { echo "$1: the program does not need just '$needed'"; exit 1; }
    diff <(symbols "$2" "$made") <(symbols "$2" "$folder/subprojects/redial") ||
        { echo "$1: these symbols are only in CMake's library (<) or in Meson's (>)"; exit 1; }
    echo "$1: works"
}

quietly cmake --build "$made" --target redial redial_shared
soname=$(readelf -d "$made/libredial.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu'
check static static ''
check shared shared ''
check aarch64-static static "$emulator" --cross-file "$build/aarch64.ini"
check aarch64-shared shared "$emulator" --cross-file "$build/aarch64.ini"
