# The packages that the two commands need, with their names on each system. Sourced, never run.
# SPDX-License-Identifier: MIT
#
#     . tests/install.sh
#     install_missing LOG build cmocka || exit 1        # build: cc, cmake, make
#
# As root on Debian, Ubuntu, Alpine or Fedora, it installs all missing packages at once. It prints a line for each, and
# writes the package manager's output to LOG. Otherwise it prints to stderr which commands to run, and returns 1. If
# nothing is missing, it does nothing.

# component  Debian, Ubuntu         Alpine      Fedora           Homebrew
components='
cc           gcc,libc6-dev          gcc,musl-dev gcc,glibc-devel -
cmake        cmake                  cmake        cmake           cmake
make         make                   make         make            make
cmocka       libcmocka-dev          cmocka-dev   libcmocka-devel cmocka
curl         libcurl4-openssl-dev,ca-certificates curl-dev,ca-certificates libcurl-devel curl
uv           libuv1-dev             libuv-dev    libuv-devel     libuv
cjson        libcjson-dev           cjson-dev    cjson-devel     cjson
hiredis      libhiredis-dev         hiredis-dev  hiredis-devel   hiredis
sqlite       libsqlite3-dev         sqlite-dev   sqlite-devel    sqlite
pq           libpq-dev              libpq-dev    libpq-devel     libpq
faketime     faketime               libfaketime  libfaketime     libfaketime
'

have() {
    command -v "$1" >/dev/null 2>&1
}

have_header() {
    echo "#include <$1>" | ${CC:-cc} -E -I/usr/local/include -I/opt/homebrew/include - >/dev/null 2>&1
}

have_cmake() {   # 3.18 or later
    version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    set -- ${version:-0 0}
    [ "$1" -gt 3 ] || { [ "$1" -eq 3 ] && [ "$2" -ge 18 ]; }
}

have_component() {
    case $1 in
    cc) have_header stdio.h ;;   # a compiler without libc's headers is none
    cmake) have_cmake ;;
    make) have make || have ninja ;;
    cmocka) have_header cmocka.h ;;
    curl) have_header curl/curl.h ;;
    uv) have_header uv.h ;;
    cjson) have_header cjson/cJSON.h ;;
    hiredis) have_header hiredis/hiredis.h ;;
    sqlite) have_header sqlite3.h ;;
    pq) have_header libpq-fe.h || have_header postgresql/libpq-fe.h ;;   # the latter on Debian
    faketime) have faketime ;;
    *) echo "install_missing: unknown component '$1'" >&2 ;;
    esac
}

missing_of() {
    for name in "$@"; do
        [ "$name" = build ] && name='cc cmake make'
        for part in $name; do
            have_component "$part" || echo "$part"
        done
    done
}

manager() {
    for name in apt-get apk dnf brew; do
        have $name && echo $name && break
    done
}

# Prints the names that the package manager $1 has for the components after it.
packages() {
    tool=$1
    shift
    echo "$components" | while read -r name apt apk dnf brew; do
        case " $* " in *" $name "*) ;; *) continue ;; esac
        case $tool in apt-get) echo "$apt" ;; apk) echo "$apk" ;; dnf) echo "$dnf" ;; brew) echo "$brew" ;; esac
    done | tr ',\n' '  ' | sed 's/ *$//'
}

# Prints the commands that install the components, one on each line. On an unknown system it prints none.
install_commands() {
    case $(manager) in
    apt-get)
        echo 'apt-get -o DPkg::Lock::Timeout=900 update'
        echo "env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 install -y" \
             "--no-install-recommends $(packages apt-get "$@")" ;;
    apk) echo "apk add --no-cache $(packages apk "$@")" ;;
    dnf) echo "dnf install -y $(packages dnf "$@")" ;;
    brew)
        case " $* " in *' cc '*) echo 'xcode-select --install' ;; esac
        echo "brew install $(packages brew "$@" | tr -d -)" ;;
    esac
}

tell_what_to_run() {
    case $(manager) in
    '') echo "Install them: a C compiler with libc's headers, cmake 3.18 or later, make or ninja; on macOS," \
             'xcode-select --install and https://brew.sh first.' ;;
    brew) echo 'Run this, and then this command again:' ;;
    *) echo 'Run this as root, and then this command again:' ;;
    esac
    install_commands "$@" | sed 's/^/    /'
}

install_missing() {   # LOG COMPONENT...
    log=$1
    shift
    missing=$(missing_of "$@" | tr '\n' ' ' | sed 's/ *$//')
    [ -z "$missing" ] && return 0
    case $(id -u)$(manager) in
    0apt-get | 0apk | 0dnf) ;;
    *)
        echo "Missing: $missing" >&2
        tell_what_to_run $missing >&2
        return 1 ;;
    esac
    for name in $missing; do
        echo "Installing $name ($(packages "$(manager)" "$name"))"
    done
    install_commands $missing | while read -r line; do
        echo "# $line"
        $line </dev/null || exit 1
    done >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    missing=$(missing_of "$@" | tr '\n' ' ' | sed 's/ *$//')
    [ -z "$missing" ] && return 0
    echo "Installed, and yet missing or too old (cmake must be 3.18 or later): $missing" >&2
    return 1
}
