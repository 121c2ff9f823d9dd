#!/bin/sh
# debian.sh FOLDER: writes the Debian source package there. `dpkg-buildpackage -us -uc` in
# FOLDER/redial-VERSION makes its packages, one of which has the SONAME's version in its name.
# DEBFULLNAME and DEBEMAIL are the maintainer's name and address. SPDX-License-Identifier: MIT
set -e
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
version=$(sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' "$root/include/redial.h" | paste -sd . -)
abi=$(sed -n 's/^set(redial_abi \(.*\))$/\1/p' "$root/CMakeLists.txt")
maintainer="${DEBFULLNAME:-redial authors} <${DEBEMAIL:-redial@packages.invalid}>"

mkdir -p "$1"
cd "$1"
source=redial-$version
debian=$source/debian
mkdir "$source"
tar -C "$root" -cf - .github CMakeLists.txt LICENSE README.md examples include src tests |
    tar -C "$source" -xf -
tar -czf "redial_$version.orig.tar.gz" "$source"

cp -r "$root/src/package/debian" "$debian"
escaped=$(printf '%s' "$maintainer" | sed 's/[\\&|]/\\&/g')   # for sed
sed -i "s|@ABI@|$abi|g; s|@MAINTAINER@|$escaped|" "$debian/control" "$debian/libredial.symbols"
for file in "$debian"/libredial.*; do
    mv "$file" "$debian/libredial$abi.${file##*.}"
done
cat >"$debian/changelog" <<END
redial ($version-1) unstable; urgency=medium

  * New upstream release.

 -- $maintainer  $(date -R)
END
