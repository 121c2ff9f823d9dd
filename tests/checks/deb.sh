#!/bin/bash
# The Debian packages: lintian finds no error, they install, a program is linked in every way, and they leave nothing.
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev cmake make dpkg-dev lintian pkgconf file
[ "$(id -u)" = 0 ] || skip 'it installs packages, and so must be root'
version=$(sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' include/redial.h | paste -sd .)
runtime=libredial${version%.*}   # before 1.0 the minor version is part of the SONAME
[ "${version%%.*}" = 0 ] || runtime=libredial${version%%.*}
for package in "$runtime" libredial-dev redial; do
    ! dpkg-query -W "$package" 2>/dev/null ||
        skip "$package is installed already: dpkg --purge it first"
done

# packages OPTION...: made with a private umask, which must not show
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
for file in libredial.so.${runtime#libredial} libredial.a redial.h redial.3.gz redial.pc bin/redial redial.1.gz \
            copyright changelog.Debian.gz; do
    grep -q "/$file$" "$build/files" || { echo "the packages lack $file"; exit 1; }
done

version=$(dpkg-deb -f "$build/cmake/$runtime"_*.deb Version)
dpkg-deb -f "$build/cmake/$runtime"_*.deb Depends | grep -q '^libc6 ' ||
    { echo "$runtime does not depend on libc6"; exit 1; }
dpkg-deb -f "$build"/cmake/libredial-dev_*.deb Depends | grep -qxF "$runtime (= $version)" ||
    { echo 'libredial-dev does not depend on its libredial'; exit 1; }

remove() {
    apt_get purge -y "$runtime" libredial-dev redial
}

# What a program needs to run is in the one, what it needs to be built in the other.
dpkg-deb --fsys-tarfile "$build/cmake/$runtime"_*.deb | tar -t |
    grep -vE '/$|/libredial\.so\.|/share/doc/' &&
    { echo "$runtime has what is for developers"; exit 1; }

trap 'remove >/dev/null 2>&1 || true; rm -rf "$build"' EXIT
quietly apt_get install -y --no-install-recommends $packages

works() {   # NAME COMMAND...
    local name=$1
    shift
    "$@" | grep -x 'done after 3 attempts, .*' >"$build/said" || { echo "$name: failed"; exit 1; }
    echo "$name: works"
}
gcc tests/checks/consumers/main.c -o "$build/program" -lredial
works 'gcc -lredial' "$build/program"
ldd "$build/program" | grep -q libredial || { echo 'it is not linked to the shared library'; exit 1; }
gcc -static tests/checks/consumers/main.c -o "$build/program" -lredial
works 'gcc -static -lredial' "$build/program"
gcc tests/checks/consumers/main.c $(pkg-config --cflags --libs redial) -o "$build/program"
works pkg-config "$build/program"
for kind in ON/1 OFF/0; do
    quietly cmake -S tests/checks/consumers -B "$build/consumer" -DWAY=find_package -DBUILD_SHARED_LIBS="${kind%/*}"
    quietly cmake --build "$build/consumer"
    works "find_package, BUILD_SHARED_LIBS=${kind%/*}" "$build/consumer/consumer"
    [ "$(ldd "$build/consumer/consumer" | grep -c libredial)" = "${kind#*/}" ] ||
        { echo 'BUILD_SHARED_LIBS does not choose the kind'; exit 1; }
done

[ "$(redial -- echo works)" = works ] || { echo 'redial does not run a program'; exit 1; }
! ldd "$(command -v redial)" | grep libredial || { echo 'redial needs the shared library'; exit 1; }

quietly remove
! dpkg-query -W "$runtime" libredial-dev redial 2>/dev/null || { echo 'the packages are still known'; exit 1; }
left=$(while read -r file; do [ ! -e "$file" ] || echo "$file"; done <"$build/files")
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
for folder in $(sed 's|/[^/]*$||' "$build/files" | grep redial | sort -u); do
    [ ! -e "$folder" ] || { echo "left behind: $folder"; exit 1; }
done
! ldconfig -p | grep libredial || { echo 'ldconfig still knows it'; exit 1; }
echo 'removed: nothing is left'
