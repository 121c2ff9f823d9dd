#!/bin/bash
# makepkg makes a package for pacman from a tagged repository. The user who runs it is not root. A program is built with
# the package.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/publish.sh
need git cmake make gcc libc6-dev makepkg pacman-package-manager pkgconf libarchive-tools zstd file

publish
library "$build/made" "-DREDIAL_ADDRESS=$address" -- pkgbuild
mkdir "$build/home"
cp "$build/made/pkgbuild/PKGBUILD" "$build/home"

# The user does not own the repository, so git trusts it only because of its configuration. -d skips the dependencies,
# which have Arch's names.
make_package() {
    local anybody=()
    if [ "$(id -u)" = 0 ]; then
        anybody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
        chmod 755 "$build"
        chown -R nobody "$build/home"
    fi
    printf '[safe]\n\tdirectory = *\n' >"$build/home/.gitconfig"
    quietly "${anybody[@]}" env HOME="$build/home" PACKAGER='check <check@example.com>' PKGDEST="$build/home" \
        bash -c 'cd "$HOME" && makepkg -d --nocolor PKGEXT=.pkg.tar.zst'
}
make_package

# pacman installs it into a root folder of its own.
package=$(ls "$build/home/redial-$version"-1-*.pkg.tar.zst)
[ "$(id -u)" = 0 ] || skip 'pacman installs as root alone; the package was made'
root=$build/root
mkdir -p "$root/var/lib/pacman" "$build/cache"
# Without CheckSpace, which needs a list of the mounted file systems: a container may have none.
printf '[options]\nLocalFileSigLevel = Optional\n' >"$build/pacman.conf"
in_root() {
    pacman --config "$build/pacman.conf" --root "$root" --cachedir "$build/cache" --logfile "$build/pacman.log" \
        --noconfirm "$@"
}
quietly in_root -U -dd "$package"
[ "$(in_root -Q redial)" = "redial $version-1" ] || fail 'pacman does not know it'
ls "$root"/usr/share/man/man3/redial.3* "$root/usr/share/licenses/redial/LICENSE" >/dev/null

export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig
gcc tests/checks/consumers/main.c $(pkg-config --cflags --libs redial) -o "$build/program"
consumer_works pkg-config env LD_LIBRARY_PATH="$root/usr/lib" "$build/program"
[ -L "$root/usr/lib/libredial.so" ] || fail 'no libredial.so to link to'

quietly in_root -R redial
[ -z "$(find "$root" -name '*redial*')" ] || { echo 'left behind:'; find "$root" -name '*redial*'; exit 1; }
echo "$(basename "$package"): made, installed, used and removed"
