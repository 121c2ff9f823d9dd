#!/bin/bash
# Every file that names the version names that of the header. release.sh --tag also tags the commit, if the tree is
# clean and the changelog's section has today's date. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"

minor=${version%.*}

same() {   # PLACE FOUND WANTED
    [ "$2" = "$3" ] || fail "$1 says '$2', not '$3'"
}

same .github/CHANGELOG.md "$(sed -n 's/^## \([0-9.]*\) (.*/\1/p;' .github/CHANGELOG.md | head -n 1)" "$version"
same README.md "$(grep -o 'find_package(redial [0-9.]*' README.md)" "find_package(redial $minor"
same src/command/redial.1 "$(grep "^\.Os" src/command/redial.1)" ".Os redial $minor"
echo "version $version"

[ "${1-}" = --tag ] || exit 0
[ -z "$(git status --porcelain)" ] || fail 'The tree is not clean: commit first.'
grep -qx "## $version ($(date +%F))" .github/CHANGELOG.md ||
    fail ".github/CHANGELOG.md: the section of $version must have today's date, $(date +%F)"
git tag -a "v$version" -m "redial $version"
echo "tagged v$version; git push --tags publishes it"
