#!/bin/bash
# The Debian source package: it builds, its unit tests pass (with REDIAL_CI they are left out), and
# lintian has no warning. Its packages install, the README's program and others link to them in
# every way, and nothing is left.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need build-essential cmake debhelper libcmocka-dev lintian autopkgtest pkgconf

[ "$(id -u)${REDIAL_GET_PACKAGES-}" = 0yes ] ||
    skip 'it installs packages of redial, and removes them: as root, with REDIAL_GET_PACKAGES=yes'
runtime=libredial$abi
names="$runtime libredial-dev"
! dpkg-query -W $names >/dev/null 2>&1 ||
    skip "$names: one is installed already; dpkg --purge it first"

chmod 755 "$build"   # apt reads the packages as somebody else
(folder=$PWD && cd "$build" &&
    DEBFULLNAME='A & B | C' quietly "$folder/src/package/debian.sh" source)
has_lines "$build/source/redial-$version/debian/control" \
    'Maintainer: A & B \| C <redial@packages.invalid>'
options=parallel=$(nproc)${REDIAL_CI:+ nocheck}
(cd "$build/source/redial-$version" &&
    quietly env DEB_BUILD_OPTIONS="$options" dpkg-buildpackage -us -uc)
quietly lintian --allow-root --fail-on error,warning "$build"/source/*.changes

for name in $names; do
    deb=$build/source/${name}_$version-1_$(dpkg --print-architecture).deb
    dpkg-deb --fsys-tarfile "$deb" | tar -t | sed -n 's/^\.//; /[^/]$/p' >"$build/$name"
    dpkg-deb -f "$deb" Depends >>"$build/depends"
    debs+=("$deb")
done
(cd "$build" && cat $names) >"$build/files"
! grep -vE '/libredial\.so\.|/share/(doc|lintian)/' "$build/$runtime" ||
    fail "$runtime has what is for developers"
[ "$(sed 's/>= [0-9.]*/N/' "$build/depends")" = "libc6 (N)
$runtime (= $version-1), libc6-dev | libc-dev" ] ||
    fail "the packages depend on something else than redial and libc"

trap "apt_get purge -y $names >/dev/null 2>&1 || true; rm -rf '$build'" EXIT
quietly apt_get install -y --no-install-recommends "${debs[@]}"
has_files /usr include/redial{,_fake,_curl}.h lib/"$(gcc -print-multiarch)"/libredial.{a,so} \
    share/man/man3/redial.3.gz share/doc/{$runtime,libredial-dev}/copyright
# It calls dpkg, which does not wait for a check that installs something.
quietly flock -o /var/lib/apt/lists autopkgtest -B "$build/source/redial-$version" -- null
gcc -static tests/checks/consumers/main.c -o "$build/program" -lredial
consumer_works 'gcc -static -lredial' "$build/program"
through_pkg_config deb /usr lib/none
[ -n "$(needs "$build/program")" ] || fail 'it is not linked to the shared library'
[ "$(pkg-config --cflags --libs redial | xargs)" = -lredial ] ||
    fail "pkg-config says more than -lredial: $(pkg-config --cflags --libs redial)"
linked shared
linked shared -DBUILD_SHARED_LIBS=ON
linked static -DBUILD_SHARED_LIBS=OFF

quietly apt_get purge -y $names
left=$({ cat "$build/files"; sed 's|/[^/]*$||' "$build/files" | grep redial; } | sort -u |
    while read -r name; do
        [ ! -e "$name" ] || echo "$name"
    done)
[ -z "$left" ] || fail "left behind: $left"
! ldconfig -p | grep libredial || fail 'ldconfig still knows it'
echo 'removed: nothing is left'
