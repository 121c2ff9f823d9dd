#!/bin/bash
# libcurl.sh [SUITE]: the tests of redial_curl.h with the system's libcurl, or with that of a suite
# of Debian, which is unpacked beside the system with its own C library. They have a server of TLS
# that blocks, which the quick tests lack. Without REDIAL_CI, the payments have a new seed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/apt.sh
. tests/checks/lib/quiet.sh
need gcc g++ clang libc6-dev binutils libcmocka-dev libcurl4-openssl-dev python3-minimal openssl \
    debian-archive-keyring ca-certificates
suite=${1-}

tls=
trap '[ -z "$tls" ] || kill $tls 2>/dev/null || :; wait; rm -rf "$build"' EXIT

# inside ROOT PROGRAM ARGUMENT...: runs it with the loader and the libraries of an unpacked suite.
# Some packages have /lib in /usr, and some don't.
inside() {
    local loader libraries
    loader=$(readelf -l "$2" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
    [ -e "$1$loader" ] || loader=/usr$loader
    libraries=lib/$(gcc -print-multiarch)
    exec "$1$loader" --library-path "$1/usr/$libraries:$1/$libraries" "${@:2}"
}

start_tls() {
    quietly openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$build/key" \
        -out "$build/pem"
    cat "$build/key" >>"$build/pem"
    python3 tests/checks/libcurl_tls.py "$build/pem" >"$build/tls" &
    tls=$!
    until [ -s "$build/tls" ]; do
        kill -0 $tls || fail 'the server of TLS has ended'
        sleep 0.05
    done
    read -r TLS_PORT <"$build/tls"
    export TLS_PORT
}

# Sets where its headers and libraries are. cmocka is the system's.
get_libcurl() {
    run=env
    options=()
    [ -n "$suite" ] || return 0   # header.sh looks at its headers
    if [ "$suite" = sid ]; then   # it changes
        kept=$build/sid
        may_get fetch 'the libcurl of Debian sid'
        quietly unpack sid libcurl4-openssl-dev "$kept"
    else
        keep "libcurl-$suite" unpack "$suite" libcurl4-openssl-dev
    fi
    local libraries=$kept/usr/lib/$(gcc -print-multiarch)
    run="inside $kept"
    mkdir "$build/include" "$build/lib"
    ln -s "$kept/usr/include/$(gcc -print-multiarch)/curl" "$build/include/curl"
    ln -s "$libraries/libcurl.so.4" "$build/lib/libcurl.so"
    cp -L "$(gcc -print-file-name=libcmocka.so)" "$libraries/libcmocka.so.0"
    options=(-isystem "$build/include" -L"$build/lib" -Wl,--allow-shlib-undefined)
    curl_header_is_quiet -isystem "$build/include"
}

test_it() {   # SOURCE [ARGUMENT]: adds the program's output to $build/said
    quietly gcc -std=gnu11 -O1 $warnings -Wno-unused-parameter -DWITH_CPP -Iinclude \
        "${options[@]}" "$1" tests/common/server.c "${objects[@]}" -lcurl -lcmocka -lpthread \
        -o "$build/test"
    ($run "$build/test" "${@:2}") >>"$build/said" 2>&1 || { cat "$build/said"; fail "$1 failed"; }
}

get_libcurl
start_tls
mkdir "$build/objects"
(cd "$build/objects" && quietly gcc -O1 -I"$OLDPWD/include" -c $(printf "$OLDPWD/%s " $posix))
quietly g++ -O1 -Iinclude "${options[@]}" -c tests/curl/ways.cpp -o "$build/objects/ways.o"
objects=("$build"/objects/*.o)
seed=1
[ -n "${REDIAL_CI-}" ] || seed=$(od -An -N4 -tu4 /dev/urandom)
for source in tests/curl/test_*.c; do
    case $source in
    *random.c) test_it "$source" $seed ;;
    *) test_it "$source" ;;
    esac
done
grep payments "$build/said"
grep '^TLS, ' "$build/said" || fail 'the test with TLS was skipped'
awk '/  PASSED  / { passed += $(NF - 1) } END { print passed " tests passed"; exit !passed }' \
    "$build/said"
