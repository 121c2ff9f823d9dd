#!/bin/sh
# docs.sh [COMPILER [OPTION...]]: the links of the documents lead to something, and no line of README.md or the headers
# is too long. The code in README.md, examples/README.md and include/redial.h compiles and works: docs/*.c use it.
set -u
export LC_ALL=C
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- cc
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR   # a folder that is gone
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "docs.sh: $1" >&2
    exit 1
}

# compile WHAT COMPILER OPTION...: without a warning
compile() {
    what=$1
    shift
    "$@" -std=gnu11 -Wall -Wextra -Werror -I "$root/include" -I "$work" || fail "$what does not compile"
}

# has HEADER COMPILER OPTION...
has() {
    header=$1
    shift
    echo "#include <$header>" | "$@" -E -x c - >/dev/null 2>&1
}

# ---- links and lines ----

cd "$root" || exit 1
for page in README.md examples/README.md tests/README.md .github/*.md; do
    for link in $(grep -oE '\]\([^) ]+|^\[[^]]*\]: .+' "$root/$page" | sed 's/^.*\]:* *(*//; s/#.*//' | grep -v :); do
        [ -e "$root/$(dirname "$page")/$link" ] || fail "$page links to $link, which is not there"
    done
done
# A heading's anchor is made of its words.
for page in README.md examples/README.md; do
    for link in $(grep -oE '\]\([^) :]*#[^)]+' "$root/$page" | sed 's/^](//'); do
        file=${link%%#*}
        [ -z "$file" ] || file=$(dirname "$page")/$file
        sed -n 's/^##* //p' "$root/${file:-$page}" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx "${link#*#}" ||
            fail "$page links to $link, and there is no such heading"
    done
done
# Each function in the table of examples/README.md is in a file of its row.
awk -F '|' '/^\| \[/ { line = $2 $4
                       while (match(line, /\]\([a-z_\/]+\.(c|ino)\)/)) {
                           files = files " " substr(line, RSTART + 2, RLENGTH - 3)
                           line = substr(line, RSTART + RLENGTH)
                       }
                       while (match($4, /`[a-z_]+`/)) {
                           print substr($4, RSTART + 1, RLENGTH - 2) files
                           $4 = substr($4, RSTART + RLENGTH)
                       }
                       files = "" }' "$root/examples/README.md" >"$work/table"
[ "$(wc -l <"$work/table")" -gt 15 ] || fail 'examples/README.md has no table with functions'
while read -r name files; do
    (cd "$root/examples" && grep -qE "^[a-z].*\\b$name\\(" /dev/null $files) || fail "examples/README.md: no $name in $files"
done <"$work/table"
# "`name` in file": the file has the name.
grep -oE '`[a-z_]+` in [a-zA-Z/_.]+' "$root/.github/CONTRIBUTING.md" | tr -d '`' | {
    while read -r name _ file; do
        grep -qw "$name" "$root/$file" || { echo "docs.sh: .github/CONTRIBUTING.md: no $name in $file" >&2; exit 1; }
    done
} || exit 1
awk 'length > 100 { print FILENAME ":" FNR ": longer than 100 characters"; bad = 1 } END { exit bad }' \
    "$root/README.md" "$root"/include/*.h >&2 || exit 1

sed -n 's/^ *redial_example([a-z_]* \([a-z_][a-z_]*\).*/\1/p' "$root/examples/CMakeLists.txt" | {
    while read -r name; do
        [ "$name" = name ] || grep -q "/$name\.c)" "$root/examples/README.md" || exit 1
    done
} || fail "examples/README.md lacks one of examples/CMakeLists.txt"

# ---- the code of README.md and examples/README.md ----

blocks() {   # DOCUMENT NAME: its code goes to NAME-1.c, NAME-2.c and so on
    awk -v name="$work/$2" '/^```c$/ { file = sprintf("%s-%d.c", name, ++blocks); next }
                            /^```$/ { file = "" }
                            file { print > file }' "$root/$1"
}

blocks README.md block
for block in "$work"/block-*.c; do
    name=
    case $(cat "$block") in
    *curl/curl.h*) has curl/curl.h "$@" || continue ;;
    *uv_timer_start*) has uv.h "$@" || continue ;;
    *redial_loop_begin*) name=put ;;
    *modem_send*) name=firmware ;;
    *redial_fake_init*) name=test ;;
    esac
    [ -z "$name" ] || { cp "$block" "$work/$name.c"; continue; }   # docs/readme.c includes it
    compile "${block##*/} of README.md" "$@" -include "$root/tests/checks/docs/yours.h" -c "$block" -o "$work/block.o"
done

blocks examples/README.md moved
cat "$work"/moved-*.c >"$work/shapes.c"

# ---- include/redial.h ----

# snippet FILE FROM TO: the lines of the header from one pattern to another, without their indentation
snippet() {
    sed -n "/$2/,/$3/p" "$root/include/redial.h" | sed 's/^ \{7\}//; s| \*/$||' >"$work/$1"
    [ -s "$work/$1" ] || fail "include/redial.h has no snippet from '$2' to '$3'"
}
snippet program.c '#include <stdio.h>' '^       }$'
sed -n '/^       int main(void)/,/^       }/s/^       //p' "$root/include/redial.h" >>"$work/program.c"
snippet retryable.c 'static bool only_503' '           }'
snippet hooks.c 'static bool stopping' 'static void log_wait'
snippet env.c 'struct redial_env env = ' 'env.user = '
snippet loop.c '^       struct redial_call call;' '^       }$'
snippet steps.c 'static void send_now' '^   redial_begin starts'
sed -i '$d' "$work/steps.c"

# ---- both ----

for source in "$root"/src/*.c; do
    case $source in *windows*) continue ;; esac
    compile "$source" "$@" -c "$source" -o "$work/$(basename "$source" .c).library.o"
done
for name in readme moved header; do
    compile "the code of docs/$name.c" "$@" "$root/tests/checks/docs/$name.c" "$work"/*.library.o -o "$work/$name"
    said=$("$work/$name" 2>&1) || fail "docs/$name.c ended with $?: $said"
done
