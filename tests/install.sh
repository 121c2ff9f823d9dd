# What tests/run and examples/run need. Sourced, never run. SPDX-License-Identifier: MIT
#     get LOG WHAT:PACKAGE...   WHAT is a program, or a header that ${CC:-cc} must find
# As root on Debian and Ubuntu it installs the packages of what is missing, after it has said so.
# Elsewhere, or with REDIAL_GET_PACKAGES=no, it names them. It fails if something is still missing.

missing() {   # WHAT:PACKAGE...
    for row; do
        what=${row%:*}
        case $what in
        *.h) echo "#include <$what>" |
            ${CC:-cc} -E -I/usr/local/include -I/opt/homebrew/include - >/dev/null 2>&1 ;;
        *) command -v "$what" >/dev/null ;;
        esac || printf ' %s' "${row#*:}"
    done
}

get() {
    log=$1
    shift
    packages=$(missing "$@")
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Missing (these are Debian's names):$packages"
    elif [ "$(id -u)${REDIAL_GET_PACKAGES-}" = 0no ] || [ "$(id -u)" != 0 ]; then
        echo "Missing; as root: apt-get install$packages"
    else
        echo "Installing as root:$packages (REDIAL_GET_PACKAGES=no: don't)"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 \
            install -y --no-install-recommends $packages; } </dev/null >"$log" 2>&1 ||
            { tail -n 3 "$log"; echo "They can't be installed; $log says why."; }
    fi
    [ -z "$(missing "$@")" ]
}
