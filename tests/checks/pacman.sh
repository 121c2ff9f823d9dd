#!/bin/bash
# makepkg makes a package for pacman from a tagged repository, as somebody who is not root. A program is built with it.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/publish.sh
need git cmake make gcc libc6-dev makepkg pacman-package-manager pkgconf libarchive-tools zstd file

publish
quietly cmake --build "$made" --target pkgbuild
mkdir "$build/home"
cp "$made/pkgbuild/PKGBUILD" "$build/home"

# Neither root nor the owner of the repository, which git must be told to trust. What its dependencies are called is
# Arch's affair: -d.
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

# In a root of its own.
package=$(ls "$build/home/redial-$version"-1-*.pkg.tar.zst)
[ "$(id -u)" = 0 ] || skip 'pacman installs as root alone; the package was made'
root=$build/root
mkdir -p "$root/var/lib/pacman"
quietly pacman --root "$root" --cachedir "$build/cache" --logfile "$build/pacman.log" --noconfirm -U -dd "$package"
[ "$(pacman --root "$root" -Q redial)" = "redial $version-1" ] || { echo 'pacman does not know it'; exit 1; }
ls "$root"/usr/share/man/man3/redial.3* "$root/usr/share/licenses/redial/LICENSE" >/dev/null

export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig
gcc tests/checks/consumers/main.c $(pkg-config --cflags --libs redial) -o "$build/program"
said=$(LD_LIBRARY_PATH="$root/usr/lib" "$build/program")
[ "$said" = 'done after 3 attempts, 3000 ms waited; 0 tokens left' ] || { echo "the program said '$said'"; exit 1; }
[ -L "$root/usr/lib/libredial.so" ] || { echo 'no libredial.so to link to'; exit 1; }

quietly pacman --root "$root" --noconfirm --logfile "$build/pacman.log" -R redial
[ -z "$(find "$root" -name '*redial*')" ] || { echo 'left behind:'; find "$root" -name '*redial*'; exit 1; }
echo "$(basename "$package"): made, installed, used and removed"
