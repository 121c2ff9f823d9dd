#!/bin/bash
# redial is a subproject of Meson, on this machine and for another one. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need git cmake make gcc libc6-dev meson ninja-build binutils gcc-aarch64-linux-gnu \
    libc6-dev-arm64-cross qemu-user gcc-mingw-w64-x86-64

# meson_project NAME KIND RUN_BY OPTION...: RUN_BY may be empty
meson_project() {
    local folder=$build/$1 file
    quietly meson setup "$folder" "$build/project" --wrap-mode=forcefallback \
        --default-library="$2" -Dredial:werror=true "${@:4}"   # forced: not one that is installed
    grep -q "Message: redial is $version\.$" "$build/log" || fail "$1: not version $version"
    quietly meson compile -C "$folder"
    consumer_works "$1" $3 "$folder/consumer"
    [ "$(needs "$folder/consumer")" = "$([ "$2" = static ] || needs "$build/program")" ] ||
        fail "$1: the other kind"
    DESTDIR=$folder/root quietly meson install -C "$folder"
    for file in libredial.a libredial.so; do
        case $2$file in static*.so | shared*.a) continue ;; esac
        same_symbols "$build/made/$file" "$folder/subprojects/redial/$file"
    done
    {
        echo consumer
        [ "$2" = static ] || printf 'libredial.so%s\n' '' ".$abi" ".$abi.${version#*.}"
    } | sort >"$build/wanted"
    find "$folder/root" ! -type d -printf '%f\n' | sort | diff "$build/wanted" - ||
        fail "$1: with < it would be complete, and it installs >"
    [ "$2" != both ] || ! readelf -sW "$folder/subprojects/redial/libredial.a" |
        grep 'GLOBAL *DEFAULT *[0-9][0-9]* redial_' ||
        fail "$1: the static library exports its functions"
}

# Makes a git repository of these sources with the tag of a release. $address is its address.
publish() {
    address=file://$build/published
    copy_tree "$build/published" CMakeLists.txt LICENSE include src
    quietly bash -ec 'cd "$0"; git init -q; git add -A
        git -c user.name=check -c user.email=check@example.com -c commit.gpgsign=false \
            commit -q -m redial
        git tag "$1"' \
        "$build/published" "v$version"
}

publish
library "$build/made" 'meson redial redial_shared' -DREDIAL_BOTH=ON "-DREDIAL_ADDRESS=$address"
gcc -Iinclude tests/checks/consumers/main.c "$build/made/libredial.so" -o "$build/program"
mkdir "$build/project"
cp tests/checks/consumers/main.c tests/checks/consumers/meson.build "$build/project"
cp -r "$build/made/meson" "$build/project/subprojects"
printf "%s\n" '[binaries]' "c = 'aarch64-linux-gnu-gcc'" "ar = 'aarch64-linux-gnu-ar'" \
    '[host_machine]' "system = 'linux'" "cpu_family = 'aarch64'" "cpu = 'aarch64'" \
    "endian = 'little'" >"$build/aarch64.ini"
meson_project static static ''
meson_project shared shared '' -Dunity=on   # the project uses unity builds, and redial does not
meson_project both both ''
meson_project aarch64 both 'qemu-aarch64 -L /usr/aarch64-linux-gnu' \
    --cross-file "$build/aarch64.ini"
sed "s/aarch64-linux-gnu/x86_64-w64-mingw32/; s/aarch64/x86_64/; s/linux'/windows'/" \
    "$build/aarch64.ini" >"$build/windows.ini"
quietly meson setup "$build/windows" "$build/project" --wrap-mode=forcefallback \
    --default-library=shared --cross-file "$build/windows.ini"
quietly meson compile -C "$build/windows"
[ -f "$build/windows/subprojects/redial/libredial-$abi.dll" ] ||
    fail "Meson's DLL is not libredial-$abi.dll, as CMake's is"
