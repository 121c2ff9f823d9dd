#!/bin/bash
# ./examples/run uses the compiler that each run names, and says so if there is no network.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc clang libc6-dev cmake make

export REDIAL_BUILD=$build
for compiler in gcc clang gcc; do
    CC=$compiler ./examples/run --help >"$build/log" 2>&1 || true   # it builds before
    used=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/quickstart/CMakeCache.txt")
    [ "$(basename "$used")" = $compiler ] || fail "CC=$compiler ./examples/run used $used"
done

[ "$(id -u)" = 0 ] || skip 'the scripts install packages as root alone; the compilers have passed'
mkdir "$build/bin"
cat >"$build/bin/apt-get" <<'END'
#!/bin/sh
echo "E: Temporary failure resolving 'a.mirror'"
exit 100
END
chmod +x "$build/bin/apt-get"
for script in examples/run tests/run; do
    ! PATH=$build/bin:$PATH CC=/none $script >"$build/said" 2>&1 ||
        fail "$script works without a compiler"
    tail -n 1 "$build/said" | grep -q '^No network: .* gcc ' && ! grep -q E: "$build/said" ||
        { cat "$build/said"; fail "$script does not say that there is no network"; }
done
echo 'the compiler of each run; no network: works'
