# What the checks share; they source it. SPDX-License-Identifier: MIT
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."

# These need no libc. budget.c and gate.c need a 32-bit compare-and-swap besides, which a Cortex-M0 and an AVR have not.
freestanding='src/policy.c src/delay.c src/outcome.c src/http.c src/retry_after.c src/call.c src/run.c src/names.c'
posix=$(ls src/*.c | grep -v windows)
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wstrict-prototypes
          -Wmissing-prototypes -Wundef -Werror'

[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR   # a folder that is gone
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

# quietly COMMAND...: what it says is shown if it fails, which ends the check
quietly() {
    "$@" >"$build/log" 2>&1 || { cat "$build/log"; echo "failed: $*"; exit 1; }
}

# skip REASON: ends the check, which can't be done here
skip() {
    echo "$*" >&2
    exit 77
}

# Installs the Debian packages that are missing. The check is skipped where that can't be.
need() {
    local missing=() package
    command -v dpkg-query >/dev/null || skip "it needs Debian's packages: $*"
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || skip "missing; as root: apt-get install ${missing[*]}"
    echo "Installing ${missing[*]}" >&2
    { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } >"$build/log" 2>&1 ||
        { cat "$build/log" >&2; skip "can't be installed: ${missing[*]}"; }
}

apt_get() {   # others may install at the same time
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 "$@"
}

# keep NAME COMMAND...: $kept is a folder that COMMAND has filled, whose last argument it is. Filled once, and kept in
# build/kept for other checks and for the next time, unless nothing can be written there.
keep() {
    local folder=${REDIAL_BUILD:-$PWD/build}/kept status=0
    mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || folder=$build/kept
    kept=$folder/$1
    [ ! -d "$kept" ] || return 0
    echo "Fetching $1" >&2
    mkdir -p "$kept.$$"
    "${@:2}" "$kept.$$" >"$build/log" 2>&1 || status=$?
    [ $status = 0 ] || { cat "$build/log" >&2; rm -rf "$kept.$$"; exit $status; }
    mv "$kept.$$" "$kept"
}

# Whether the selftest's output, on stdin, ends with checks that all passed; shows it.
all_passed() {
    sed 's/\x1b\[[0-9;]*m//g; s/\.$//' | tr -d '\r' | tee "$build/output"
    grep -q '^bytes: int ' "$build/output" && grep -qx '[1-9][0-9]* passed, 0 failed' "$build/output"
}
