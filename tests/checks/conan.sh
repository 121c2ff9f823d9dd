#!/bin/bash
# The recipe for Conan, by an imitation of its steps, because Debian has no Conan: the package has
# all files and the test package runs, static and shared, Release and Debug.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc libc6-dev cmake make python3 binutils

for kind in Release Debug 'Release True'; do
    work="$build/${kind/ /-}"
    mkdir "$work"
    quietly python3 -B tests/checks/conan/steps.py "$PWD/src/package/conan" "$work" $kind
    has_lines "$build/log" "$version" 'done'
    has_files "$work/package" include/redial{,_fake,_curl}.h licenses/LICENSE bin/redial
    [ ! -e "$work/package/lib/cmake" ] || fail 'Conan writes the files for CMake itself'
    consumer "$kind" -DWAY=find_package -DCMAKE_PREFIX_PATH="$work/generators"
    shared=$([[ $kind != *True ]] || echo REDIAL_SHARED)   # without it a program for Windows fails
    [ "$(needs "$build/$kind/consumer")" = "${shared:+libredial.so.$abi}" ] ||
        fail "$kind: the other kind"
    has_lines "$work/generators/redial-config.cmake" "target_compile_def.* INTERFACE $shared\)"
done
