# The packages that the two commands need, with their names on each system, and what else the
# commands share. Sourced, never run. SPDX-License-Identifier: MIT
#
#     . tests/install.sh
#     install_missing LOG build cmocka || exit 1        # build: cc, cmake, make
#
# As root on Debian, Ubuntu, Alpine, Fedora or FreeBSD, it installs and names what is missing, and
# writes the package manager's output to LOG. Otherwise it prints to stderr which commands to run,
# and returns 1.

# component header            Debian, Ubuntu       Alpine       Fedora          Homebrew FreeBSD
components='
cc          stdio.h           gcc,libc6-dev        gcc,musl-dev gcc,glibc-devel -        -
cmake       -                 cmake                cmake        cmake           cmake    cmake
make        -                 make                 make         make            make     gmake
cmocka      cmocka.h          libcmocka-dev        cmocka-dev   libcmocka-devel cmocka   cmocka
curl        curl/curl.h       libcurl4-openssl-dev curl-dev     libcurl-devel   curl     curl
curl        -                 ca-certificates      ca-certificates -            -        -
uv          uv.h              libuv1-dev           libuv-dev    libuv-devel     libuv    libuv
cjson       cjson/cJSON.h     libcjson-dev         cjson-dev    cjson-devel     cjson    libcjson
hiredis     hiredis/hiredis.h libhiredis-dev       hiredis-dev  hiredis-devel   hiredis  hiredis
'

have() {
    command -v "$1" >/dev/null 2>&1
}

# A compiler without libc's headers is none.
have_component() {
    case $1 in
    cmake) have "$1" ;;
    make) have make || have ninja ;;
    *)
        header=$(echo "$components" | sed -n "/^$1 / { s/^[^ ]*  *\([^ ]*\).*/\1/p; q; }")
        echo "#include <$header>" |
            ${CC:-cc} -E -I/usr/local/include -I/opt/homebrew/include - >/dev/null 2>&1 ;;
    esac
}

missing_of() {
    for name in "$@"; do
        [ "$name" = build ] && name='cc cmake make'
        for part in $name; do
            have_component "$part" || echo "$part"
        done
    done | tr '\n' ' ' | sed 's/ $//'
}

manager() {
    for name in apt-get apk dnf brew pkg; do
        have $name && echo $name && break
    done
}

# Prints the names that the package manager has for the components.
packages() {
    tool=$(manager)
    echo "$components" | while read -r name header apt apk dnf brew pkg; do
        case " $* " in *" $name "*) ;; *) continue ;; esac
        case $tool in
        apt-get) echo "$apt" ;;
        apk) echo "$apk" ;;
        dnf) echo "$dnf" ;;
        brew) echo "$brew" ;;
        pkg) echo "$pkg" ;;
        esac
    done | grep -vx -e - | tr ',\n' '  ' | sed 's/ *$//'
}

# Prints the commands that install the components, one on each line. On an unknown system it prints
# none.
install_commands() {
    case $(manager)" $* " in brew*' cc '*) echo 'xcode-select --install' ;; esac
    names=$(packages "$@")
    [ -n "$names" ] || return 0
    case $(manager) in
    apt-get)
        echo 'apt-get -o DPkg::Lock::Timeout=900 update'
        echo "env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 install -y" \
             "--no-install-recommends $names" ;;
    apk) echo "apk add --no-cache $names" ;;
    dnf) echo "dnf install -y $names" ;;
    brew) echo "brew install $names" ;;
    pkg) echo "pkg install -y $names" ;;
    esac
}

tell_what_to_run() {
    case $(manager) in
    '') echo "Install them: a C compiler with libc's headers, cmake 3.18 or later, make or ninja;" \
            'on macOS, xcode-select --install and https://brew.sh first.' ;;
    brew) echo 'Run this, and then this command again:' ;;
    *) echo 'Run this as root, and then this command again:' ;;
    esac
    install_commands "$@" | sed 's/^/    /'
}

# Without a network a package manager writes pages, and few of their lines say so. These are words
# of apt, apk, dnf, pkg and npm.
no_network() {   # LOG
    grep -qiE -e 'resolv(ing|er|e host)|resolution failed|no address record|host not found' \
        -e 'DNS: |EAI_AGAIN|(temporary|network) error|unreachable|timed out|timeout was reached' \
        -e "could(n't| not) connect|connection refused" \
        -e 'failed to download metadata|unable to update repository' "$1"
}

tell_what_failed() {   # LOG PACKAGES
    if no_network "$1"; then
        echo "No network, or no answer from the package index: these packages can't be installed:" \
            "$2 ($1 says more)"
    else
        cat "$1"
        echo "These packages can't be installed: $2"
    fi
}

install_missing() {   # LOG COMPONENT...
    log=$1
    shift
    missing=$(missing_of "$@")
    [ -z "$missing" ] && return 0
    case $(id -u)$(manager) in
    0apt-get | 0apk | 0dnf | 0pkg) ;;
    *)
        echo "Missing: $missing" >&2
        tell_what_to_run $missing >&2
        return 1 ;;
    esac
    echo "Installing $(packages $missing)"
    install_commands $missing | while read -r line; do
        echo "# $line"
        $line </dev/null || exit 1
    done >"$log" 2>&1 || { tell_what_failed "$log" "$(packages $missing)" >&2; return 1; }
    missing=$(missing_of "$@")
    [ -z "$missing" ] && return 0
    echo "Installed, and yet missing: $missing${CC:+ (CC=$CC)}" >&2
    return 1
}

# CMake keeps the compiler and the flags of the first run. If others are chosen, it starts anew.
forget_other_compiler() {   # FOLDER
    chosen="${CC-} ${CFLAGS-} ${LDFLAGS-}"
    [ "$chosen" = "$(cat "$1/compiler" 2>/dev/null)" ] || rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles"
    echo "$chosen" >"$1/compiler"
}
