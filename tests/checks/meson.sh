#!/bin/bash
# A user's Meson project gets the library from git, with dependency('redial') and the wrap: static and shared, for this
# machine and for aarch64.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/publish.sh
need git cmake make gcc libc6-dev meson ninja-build binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user

publish
library "$build/made" "-DREDIAL_ADDRESS=$address" -- meson redial redial_shared
mkdir "$build/project"
cp tests/checks/consumers/main.c tests/checks/consumers/meson.build "$build/project"
cp -r "$build/made/meson" "$build/project/subprojects"
printf "[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
" >"$build/aarch64.ini"

# check NAME STATIC_OR_SHARED RUN_BY [OPTION...]: RUN_BY may be empty
check() {
    local folder=$build/$1 needed= file=libredial.a
    quietly meson setup "$folder" "$build/project" --wrap-mode=forcefallback --default-library="$2" \
        -Dredial:werror=true "${@:4}"   # forced: not a redial that is installed here
    grep -q "Message: redial is $version\.$" "$build/log" || fail "$1: not version $version"
    quietly meson compile -C "$folder"
    consumer_works "$1" $3 "$folder/consumer"
    [ "$2" = static ] || needed=$soname file=libredial.so
    [ "$(readelf -d "$folder/consumer" | sed -n 's/.*NEEDED.*\[\(libredial.*\)\]/\1/p')" = "$needed" ] ||
        fail "$1: the program does not need just '$needed'"
    diff <(symbols "$build/made/$file") <(symbols "$folder/subprojects/redial/$file") ||
        fail "$1: these symbols are only in CMake's library (<) or in Meson's (>)"
    DESTDIR=$folder/root quietly meson install -C "$folder"
    [ "$(find "$folder/root" -name 'redial*.h' -o -name "$file" | wc -l)" = 4 ] ||
        fail "$1: not all is installed"
}

soname=$(readelf -d "$build/made/libredial.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu'
check static static ''
check shared shared '' -Dunity=on   # the project uses unity builds, and redial does not
check aarch64-static static "$emulator" --cross-file "$build/aarch64.ini"
check aarch64-shared shared "$emulator" --cross-file "$build/aarch64.ini"
