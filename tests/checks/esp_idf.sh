#!/bin/bash
# The component for ESP-IDF, in a stub of ESP-IDF: its script gets the requirements, its build gets all sources, and its
# port keeps the promises of redial_system. It has not run on a device.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev binutils

quietly cmake -S . -B "$build/cmake" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DREDIAL_ADDRESS=https://example.com/here
quietly cmake --build "$build/cmake" --target esp_idf redial
component=$build/cmake/esp_idf/redial
version=$(sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' include/redial.h | paste -sd .)
for line in "version: \"$version\"" 'url: https://example.com/here'; do
    grep -qxF "$line" "$component/idf_component.yml" || { echo "idf_component.yml lacks $line"; exit 1; }
done

# ESP-IDF runs it from another folder.
required=$(cd / && cmake -DREDIAL="$component" -P "$OLDPWD/tests/checks/ports/esp_idf/CMakeLists.txt" 2>&1)
[ "$required" = 'requires:  esp_hw_support;esp_timer' ] || { echo "as a script: $required"; exit 1; }

quietly cmake -S tests/checks/ports/esp_idf -B "$build/esp" -DREDIAL="$component"
quietly cmake --build "$build/esp"
symbols() {
    nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort
}
diff <(symbols "$build/cmake/libredial.a") <(symbols "$build/esp/redial/libcomponent.a") ||
    { echo "these symbols are only in CMake's library (<) or in the component (>)"; exit 1; }
! nm -u "$build/esp/redial/libcomponent.a" | grep -E 'clock_|nanosleep|pthread|syscall' ||
    { echo 'it is for a Unix'; exit 1; }
timeout 60 "$build/esp/port"
