#!/bin/sh
# docs.sh [COMPILER [OPTION...]]: each block of C in the documents and the headers compiles; docs.c
# runs those that this script names, and compares the tables of README with the library. README's
# program is made and run as README says. Links lead to something. No line is longer than 100 bytes,
# and each source names its licence. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- cc
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
pages="$(echo README.md */README.md .github/*.md) src/package/README.md"

fail() {
    echo "docs.sh:" "$@" >&2
    exit 1
}

# block NAME TEXT: the code that has the text, of whatever document, goes to NAME.functions and
# NAME.statements. In two documents it is the same, but for comments and spaces.
block() {
    files=$(grep -lF -e "$2" "$work"/*.[1-9]*.*s)
    variants=$(for code in $files; do
        sed 's,//.*,,; s,/\*.*\*/,,; /^#line/d' "$code" | tr -d ' \n' | cksum
    done | sort -u | wc -l)
    [ "$variants" -eq 1 ] || fail "there are $variants kinds of code with '$2'" $files
    set -- "$1" $files
    cp "${2%.*}.functions" "$work/$1.functions"
    cp "${2%.*}.statements" "$work/$1.statements"
}

awk -v folder="$work" -f tests/docs/blocks.awk $pages include/*.h || exit 1
block app ' main('
sed -n '/^static .* fetch(/,/^}/{s/^static //;p;}' "$work/app.functions" >"$work/fetch.functions"
block test 'fake.waited_ms[4] == 16000'
block opinion 'outcome.code != 503'
block connection 'my_connect(host'
block poll 'redial_pending(0)'
block event_loop 'static void act('
block fake 'my_operation, my_data'

# README's program, by README's line, but with this compiler. It waits for some seconds.
mkdir "$work/beside"
ln -s "$PWD" "$work/beside/redial"
cp "$work/app.functions" "$work/beside/app.c"
line=$(sed -n 's/^    cc \(-Iredial.*\)/\1/p' README.md)
(cd "$work/beside" && eval "$* $line" && ./a.out >printed && grep -qx done printed) ||
    fail "README's program is not made by $line, or fails: $(cat "$work/beside/printed")"

echo '#include <curl/curl.h>' | "$@" -E -x c - >/dev/null 2>&1 && curl=-DWITH_CURL || curl=
set -- "$@" -std=gnu11 -Wall -Werror -Wno-unused -Wno-misleading-indentation -Iinclude \
    -Itests/docs "-I$work"
for code in $(ls "$work"/*.[1-9]*.functions | sed 's/[.]functions$//'); do
    grep -qE 'fetch\(' "$code".*s && continue   # the program, and its test in docs.c
    [ -z "$curl" ] && grep -qi curl "$code".*s ||
        "$@" $curl -Wno-return-type -fsyntax-only -DFUNCTIONS="\"$code.functions\"" \
            -DSTATEMENTS="\"$code.statements\"" -x c tests/docs/stubs.h ||
        fail "a block of a document does not compile: ${code##*/}"
done
"$@" tests/docs/docs.c src/*.c -o "$work/docs" || fail 'docs.c does not compile'
"$work/docs" || fail 'the code or the tables of the documents do not do what they say'

for page in $pages; do
    for link in $(grep -oE '\]\([^) ]+|^\[[^]]*\]: .+' "$page" | sed 's/^.*\]:* *(*//' |
        grep -v :); do
        file=${link%%#*}
        file=${file:+$(dirname "$page")/$file}
        [ -e "${file:-$page}" ] || fail "$page links to $link, which is not there"
        # A heading's anchor is made of its words.
        [ "$link" = "${link#*#}" ] || sed -n 's/^##* //p' "${file:-$page}" |
            tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx "${link#*#}" ||
            fail "$page links to $link, and there is no such heading"
    done
done

# What they name is somewhere: redial's own names, and what a row of examples/README says to copy.
for name in $({ grep -ohE '`(redial|REDIAL)_[A-Za-z_]+' README.md */README.md src/package/README.md
    grep '^|' examples/README.md | grep -oE '`[a-z_]+'; } | tr -d '`' | sort -u); do
    grep -rqw --exclude='*.md' "$name" include src examples tests CMakeLists.txt ||
        fail "a document says $name, which is nowhere"
done

version=$(sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' include/redial.h | paste -sd . -)
grep -qF "version $version " README.md || fail "README.md does not name the version $version"

# Only tables of documents may be wider, and pictures have no lines to read.
find .ci .clang* .github CMakeLists.txt README.md examples include src tests -type f \
    ! -name '*.svg' ! -name '*.pyc' -exec awk '
    length > 100 && !/^[|]/ { print FILENAME ":" FNR ": longer than 100 bytes"; bad = 1 }
    END { exit bad }' {} + >&2 || exit 1
unnamed=$(find .ci .github/workflows CMakeLists.txt examples include src tests -type f \
    ! -name '*.md' ! -name '*.svg' ! -name '*.pyc' ! -name '*.in' \
    -exec grep -L 'SPDX-License-Identifier: MIT' {} +)
[ -z "$unnamed" ] || fail "no line names the licence in $unnamed"
