#!/bin/bash
# The quick tests pass where a path has a space, the locale is Turkish, few files may be open and TMPDIR is gone. Without
# loopback those that need it end at once, and one of them says why.
. "$(dirname "$0")/lib/check.sh"
need cmake ninja-build gcc g++ libc6-dev libcmocka-dev locales util-linux

tree="$build/a tree"
mkdir "$tree"
cp -r CMakeLists.txt LICENSE README.md .github examples include src tests "$tree"
quietly cmake -S "$tree" -B "$tree/build" -G Ninja -DREDIAL_DEVELOPER=ON -DCMAKE_BUILD_TYPE=Debug
quietly cmake --build "$tree/build" --parallel "$(nproc)"
localedef -i tr_TR -f UTF-8 "$build/tr_TR.UTF-8"

# there COMMAND...: without the simulations of whole fleets, which take long and depend on none of this
there() {
    (
        ulimit -n 64
        export LOCPATH="$build" LC_ALL=tr_TR.UTF-8 TMPDIR="$build/gone"
        "$@" ctest --test-dir "$tree/build" -L quick -E 'fleet|herd|choose' --parallel "$(nproc)" -V
    ) >"$build/said" 2>&1
}

there || { grep -E '\*\*\*|ERROR|LINE' "$build/said"; exit 1; }
! grep 'no Turkish locale' "$build/said" || exit 1
grep '% tests passed' "$build/said"

unshare -n true 2>/dev/null || { echo 'with loopback alone: unshare is not allowed here'; exit 0; }
! there unshare -n || { echo 'without loopback all tests pass, and the network is not there'; exit 1; }
[ "$(grep -c '\*\*\*Failed' "$build/said")" = 1 ] && grep -q 'is the loopback interface up?' "$build/said" ||
    { grep '\*\*\*' "$build/said"; exit 1; }
echo "without loopback: $(grep -c '\*\*\*Not Run' "$build/said") tests are not run, and $(
    sed -n 's/^Total Test time (real) = *//p' "$build/said") is what it takes"
