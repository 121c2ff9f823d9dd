#!/bin/bash
# The Debian packages: lintian finds no error, they install, programs link to them in every way, and nothing is left.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc libc6-dev cmake make dpkg-dev lintian pkgconf file

[ "$(id -u)" = 0 ] || skip 'it installs packages, and so must be root'
runtime=libredial${version%.*}   # before 1.0 the SONAME has the minor version
[ "${version%%.*}" = 0 ] || runtime=libredial${version%%.*}
names="$runtime libredial-dev redial"
! dpkg-query -W $names >/dev/null 2>&1 || skip "$names: one is installed already; dpkg --purge it first"
for options in -DBUILD_SHARED_LIBS=OFF '-DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr'; do
    rm -rf "$build/cmake"
    (
        umask 077   # it must not affect their files
        library "$build/cmake" redial -DCMAKE_BUILD_TYPE=Release $options
        cd "$build/cmake"
        quietly cpack -G DEB
    )
    chmod 755 "$build" "$build/cmake"   # apt reads them as somebody else
    quietly lintian --allow-root --fail-on error "$build"/cmake/*.deb
    cat "$build/log"   # its warnings are for a reader to judge
done
for name in $names; do
    ! dpkg-deb -c "$build/cmake/${name}"_*.deb | grep '^d' | grep -v '^drwxr-xr-x' || fail "$name: private folders"
    dpkg-deb --fsys-tarfile "$build/cmake/${name}"_*.deb | tar -t | sed -n 's/^\.//; /[^/]$/p' >"$build/$name"
done
(cd "$build" && cat $names) >"$build/files"
for name in libredial.so.${runtime#libredial} libredial.a redial.h redial_fake.h redial_curl.h redial.3.gz \
            redial.pc bin/redial redial.1.gz copyright changelog.Debian.gz; do
    grep -q "/$name$" "$build/files" || fail "the packages lack $name"
done
! grep -vE '/libredial\.so\.|/share/doc/' "$build/$runtime" || fail "$runtime has what is for developers"
[ "$(for name in $names; do dpkg-deb -f "$build/cmake/${name}"_*.deb Depends; done | sed 's/>= [0-9.]*/N/')" = \
    "libc6 (N)
$runtime (= $version-1), libc6-dev
libc6 (N)" ] || fail 'the packages depend on something else than redial and libc'

trap "apt_get purge -y $names >/dev/null 2>&1 || true; rm -rf '$build'" EXIT
quietly apt_get install -y --no-install-recommends "$build"/cmake/*.deb
gcc tests/checks/consumers/main.c -o "$build/program" -lredial
consumer_works 'gcc -lredial' "$build/program"
[ -n "$(needs "$build/program")" ] || fail 'it is not linked to the shared library'
gcc -static tests/checks/consumers/main.c -o "$build/program" -lredial
consumer_works 'gcc -static -lredial' "$build/program"
through_pkg_config deb /usr lib/none
for kind in ON/1 OFF/0; do
    consumer "BUILD_SHARED_LIBS=${kind%/*}" -DWAY=find_package -DBUILD_SHARED_LIBS="${kind%/*}"
    [ "$(needs "$build/BUILD_SHARED_LIBS=${kind%/*}/consumer" | wc -l)" = "${kind#*/}" ] || fail 'the other kind'
done
[ "$(redial -- echo works)" = works ] || fail 'redial does not run a program'
[ -z "$(needs "$(command -v redial)")" ] || fail 'redial needs the shared library'

quietly apt_get purge -y $names
left=$({ cat "$build/files"; sed 's|/[^/]*$||' "$build/files" | grep redial; } | sort -u | while read -r name; do
    [ ! -e "$name" ] || echo "$name"
done)
[ -z "$left" ] || fail "left behind: $left"
! ldconfig -p | grep libredial || fail 'ldconfig still knows it'
echo 'removed: nothing is left'
