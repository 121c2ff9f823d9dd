# Functions that the checks share. Each check sources this file. SPDX-License-Identifier: MIT
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
. tests/install.sh

# These need no libc. budget.c and gate.c also need a 32-bit compare-and-swap, which a Cortex-M0
# and an AVR have not.
freestanding='src/policy.c src/delay.c src/outcome.c src/http.c src/retry_after.c'
freestanding+=' src/call.c src/run.c src/names.c'
posix=$(ls src/*.c | grep -v windows)
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual
          -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror'

# CMake's options for a build of the unit tests alone.
only_unit_tests='-DREDIAL_TESTS=ON -DREDIAL_EXAMPLES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CURL=ON'

[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR   # a folder that is gone
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

version_of() {   # TREE
    sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' "$1/include/redial.h" | paste -sd .
}

abi_of() {   # TREE
    sed -n 's/^set(redial_abi \(.*\))$/\1/p' "$1/CMakeLists.txt"
}

version=$(version_of .)
abi=$(abi_of .)

fail() {   # MESSAGE: ends the check
    echo "$*"
    exit 1
}

# quietly COMMAND...: shows its output only if it fails. Then the check ends.
quietly() {
    "$@" >"$build/log" 2>&1 || { cat "$build/log"; echo "failed: $*"; exit 1; }
}

# skip REASON: ends the check as skipped
skip() {
    echo "$*" >&2
    exit 77
}

# may_get HOW WHAT: unless it is allowed, no check installs or downloads anything
may_get() {
    [ "${REDIAL_GET_PACKAGES-}" = yes ] ||
        skip "missing; $1 $2 (REDIAL_GET_PACKAGES=yes lets a check do that)"
}

# Installs the Debian packages that are missing. Where that is impossible, the check is skipped.
need() {
    local missing=() package
    command -v dpkg-query >/dev/null || skip "it needs Debian's packages: $*"
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    may_get 'as root: apt-get install' "${missing[*]}"
    [ "$(id -u)" = 0 ] || skip "missing; as root: apt-get install ${missing[*]}"
    echo "Installing ${missing[*]}" >&2
    { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } \
        >"$build/log" 2>&1 || skip "$(tell_what_failed "$build/log" "${missing[*]}")"
}

apt_get() {   # one at a time: apt-get update fails while another one runs
    DEBIAN_FRONTEND=noninteractive flock -o /var/lib/apt/lists \
        apt-get -o DPkg::Lock::Timeout=900 "$@"
}

# keep NAME COMMAND...: sets $kept to a folder that COMMAND fills. The folder is the command's last
# argument. It is filled once, and kept in build/kept for other checks and later runs, unless that
# folder is read-only.
keep() {
    local folder=${REDIAL_BUILD:-$PWD/build}/kept status=0
    mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || folder=$build/kept
    kept=$folder/$1
    [ ! -d "$kept" ] || return 0
    may_get fetch "$1"
    echo "Fetching $1" >&2
    mkdir -p "$kept.$$"   # another check may fetch the same: the first one that is ready counts
    "${@:2}" "$kept.$$" >"$build/log" 2>&1 || status=$?
    if [ $status != 0 ]; then
        rm -rf "$kept.$$"
        ! no_network "$build/log" || skip "No network: $1 can't be fetched"
        cat "$build/log" >&2
        exit $status
    fi
    mv -T "$kept.$$" "$kept" 2>/dev/null || { [ -d "$kept" ] && rm -rf "$kept.$$"; }
}

copy_tree() {   # FOLDER FILE...: ours may be read-only
    mkdir -p "$1"
    cp -r "${@:2}" "$1"
    chmod -R u+w "$1"
}

library() {   # FOLDER TARGETS OPTION...: configures and builds, without tests and examples
    quietly cmake -S . -B "$1" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF "${@:3}"
    quietly cmake --build "$1" --parallel "$(nproc)" --target $2
}

# symbols FILE...: prints the external symbols that these files define, sorted
symbols() {
    local which=-g
    [[ $1 != *.so ]] || which=-D
    nm $which --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u
}

# consumer_works NAME COMMAND...: the command runs the program of tests/consumers, which
# prints what is expected
consumer_works() {
    local name=$1 said
    shift
    said=$("$@") || fail "$name: the program ended with $?"
    [ "$said" = 'done after 3 attempts, 3000 ms waited; 0 tokens left' ] ||
        fail "$name: the program said '$said'"
    echo "$name: works"
}

# Shows the output of selftest, which comes on stdin. Succeeds if all its checks passed.
all_passed() {
    sed 's/\x1b\[[0-9;]*m//g; s/\.$//' | tr -d '\r' | tee "$build/output"
    grep -qx '[1-9][0-9]* passed, 0 failed' "$build/output"
}
