#!/bin/sh
# docs.sh [COMPILER [OPTION...]]: what the READMEs link to is there; the programs in README.md and at the top of the
# header compile, are as short as promised, and work. A ```c block that includes something stands for a file; one with
# a main is a program that needs no network and ends with 0.
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

# compile WHAT COMPILER OPTION...: without a word
compile() {
    what=$1
    shift
    "$@" -std=c11 -Wall -Wextra -Werror -I "$root/include" || fail "$what does not compile"
}

# program WHAT FILE COMPILER OPTION...: with the library
program() {
    what=$1 file=$2
    shift 2
    compile "$what" "$@" "$file" "$work"/library/*.o -o "$work/program"
}

# shorter NAME LINES FILE
shorter() {
    lines=$(wc -l <"$3")
    [ "$lines" -lt "$2" ] || fail "$1 has $lines lines, not under $2"
}

# run NAME STATUS
run() {
    said=$("$work/program" 2>&1)
    status=$?
    [ $status -eq "$2" ] || fail "$1 ended with $status, not $2: $said"
}

# ---- links ----

for page in README.md examples/README.md tests/README.md; do
    for link in $(grep -oE '\]\([^)#: ]+' "$root/$page" | cut -c3-); do
        [ -e "$root/$(dirname "$page")/$link" ] || fail "$page links to $link, which is not there"
    done
done

sed -n 's/^ *redial_example([a-z_]* \([a-z_][a-z_]*\).*/\1/p' "$root/examples/CMakeLists.txt" | {
    while read -r name; do
        [ "$name" = name ] || grep -q "/$name\.c)" "$root/examples/README.md" || exit 1
    done
} || fail "examples/README.md lacks one of examples/CMakeLists.txt"

# ---- README.md ----

mkdir "$work/library" && cd "$work/library" || exit 1
for source in "$root"/src/*.c; do
    case $source in *windows*) ;; *) compile "$source" "$@" -c "$source" ;; esac
done
cd "$root" || exit 1

awk -v work="$work" '/^```c$/ { file = sprintf("%s/readme-%d.c", work, ++blocks); next }
                     /^```$/ { file = "" }
                     file { print > file }' "$root/README.md"

programs=0
for block in "$work"/readme-*.c; do
    grep -q '^#include' "$block" || continue
    if grep -q '^int main' "$block"; then
        programs=$((programs + 1))
        program "the README's program" "$block" "$@"
        shorter "the README's program" 25 "$block"
        run "the README's program" 0
    else
        compile "a file in the README" "$@" -c "$block" -o "$work/readme.o"
    fi
done
[ $programs -gt 0 ] || fail 'the README has no program'

# ---- include/redial.h: what stands under A PROGRAM. Its my_http_get answers what STATUS says. ----

program=$(sed -n '/^   A PROGRAM$/,/^   An /{s/^       //p;/^$/p;}' "$root/include/redial.h" | sed '/./,$!d')
printf '%s\n' "$program" >"$work/header.c"
grep -q '^int main' "$work/header.c" || fail 'the header has no program'
cat >"$work/yours.h" <<END
#include <stdint.h>
static int my_http_get(const char *url, uint32_t timeout_ms)
{
    return *url && timeout_ms == 60000 ? STATUS : 0;
}
END

# header STATUS ENDS_WITH
header() {
    status=$1 ends=$2
    shift 2
    program "the header's program" "$work/header.c" "$@" "-DSTATUS=$status" -include "$work/yours.h"
    run "the header's program" "$ends"
}

shorter "the header's program" 21 "$work/header.c"
header 200 0 "$@"
header 404 1 "$@"
[ "$said" = 'stopped, last status 404' ] || fail "the header's program said: $said"
echo "$programs program of the README, and the header's"
