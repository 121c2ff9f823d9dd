#!/bin/bash
# In small copies of the interfaces of ESP-IDF and Zephyr, redial has all its sources, and its ports
# wait as redial.h promises. They have not run on a device.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need cmake make gcc libc6-dev binutils python3-kconfiglib python3-yaml

# port OPTION...: builds the program port, which uses the library as configured
port() {
    rm -rf "$build/port"
    quietly cmake -S tests/checks/ports -B "$build/port" "$@"
    quietly cmake --build "$build/port"
}

# works NAME: the port has the functions of CMake's library, and keeps its promises
works() {
    same_symbols "$build/cmake/libredial.a" "$build/port/redial/libredial.a"
    timeout 60 "$build/port/port" || fail "$1: the port does not keep its promises"
}

# ---- ESP-IDF: the component's script gets the requirements, its build all sources but POSIX's ----

component=$build/cmake/esp_idf/redial
library "$build/cmake" 'esp_idf redial' -DREDIAL_ADDRESS=https://example.com/here
has_files "$component" LICENSE include/redial{,_fake,_curl}.h
has_lines "$component/idf_component.yml" "version: \"$version\"" 'description: .+' \
    'url: https://example.com/here' 'license: MIT' '  idf: ">=5.0"'
[ "$(cmake -DREDIAL="$component" -P tests/checks/ports/CMakeLists.txt 2>&1)" = \
    'requires:  esp_hw_support;esp_timer' ] || fail 'ESP-IDF gets other requirements'
port -DREDIAL="$component"
works ESP-IDF
! nm -u "$build/port/redial/libredial.a" | grep -E 'clock_|nanosleep|pthread|syscall' ||
    fail 'it has the sources for POSIX'

# ---- Zephyr: kconfiglib reads the module's options, and they select the right sources ----

# module OPTION...: what the module makes of these options of Zephyr
module() {   # Debian's packages are for /usr/bin/python3
    quietly /usr/bin/python3 tests/checks/ports/zephyr.py "$PWD/src/package" "$build/module.cmake" \
        "$@"
}

module REDIAL_RUN
has_lines "$build/module.cmake" 'set\(CONFIG_REDIAL_RUN n\)'   # without REDIAL
for option in '' REDIAL; do
    module $option
    port -DMODULE="$build/module.cmake"
    [ "$([ ! -e "$build/port/redial/libredial.a" ] || symbols "$build/port/redial/libredial.a" |
        grep -xE 'redial_(next|run|loop_next|system)')" = "${option:+redial_next}" ] ||
        fail "with the options '$option' it has other functions"
done
module REDIAL REDIAL_RUN
has_lines "$build/module.cmake" 'set\(CONFIG_ENTROPY_GENERATOR y\)'
port -DMODULE="$build/module.cmake"
works Zephyr
