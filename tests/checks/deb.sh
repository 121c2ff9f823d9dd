#!/bin/bash
# The Debian packages: lintian finds no error, they install, a program links to them in every way, and after their
# removal no file is left.
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev cmake make dpkg-dev lintian pkgconf file
[ "$(id -u)" = 0 ] || skip 'it installs packages, and so must be root'
runtime=libredial${version%.*}   # before 1.0 the minor version is part of the SONAME
[ "${version%%.*}" = 0 ] || runtime=libredial${version%%.*}
for package in "$runtime" libredial-dev redial; do
    ! dpkg-query -W "$package" 2>/dev/null ||
        skip "$package is installed already: dpkg --purge it first"
done

# packages OPTION...: makes them with a private umask, which must not affect their files
packages() {
    rm -rf "$build/cmake"
    (
        umask 077
        quietly cmake -S . -B "$build/cmake" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Release "$@"
        cd "$build/cmake"
        quietly cpack -G DEB
    )
    chmod 755 "$build" "$build/cmake"   # apt reads them as somebody else
    quietly lintian --allow-root --fail-on error "$build"/cmake/*.deb
    cat "$build/log"   # its warnings are for a reader to judge
}
packages
packages -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr
packages=$(ls "$build"/cmake/*.deb)
for package in $packages; do
    dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$'
done | sed 's/^\.//' >"$build/files"
for file in libredial.so.${runtime#libredial} libredial.a redial.h redial_curl.h redial.3.gz redial.pc bin/redial redial.1.gz \
            copyright changelog.Debian.gz; do
    grep -q "/$file$" "$build/files" || fail "the packages lack $file"
done

version=$(dpkg-deb -f "$build/cmake/$runtime"_*.deb Version)
dpkg-deb -f "$build/cmake/$runtime"_*.deb Depends | grep -q '^libc6 ' ||
    fail "$runtime does not depend on libc6"
dpkg-deb -f "$build"/cmake/libredial-dev_*.deb Depends | grep -qxF "$runtime (= $version)" ||
    fail 'libredial-dev does not depend on its libredial'

remove() {
    apt_get purge -y "$runtime" libredial-dev redial
}

# The runtime package has only what a program needs to run.
dpkg-deb --fsys-tarfile "$build/cmake/$runtime"_*.deb | tar -t |
    grep -vE '/$|/libredial\.so\.|/share/doc/' &&
    fail "$runtime has what is for developers"

trap 'remove >/dev/null 2>&1 || true; rm -rf "$build"' EXIT
quietly apt_get install -y --no-install-recommends $packages

works() {   # NAME COMMAND...
    local name=$1
    shift
    "$@" | grep -x 'done after 3 attempts, .*' >"$build/said" || fail "$name: failed"
    echo "$name: works"
}
gcc tests/checks/consumers/main.c -o "$build/program" -lredial
works 'gcc -lredial' "$build/program"
ldd "$build/program" | grep -q libredial || fail 'it is not linked to the shared library'
gcc -static tests/checks/consumers/main.c -o "$build/program" -lredial
works 'gcc -static -lredial' "$build/program"
gcc tests/checks/consumers/main.c $(pkg-config --cflags --libs redial) -o "$build/program"
works pkg-config "$build/program"
for kind in ON/1 OFF/0; do
    quietly cmake -S tests/checks/consumers -B "$build/consumer" -DWAY=find_package -DBUILD_SHARED_LIBS="${kind%/*}"
    quietly cmake --build "$build/consumer"
    works "find_package, BUILD_SHARED_LIBS=${kind%/*}" "$build/consumer/consumer"
    [ "$(ldd "$build/consumer/consumer" | grep -c libredial)" = "${kind#*/}" ] ||
        fail 'BUILD_SHARED_LIBS does not choose the kind'
done

[ "$(redial -- echo works)" = works ] || fail 'redial does not run a program'
! ldd "$(command -v redial)" | grep libredial || fail 'redial needs the shared library'

quietly remove
! dpkg-query -W "$runtime" libredial-dev redial 2>/dev/null || fail 'the packages are still known'
left=$(while read -r file; do [ ! -e "$file" ] || echo "$file"; done <"$build/files")
[ -z "$left" ] || fail "left behind: $left"
for folder in $(sed 's|/[^/]*$||' "$build/files" | grep redial | sort -u); do
    [ ! -e "$folder" ] || fail "left behind: $folder"
done
! ldconfig -p | grep libredial || fail 'ldconfig still knows it'
echo 'removed: nothing is left'
