#!/bin/bash
# The man pages that are made of the headers: each awk makes the same ones, mandoc finds nothing
# wrong in them, and they have a page for each function and type, and every word and every line of
# code of the headers' comments.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need mandoc mawk gawk busybox original-awk bsdextrautils cmake make gcc libc6-dev

none() {   # WHAT: fails with WHAT and the lines of stdin, if there are any
    ! sed "s/^/$1: /" | grep .
}

for awk in 'gawk --posix' mawk 'busybox awk' original-awk; do
    mkdir "$build/$awk"
    $awk -f src/man/man.awk -v out="$build/$awk" -v date='May 1, 2026' -v version="${version%.*}" \
        include/*.h
    diff -r "$build/gawk --posix" "$build/$awk" || fail "$awk makes other pages than gawk"
done

library "$build/cmake" 'all install' -DCMAKE_INSTALL_PREFIX="$build/usr"
man=$build/usr/share/man
pages=$(grep -L '^\.so ' "$man"/man3/*)

# mandoc's style messages count, too, except for two: our pages are not installed, and .Os names
# redial on purpose.
{ mandoc -T lint $pages 2>/dev/null || true; } |
    { grep -v -e 'referenced manual not found' -e 'operating system explicitly specified' ||
        true; } | none lint

# The name of a type is followed by "{", that of a function by "(".
function='^(REDIAL_|static|typedef )[^=;]*\bredial_[a-z_]*[a-z]\('
grep -ohE "^(struct|enum) redial_[a-z_]+ \{|$function" include/*.h |
    grep -oE 'redial_[a-z_]*[a-z]( \{|\()$' | tr -d ' {(' | sort -u >"$build/declared"
(cd "$man/man3" && ls) | sed 's/\.3$//' >"$build/named"
comm -23 "$build/declared" "$build/named" | none 'without a page'
comm -13 "$build/declared" "$build/named" | grep -vxE 'redial|redial_build' |
    none 'a page of nothing'
while read -r name; do
    (cd "$man" && mandoc -T utf8 "man3/$name.3") | col -bx | grep -qw -- "$name" ||
        fail "man $name shows another page"
done <"$build/declared"
grep -ohE "$function" include/*.h | grep -oE 'redial_[a-z_]+\($' | tr -d '(' |
    sort >"$build/functions"
sed -n 's/^\.Fn \([a-z_]*\) .*/\1/p' $pages | sort | comm -23 "$build/functions" - |
    none 'without a prototype'

# Without the preprocessor's lines, what is for C++ alone, and the bodies of functions.
# redial_curl.h has private functions with comments.
mandoc -T utf8 -O width=200 $pages | col -bx >"$build/shown"
for header in include/redial.h include/redial_fake.h; do
    sed '/^#ifdef __cplusplus/,/^#endif/d; /^#define/!{/^#/d}; /^{/,/^}/d' "$header"
done >"$build/text"
grep -E '^ {7}[^ ].*[;{}]$' "$build/text" | sed 's/^ *//' |
    grep -vxFf <(sed 's/^ *//' "$build/shown") |
    none 'a line of code on no page'
{
    tr -cs 'A-Za-z0-9_' '\n' <"$build/text" | grep -E '[a-z]$'
    sed -n 's/^#define \(REDIAL_[A-Z_]*\) .*/\1/p' include/*.h
} | sort -u >"$build/words"
tr -cs 'A-Za-z0-9_' '\n' <"$build/shown" | sort -u | comm -23 "$build/words" - |
    grep -vxE 'SPDX|License|Identifier|Atomic|hundredths|inline|extern' | none 'a word on no page'

quietly cmake -S . -B "$build/no awk" -DREDIAL_AWK=REDIAL_AWK-NOTFOUND -DREDIAL_TESTS=OFF \
    -DREDIAL_EXAMPLES=OFF
grep -q 'Left out: the man pages' "$build/log" || fail 'without awk: CMake does not say so'
echo "$(wc -w <<<"$pages") pages, $(wc -l <"$build/declared") functions and types"
