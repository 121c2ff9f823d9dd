# build_cmocka DIR CC [CFLAGS...]: puts cmocka.h and libcmocka.a, compiled by CC, into DIR. No cross build of cmocka is
# packaged, so it comes from Debian's source package. Sourced after check.sh. SPDX-License-Identifier: MIT

# Into $build/cmocka, once; with a state of apt's own beside the system's, and the mirror that the system uses.
fetch_cmocka() {
    local directory=$build/cmocka mirror suite
    [ ! -d "$directory/source" ] || return 0
    need xz-utils
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -E '^(deb |URIs:)' |
        grep -oE '[a-z+]+://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ')
    [ -n "$mirror" ] || { echo "cmocka's source: /etc/apt names no mirror that ends in /debian" >&2; return 1; }
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mkdir -p "$directory"/apt/{sources,lists/partial,cache/archives/partial}
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
        >"$directory/apt/sources/debian.list"
    cat >"$directory/apt/conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$directory/apt/sources";
Dir::State::Lists "$directory/apt/lists";
Dir::State::status "/dev/null";
Dir::Cache "$directory/apt/cache";
APT::Sandbox::User "root";
END
    (cd "$directory" && export APT_CONFIG="$directory/apt/conf" && apt-get -qq update &&
        apt-get -qq source --download-only cmocka && mkdir unpacked &&
        tar -xf cmocka_*.orig.tar.?z -C unpacked --strip-components=1) >"$directory/log" 2>&1 ||
        { cat "$directory/log" >&2; return 1; }
    configure_cmocka >"$directory/unpacked/config.h"
    mv "$directory/unpacked" "$directory/source"
}

# What its CMake would find out, for any target of gcc and clang.
configure_cmocka() {
    cat <<'END'
#define HAVE_INTTYPES_H 1
#define HAVE_MALLOC_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STRINGS_H 1
#define HAVE_STRSIGNAL 1
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif
#define WORDS_SIZEOF_VOID_P __SIZEOF_POINTER__
END
}

build_cmocka() {
    local directory=$1 compiler=$2 source=$build/cmocka/source
    shift 2
    fetch_cmocka
    mkdir -p "$directory"
    "$compiler" -w "$@" -DHAVE_CONFIG_H -I"$source" -I"$source/include" -c "$source/src/cmocka.c" \
        -o "$directory/cmocka.o"
    "$("$compiler" -print-prog-name=ar)" rcs "$directory/libcmocka.a" "$directory/cmocka.o"
    cp "$source/include/cmocka.h" "$directory"
}
