#!/bin/bash
# Every file that names the version names that of the header, and the archive of the two files works
# without CMake. release.sh --archives FOLDER writes this archive there, that of all sources, the
# page redial.html, which it builds from that archive, and SHA256SUMS. release.sh --notes prints the
# changelog's first section. release.sh --tag tags the commit, if the tree is clean and that section
# has today's date. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need gcc libc6-dev cmake make libcurl4-openssl-dev clang lld wasi-libc libclang-rt-14-dev-wasm32

case "$# ${1-}" in '0 ' | '1 --notes' | '1 --tag' | '2 --archives') ;; *)
    fail "usage: $0 [--notes | --tag | --archives FOLDER]" ;;
esac
awk '/^## / { section++ } section == 1 && !/^## /' .github/CHANGELOG.md >"$build/notes"
if [ "${1-}" = --notes ]; then
    cat "$build/notes"
    exit
fi
! grep -n ']([^h#]' "$build/notes" ||
    fail '.github/CHANGELOG.md: in the text of a release this link leads nowhere'
two_files=redial-$version-two-files

same() {   # PLACE FOUND WANTED
    [ "$2" = "$3" ] || fail "$1 says '$2', not '$3'"
}

same .github/CHANGELOG.md \
    "$(sed -n 's/^## \([0-9.]*\) (.*/\1/p;' .github/CHANGELOG.md | head -n 1)" "$version"
echo "version $version"

# ---- the archive of the two files and of the headers that programs may include besides ----

quietly cmake -DOUT="$build/$two_files" -P src/package/single.cmake
cp LICENSE "$build/$two_files"
(cd "$build" && quietly cmake -E tar cf $two_files.zip --format=zip $two_files)
mkdir "$build/user"
(cd "$build/user" && quietly cmake -E tar xf "../$two_files.zip")
same "$two_files.zip" "$(cd "$build/user/$two_files" && echo *)" \
    'LICENSE redial.c redial.h redial_curl.h redial_fake.h'
gcc -I"$build/user/$two_files" tests/consumers/main.c -include redial_curl.h \
    "$build/user/$two_files/redial.c" -o "$build/program"
consumer_works "$two_files.zip" "$build/program"

archives() {   # FOLDER
    mkdir -p "$1"
    git archive --prefix="redial-$version/" -o "$1/redial-$version.tar.gz" HEAD
    tar -C "$build" -xf "$1/redial-$version.tar.gz"
    quietly cmake -S "$build/redial-$version" -B "$build/page" -DREDIAL_TESTS=OFF
    quietly cmake --build "$build/page" --target page
    cp "$build/$two_files.zip" "$build/page/examples/redial.html" "$1"
    (cd "$1" && sha256sum -- *.tar.gz *.zip *.html >SHA256SUMS)
}

case ${1-} in
--archives) archives "$2" ;;
'')
    git rev-parse HEAD >/dev/null 2>&1 || exit 0   # sources without git
    archives "$build/release"
    [ "$(cd "$build/release" && sha256sum -c SHA256SUMS | grep -c ': OK$')" = 3 ] ||
        fail 'SHA256SUMS does not name both archives and the page'
    grep -q '^<script type="text/plain" id="wasm">AGFzb' "$build/release/redial.html" ||
        fail 'redial.html has no WebAssembly in it' ;;
--tag)
    [ -z "$(git status --porcelain)" ] || fail 'The tree is not clean: commit first.'
    grep -qx "## $version ($(date +%F))" .github/CHANGELOG.md ||
        fail ".github/CHANGELOG.md: the section of $version must have today's date, $(date +%F)"
    git tag -a "v$version" -m "redial $version"
    echo "tagged v$version; git push --tags publishes it" ;;
esac
