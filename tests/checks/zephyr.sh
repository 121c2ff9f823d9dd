#!/bin/bash
# The module for Zephyr, in a stub of Zephyr: its options by kconfiglib, the sources that they choose, and its port,
# which keeps the promises of redial_system. It has not run on a device.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev binutils python3-kconfiglib python3-yaml

# module NAME OPTION...: built with these options, in $build/NAME. (For /usr/bin/python3 the packages are.)
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

symbols() {
    nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort
}

module nothing
[ ! -e "$build/nothing/module/libredial.a" ] || { echo 'without REDIAL there is a library'; exit 1; }

# Alone it means nothing.
module run REDIAL_RUN
[ "$(option run REDIAL_RUN)" = n ] || { echo 'REDIAL_RUN does not depend on REDIAL'; exit 1; }

module steps REDIAL
! symbols "$build/steps/module/libredial.a" | grep -xE 'redial_(run|loop_next|system)' ||
    { echo 'REDIAL has the loops'; exit 1; }
symbols "$build/steps/module/libredial.a" | grep -qx redial_next || { echo 'REDIAL lacks redial_next'; exit 1; }

module all REDIAL REDIAL_RUN
[ "$(option all ENTROPY_GENERATOR)" = y ] || { echo 'REDIAL_RUN does not imply ENTROPY_GENERATOR'; exit 1; }
quietly cmake -S . -B "$build/cmake" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF
quietly cmake --build "$build/cmake" --target redial
diff <(symbols "$build/cmake/libredial.a") <(symbols "$build/all/module/libredial.a") ||
    { echo "these symbols are only in CMake's library (<) or in the module (>)"; exit 1; }
timeout 60 "$build/all/port"
