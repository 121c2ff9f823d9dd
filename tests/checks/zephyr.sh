#!/bin/bash
# The module for Zephyr, in a stub of Zephyr. kconfiglib reads its options, the options select the right sources, and
# its port does what redial.h promises of redial_system. It has not run on a device.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev binutils python3-kconfiglib python3-yaml

# module NAME OPTION...: builds it with these options in $build/NAME. (Debian's packages are for /usr/bin/python3.)
module() {
    local name=$1
    shift
    mkdir "$build/$name"
    quietly /usr/bin/python3 tests/checks/ports/zephyr/configure.py "$PWD/src/package" "$build/$name" "$@"
    quietly cmake -S tests/checks/ports/zephyr -B "$build/$name" -DOUT="$build/$name"
    grep -q 'No library' "$build/log" && return
    quietly cmake --build "$build/$name"
}

option() {   # NAME OPTION
    sed -n "s/^set(CONFIG_$2 \(.*\))$/\1/p" "$build/$1/module.cmake"
}

module nothing
[ ! -e "$build/nothing/module/libredial.a" ] || fail 'without REDIAL there is a library'

# REDIAL_RUN needs REDIAL.
module run REDIAL_RUN
[ "$(option run REDIAL_RUN)" = n ] || fail 'REDIAL_RUN does not depend on REDIAL'

module steps REDIAL
! symbols "$build/steps/module/libredial.a" | grep -xE 'redial_(run|loop_next|system)' ||
    fail 'REDIAL has the loops'
symbols "$build/steps/module/libredial.a" | grep -qx redial_next || fail 'REDIAL lacks redial_next'

module all REDIAL REDIAL_RUN
[ "$(option all ENTROPY_GENERATOR)" = y ] || fail 'REDIAL_RUN does not imply ENTROPY_GENERATOR'
library "$build/cmake" -- redial
diff <(symbols "$build/cmake/libredial.a") <(symbols "$build/all/module/libredial.a") ||
    fail "these symbols are only in CMake's library (<) or in the module (>)"
timeout 60 "$build/all/port"
