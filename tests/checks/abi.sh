#!/bin/bash
# What programs that are compiled already rely on is as in the last release: sizes and offsets of
# structs, values of enums, functions with their types. tests/checks/abi/released says what they
# were, on x86-64; `abi.sh --record` writes it, at a release. What is new since then needs another
# minor version, and a struct that has grown another ABI number. Each function has a line in
# libredial.symbols with its first release.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev binutils
[ "$(uname -m)" = x86_64 ] || skip "the record is of x86_64, and this is $(uname -m)"
record=tests/checks/abi/released
now=$build/now
symbols=src/package/debian/libredial.symbols

# As the debugging information has them.
structs_and_enums() {
    echo '#include "redial.h"' | gcc -x c -Iinclude -gdwarf-4 -fno-eliminate-unused-debug-types \
        -c - -o "$build/all.o"
    readelf --wide --debug-dump=info "$build/all.o" | awk '
        /DW_TAG_/ { tag = $NF; name = "" }
        /DW_AT_name/ { name = $NF }
        /DW_TAG_structure_type/ { struct = size = "" }
        /DW_AT_name/ && tag ~ /structure_type/ { struct = name }
        /DW_AT_byte_size/ && tag ~ /structure_type/ { size = $NF }
        size && struct ~ /^redial_/ && /DW_TAG_member/ { print "struct", struct, size; size = "" }
        /DW_AT_data_member_location/ && struct ~ /^redial_/ { print "member", struct "." name, $NF }
        /DW_AT_const_value/ && name ~ /^REDIAL_/ { print "enum", name, $NF }'
}

functions() {
    echo '#include "redial.h"' | gcc -x c -Iinclude -fsyntax-only -aux-info "$build/functions" -
    sed -n 's/^.* extern \(.*redial_.*;\)$/function \1/p' "$build/functions" | sort
}

names() {   # FILE: those of its functions
    sed -n 's/^function [^(]*\b\(redial_[a-z_]*\) (.*/\1/p' "$1" | sort
}

{ echo "version $version"; echo "abi $abi"; structs_and_enums; functions; } >"$now"
diff <(sed -n 's/^struct \(redial_[a-z]*\) {$/\1/p' include/redial.h | sort) \
    <(sed -n 's/^struct \(.*\) .*/\1/p' "$now" | sort) || fail 'readelf shows other structs'
if [ "${1-}" = --record ]; then
    cp "$now" $record
    echo "recorded: version $version, ABI $abi"
    exit
fi

# Debian's list of symbols has each function, in order, with the first release that has it.
sed -n 's/^ \(redial_[a-z_]*\)@REDIAL_@ABI@ \([0-9.]*\)$/\1 \2/p' $symbols >"$build/since"
names "$now" | diff - <(cut -d ' ' -f 1 "$build/since") ||
    fail "$symbols: < is missing, > is too much, or not in order"
[ -e $record ] || { echo 'no release yet'; exit; }
released=$(sed -n 's/^version //p' $record)

about() {   # FILE STRUCT: prints its size, and its members with their offsets
    grep -E "^(struct $2 |member $2\.)" "$1"
}

members() {   # FILE STRUCT: without their offsets
    sed -n "s/^member $2\.\([a-z_]*\) .*/\1/p" "$1"
}

changed=
for struct in $(sed -n 's/^struct \([a-z_]*\) .*/\1/p' $record); do
    ! diff <(about $record "$struct") <(about "$now" "$struct") >"$build/changed" || continue
    changed=yes
    sed -n "s/^</$released: /p; s/^>/now: /p" "$build/changed"
    case $struct in
    redial_gate | redial_budget) fail "$struct never changes: programs share it in memory" ;;
    esac
    diff <(members $record "$struct") <(members "$now" "$struct" |
        head -n "$(members $record "$struct" | wc -l)") >"$build/changed" ||
        fail "$struct: new members come at its end"
    [ "$abi" != "$(sed -n 's/^abi //p' $record)" ] ||
        fail "$struct has grown: raise redial_abi in CMakeLists.txt, which is $abi as in $released"
done
! grep -E '^(enum|function) ' $record | grep -vxFf "$now" ||
    fail "version $released had these, and each later one has them"
grep -E '^(struct|member|enum|function) ' "$now" | grep -vxFf $record | sed 's/^/new: /' \
    >"$build/new"
cat "$build/new"
[ ! -s "$build/new" ] || [ "${version%.*}" != "${released%.*}" ] ||
    fail "$released lacks that: raise the minor version in include/redial.h, as" \
        ".github/CONTRIBUTING.md says for a new function and a new member"

# ---- the first release of each function, which a program of Debian depends on ----

was=${released%.*}
while read -r name since; do
    [ "$(printf '%s\n' "$since" "$was" | sort -V | tail -n 1)" = "$was" ] && old=yes || old=no
    if names $record | grep -qx "$name"; then
        [ $old = yes ] || fail "$symbols: $name is in $released, and so not from $since"
    elif [ $old = yes ] || [ "$since" != "${version%.*}" ]; then
        fail "$symbols: $name is new. Its line and include/redial.h must name the next release"
    fi
done <"$build/since"
echo "programs for $released work with it${changed:+, if they are compiled again}"
