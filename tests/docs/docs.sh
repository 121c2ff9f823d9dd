#!/bin/sh
# docs.sh [COMPILER [OPTION...]]: each block of C in the documents and the headers compiles; docs.c
# runs those that this script names, and compares the tables of README with the library. README's
# program is made and run as README says. Links lead to something. No line is longer than 100 bytes,
# and each source names its licence. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- cc
work=$(mktemp -d) || exit 1
trap 'wait; rm -rf "$work"' EXIT
cd "$root" || exit 1
plain="$*"

fail() {
    echo "docs.sh: $1" >&2
    exit 1
}

# ---- code ----

echo '#include <curl/curl.h>' | "$@" -E -x c - >/dev/null 2>&1 && curl=-DWITH_CURL || curl=
set -- "$@" -std=gnu11 -Wall -Werror -Wno-unused -Wno-misleading-indentation -Iinclude \
    -Itests/docs "-I$work"
awk -v folder="$work" -f tests/docs/blocks.awk README.md */README.md src/package/README.md \
    .github/*.md include/*.h || exit 1
for code in "$work"/*.c; do
    [ -z "$curl" ] && grep -qi curl "$code" || "$@" $curl -fsyntax-only "$code" ||
        fail "a block of a document does not compile: $(grep -m 1 '^#line' "$code")"
done

# block NAME TEXT: the code that has the text, of whatever document, goes to NAME.functions and
# NAME.statements. In two documents it is the same, but for comments and spaces.
block() {
    found=
    for code in $(grep -lF -e "$2" "$work"/*.[1-9]*.c); do
        sed 's,//.*,,; s,/\*.*\*/,,; /^#line/d' "$code" | tr -d ' \n' >"$work/bare"
        [ -z "$found" ] || cmp -s "$work/bare" "$work/bare_before" ||
            fail "the code with '$2' differs: ${found##*/} and ${code##*/}"
        mv "$work/bare" "$work/bare_before"
        found=$code
    done
    [ -n "$found" ] || fail "no document has code with '$2'"
    cp "${found%.c}.functions" "$work/$1.functions"
    cp "${found%.c}.statements" "$work/$1.statements"
}

block app ' main('
sed -n '/^static .* fetch(/,/^}/{s/^static //;p;}' "$work/app.functions" >"$work/fetch.functions"
block test 'fake.waited_ms[4] == 16000'
block opinion 'outcome.code != 503'
block connection 'my_connect(host'
block poll 'redial_pending(0)'
block event_loop 'static void act('
block fake 'my_operation, my_data'

# rows NAME HEADER: the rows of README's table whose first header cell this is go to NAME.rows
rows() {
    awk -F ' *[|] *' -v header="$2" '
        found && !/^[|]/ { exit }
        found && !/^[|]-/ {
            gsub(/["\\]/, "\\\\&")
            for (i = 2; i < NF; i++)
                printf "%s\"%s\"", i == 2 ? "{ " : ", ", $i
            print " },"
        }
        /^[|]/ && $2 == header { found = 1 }' README.md >"$work/$1.rows"
    [ -s "$work/$1.rows" ] || fail "README.md has no table that begins with '$2'"
}

rows statuses status
rows was_done 'verdict of a request that is not safe to repeat'
rows retry_after Retry-After
rows policies member

# README's program, by the line that README has for it, but with this compiler. It waits for some
# seconds.
mkdir "$work/beside"
ln -s "$root" "$work/beside/redial"
cp "$work/app.functions" "$work/beside/app.c"
line=$(sed -n 's/^    cc \(-Iredial.*\)/\1/p' README.md)
(cd "$work/beside" && eval "$plain $line") || fail "README's line for cc fails: $line"
{ "$work/beside/a.out" >"$work/printed"; echo $? >"$work/status"; } &

"$@" tests/docs/docs.c src/*.c -o "$work/docs" || fail 'docs.c does not compile'
"$work/docs" || fail 'the code or the tables of the documents do not do what they say'

# ---- links, widths, licences ----

for page in README.md */README.md src/package/README.md .github/*.md; do
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
# Only tables of documents may be wider, and pictures have no lines to read.
find .ci .clang* .github CMakeLists.txt README.md examples include src tests -type f \
    ! -name '*.svg' ! -name '*.pyc' -exec awk '
    length > 100 && !/^[|]/ { print FILENAME ":" FNR ": longer than 100 bytes"; bad = 1 }
    END { exit bad }' {} + >&2 || exit 1
unnamed=$(find .ci .github/workflows CMakeLists.txt examples include src tests -type f \( \
    -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.py' -o -name '*.js' \
    -o -name '*.css' -o -name '*.html' -o -name '*.cmake' -o -name '*.awk' -o -name '*.yml' \
    -o -name run -o -name CMakeLists.txt \) -exec grep -L 'SPDX-License-Identifier: MIT' {} +)
[ -z "$unnamed" ] || fail "no line names the licence in $unnamed"

# ---- names ----

for page in README.md */README.md src/package/README.md; do
    for name in $(grep -oE '`(redial_[a-z_]+|REDIAL_[A-Z_]+)\>' "$page" | tr -d '`' | sort -u); do
        grep -rqw --exclude='*.md' "$name" include src CMakeLists.txt tests ||
            fail "$page says $name, which is nowhere"
    done
done

# What a row of examples/README says to copy is in a file of that row.
grep '^|.*](.*[.]c)' examples/README.md | while read -r row; do
    files=$(echo "$row" | grep -oE '\([a-z_/]+[.]c\)' | tr -d '()' | sed 's,^,examples/,')
    for name in $(echo "${row##*.c) |}" | grep -oE '`[a-z_]+`' | tr -d '`'); do
        grep -qw "$name" $files ||
            fail "examples/README.md says to copy $name, which is not in $(echo $files)"
    done
done || exit 1

# ---- README's program ----

wait
[ "$(cat "$work/status")" = 0 ] && [ "$(tail -n 1 "$work/printed")" = done ] ||
    fail "README's program ended with $(cat "$work/status" "$work/printed")"
