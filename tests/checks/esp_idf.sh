#!/bin/bash
# The component for ESP-IDF, in a stub of ESP-IDF. Its script gets the requirements, its build gets all sources, and its
# port does what redial.h promises of redial_system. It has not run on a device.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev binutils

library "$build/cmake" -DREDIAL_ADDRESS=https://example.com/here -- esp_idf redial
component=$build/cmake/esp_idf/redial
for line in "version: \"$version\"" 'description: .+' 'url: https://example.com/here' 'license: MIT' \
            '  idf: ">=5.0"'; do
    grep -qxE "$line" "$component/idf_component.yml" || fail "idf_component.yml lacks $line"
done

# ESP-IDF runs it from another folder.
required=$(cd / && cmake -DREDIAL="$component" -P "$OLDPWD/tests/checks/ports/esp_idf/CMakeLists.txt" 2>&1)
[ "$required" = 'requires:  esp_hw_support;esp_timer' ] || fail "as a script: $required"

quietly cmake -S tests/checks/ports/esp_idf -B "$build/esp" -DREDIAL="$component"
quietly cmake --build "$build/esp"
diff <(symbols "$build/cmake/libredial.a") <(symbols "$build/esp/redial/libcomponent.a") ||
    fail "these symbols are only in CMake's library (<) or in the component (>)"
! nm -u "$build/esp/redial/libcomponent.a" | grep -E 'clock_|nanosleep|pthread|syscall' ||
    fail 'it has the sources for POSIX'
timeout 60 "$build/esp/port"
