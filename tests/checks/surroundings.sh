#!/bin/bash
# The quick tests, except two slow ones, pass where a path has a space, few files may be open and
# TMPDIR does not exist; and where sh is bash and cmp wants two files, as on macOS, or all tools are
# Busybox, as on Alpine. Without loopback, the tests that need it do not run, one test says why, and
# the others end within a minute.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need cmake ninja-build gcc g++ libc6-dev libcmocka-dev util-linux busybox

tree="$build/a tree"
copy_tree "$tree" .ci .clang* .github CMakeLists.txt LICENSE README.md examples include src tests
quietly cmake -S "$tree" -B "$tree/build" -G Ninja -DREDIAL_DEVELOPER=ON -DCMAKE_BUILD_TYPE=Debug
quietly cmake --build "$tree/build" --parallel "$(nproc)"

# there COMMAND...: leaves out two tests of whole fleets, which are slow
there() {
    (
        ulimit -n 64
        export TMPDIR="$build/gone"
        "$@" ctest --test-dir "$tree/build" -L quick -E '^(readme_fleet|herd)$' \
            --parallel "$(nproc)" -V
    ) >"$build/said" 2>&1
}

passes() {   # COMMAND...
    there "$@" || { grep -E '\*\*\*|ERROR|LINE' "$build/said"; exit 1; }
    grep '% tests passed' "$build/said"
}

passes
unshare -nm true 2>/dev/null || skip 'unshare is not allowed here; the quick tests have passed'

mkdir "$build/applets"
busybox --install -s "$build/applets"
as_sh='mount --bind "/bin/$0" "$(readlink -f /bin/sh)" && exec "$@"'
mkdir "$build/macos"
printf '#!/bin/sh\n[ $# -ge 2 ] && exec %s "$@"\n' "$(command -v cmp)" >"$build/macos/cmp"
chmod +x "$build/macos/cmp"
PATH=$build/macos:$PATH passes unshare -m bash -c "$as_sh" bash
PATH=$build/applets:$PATH passes unshare -m bash -c "$as_sh" busybox

began=$SECONDS
! there unshare -n ||
    { echo 'without loopback all tests pass, and the network is not there'; exit 1; }
[ "$(grep -c '\*\*\*Failed' "$build/said")" = 1 ] &&
    grep -q 'is the loopback interface up?' "$build/said" ||
    { grep '\*\*\*' "$build/said"; exit 1; }
[ $((SECONDS - began)) -le 60 ] || fail "without loopback the tests take $((SECONDS - began)) s"
took=$((SECONDS - began))
left_out=$(grep -c '\*\*\*Not Run' "$build/said")
echo "without loopback: $left_out tests are not run, the others take $took s"
