# What the checks share; they source it. SPDX-License-Identifier: MIT
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."

# These need no libc. budget.c needs a 32-bit compare-and-swap besides, which a Cortex-M0 and an AVR have not.
freestanding='src/delay.c src/http.c src/retry_after.c src/call.c src/run.c src/names.c'
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wstrict-prototypes
          -Wmissing-prototypes -Wundef -Werror'

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

# Installs the Debian packages that are missing, or says what to run.
need() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || { echo "missing; as root: apt-get install ${missing[*]}" >&2; return 1; }
    {
        apt-get -o DPkg::Lock::Timeout=900 update &&
            DEBIAN_FRONTEND=noninteractive \
                apt-get -o DPkg::Lock::Timeout=900 install -y --no-install-recommends "${missing[@]}"
    } >"$build/apt" 2>&1 || { cat "$build/apt" >&2; return 1; }
}

# Whether the selftest's output, on stdin, ends with checks that all passed; shows it.
all_passed() {
    sed 's/\x1b\[[0-9;]*m//g; s/\.$//' | tr -d '\r' | tee "$build/output"
    grep -q '^bytes: int ' "$build/output" && grep -qx '[1-9][0-9]* passed, 0 failed' "$build/output"
}
