# Builds cmocka from Debian's source package, for compilers that have no package of it. Sourced
# after check.sh. SPDX-License-Identifier: MIT

# Call it once, before build_cmocka: $cmocka then has the source.
fetch_cmocka() {
    need xz-utils debian-archive-keyring ca-certificates
    keep cmocka unpack_cmocka
    cmocka=$kept
}

unpack_cmocka() {   # FOLDER
    (
        . tests/checks/lib/apt.sh
        private_apt "$build/apt" "$(. /etc/os-release && echo "$VERSION_CODENAME")" deb-src &&
            cd "$build/apt" &&
            apt-get -qq source --download-only cmocka &&
            tar -xf cmocka_*.orig.tar.?z -C "$1" --strip-components=1
    )
}

# The results of its CMake tests. They are the same for every target of gcc and clang.
configure_cmocka() {
    cat <<'END'
#define HAVE_INTTYPES_H 1
#ifndef __APPLE__
#define HAVE_MALLOC_H 1
#endif
#define HAVE_SIGNAL_H 1
#define HAVE_STRINGS_H 1
#define HAVE_STRSIGNAL 1
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif
#define WORDS_SIZEOF_VOID_P __SIZEOF_POINTER__
END
}

# build_cmocka FOLDER CC [CFLAGS...]: compiles it with CC, and puts cmocka.h and libcmocka.a into
# FOLDER. AR is the archiver, if that of CC is not right.
build_cmocka() {
    local directory=$1 compiler=$2
    shift 2
    mkdir -p "$directory"
    configure_cmocka >"$directory/config.h"
    "$compiler" -w "$@" -DHAVE_CONFIG_H -I"$directory" -I"$cmocka/include" \
        -c "$cmocka/src/cmocka.c" -o "$directory/cmocka.o"
    "${AR-$("$compiler" -print-prog-name=ar)}" rcs "$directory/libcmocka.a" "$directory/cmocka.o"
    cp "$cmocka/include/cmocka.h" "$directory"
}
