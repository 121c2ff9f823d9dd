#!/bin/bash
# makepkg makes a package from a tagged repository, as a user who is not root. pacman installs it
# into a folder. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need git cmake make gcc libc6-dev makepkg pacman-package-manager pkgconf libarchive-tools zstd file

anybody=() root=$build/root
publish
library "$build/made" pkgbuild "-DREDIAL_ADDRESS=$address"
mkdir -p "$build/home" "$root/var/lib/pacman" "$build/cache"
cp "$build/made/pkgbuild/PKGBUILD" "$build/home"
if [ "$(id -u)" = 0 ]; then
    anybody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chmod 755 "$build"
    chown -R nobody "$build/home"
fi
# The user does not own the repository, so git trusts it only because of its configuration. -d skips
# the dependencies, which have Arch's names.
printf '[safe]\n\tdirectory = *\n' >"$build/home/.gitconfig"
quietly "${anybody[@]}" env HOME="$build/home" PKGDEST="$build/home" \
    PACKAGER='check <check@example.com>' \
    bash -c 'cd "$HOME" && makepkg -d --nocolor PKGEXT=.pkg.tar.zst'
[ "$(id -u)" = 0 ] || skip 'pacman installs as root alone; the package was made'

# Without CheckSpace, which needs a list of the mounted file systems: a container may have none.
printf '[options]\nLocalFileSigLevel = Optional\n' >"$build/pacman.conf"
in_root=(pacman --config "$build/pacman.conf" --root "$root" --cachedir "$build/cache"
         --logfile "$build/pacman.log" --noconfirm)
quietly "${in_root[@]}" -U -dd "$build/home/redial-$version"-1-*.pkg.tar.zst
[ "$("${in_root[@]}" -Q redial)" = "redial $version-1" ] || fail 'pacman does not know it'
has_files "$root/usr" include/redial{,_fake,_curl}.h share/man/man3/redial.3.gz \
    share/licenses/redial/LICENSE
PKG_CONFIG_SYSROOT_DIR=$root through_pkg_config pacman "$root/usr" lib
[ -L "$root/usr/lib/libredial.so" ] || fail 'no libredial.so to link to'
quietly "${in_root[@]}" -R redial
[ -z "$(find "$root" -name '*redial*')" ] || fail "left behind: $(find "$root" -name '*redial*')"
