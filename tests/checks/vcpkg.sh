#!/bin/bash
# The port for vcpkg, by an imitation of its steps, because Debian has no vcpkg: a consumer finds
# its Release and its Debug build, static and shared. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc libc6-dev cmake make pkgconf binutils

for shared in OFF ON; do
    suffix=$([ $shared = OFF ] && echo .a || echo .so)
    tree=$build/packages/$shared
    quietly cmake -DPORT=redial -DPORTFILE="$PWD/src/package/vcpkg/portfile.cmake" \
        -DSHARED=$shared -DTO="$tree" -P tests/checks/vcpkg/steps.cmake
    # What vcpkg demands of a package.
    has_files "$tree" include/redial{,_fake,_curl}.h share/redial/{usage,copyright} \
        tools/redial/redial
    ! (cd "$tree" && find * -type f | grep -E '^debug/(include|share)/|^lib/cmake|bin/') ||
        fail 'vcpkg refuses these files'
    mv "$tree" "$build/moved-$shared"
    tree=$build/moved-$shared
    through_pkg_config "$shared" "$tree" lib
    for type in Release Debug; do
        consumer "$shared, $type" -DWAY=find_package -DCMAKE_PREFIX_PATH="$tree" \
            -DCMAKE_BUILD_TYPE=$type
        library=$([ $type = Release ] || echo debug/)lib/libredial$suffix
        grep -qF "$tree/$library" "$build/$shared, $type/CMakeFiles/consumer.dir/link.txt" ||
            fail "$shared, $type: the consumer is not linked to $library"
    done
done
