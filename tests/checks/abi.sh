#!/bin/bash
# Programs that are compiled already work with this version as with the last release: sizes and
# offsets of structs, values of enums, functions with their types. The record of that release is
# tests/checks/abi/released. `abi.sh --record` checks, and then writes it for this version; before
# the first release there is none. What is new needs another minor version. A struct that has grown
# needs another ABI number, unless only redial makes it, as attempt and event. Each new function has
# a node of its own minor version, so that no program that uses it starts with an older library.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/grown.sh
need gcc libc6-dev binutils
[ "$(uname -m)" = x86_64 ] || skip "the record is of x86_64, and this is $(uname -m)"
record=tests/checks/abi/released
list=src/package/debian/libredial.symbols
map=src/package/redial.map.in

# describe TREE: prints what compiled programs rely on, as the debugging information has it
describe() {
    echo "version $(version_of "$1")"
    echo "abi $(abi_of "$1")"
    echo '#include "redial.h"' | gcc -x c -I"$1/include" -gdwarf-4 -c - -o "$build/all.o" \
        -fno-eliminate-unused-debug-types -aux-info "$build/functions" || exit 1
    readelf --wide --debug-dump=info "$build/all.o" | awk '
        /DW_TAG_/ { tag = $NF; name = "" }
        /DW_AT_name/ { name = $NF }
        /DW_TAG_structure_type/ { struct = size = "" }
        /DW_AT_name/ && tag ~ /structure_type/ { struct = name }
        /DW_AT_byte_size/ && tag ~ /structure_type/ { size = $NF }
        size && struct ~ /^redial_/ && /DW_TAG_member/ { print "struct", struct, size; size = "" }
        /DW_AT_data_member_location/ && struct ~ /^redial_/ { print "member", struct "." name, $NF }
        /DW_AT_const_value/ && name ~ /^REDIAL_/ { print "enum", name, $NF }'
    sed -n 's/^ \(redial_\)/symbol \1/p' "$1/$list"
    sed -n 's/^.* extern \(.*redial_.*;\)$/function \1/p' "$build/functions" | sort
}

# compare RECORD NOW: says what is new or changed, and fails if compiled programs do not survive it
compare() {
    awk -v later=0 '
        $1 == "version" { version[later] = $2; sub(/\.[0-9]*$/, "", $2); minor[later] = $2 }
        $1 == "abi" { abi[later] = $2 }
        $1 !~ /^(struct|member|enum|function)$/ { next }
        { key = $1 == "function" ? $0 : $1 " " $2; struct = $2; sub(/\..*/, "", struct) }
        $1 == "member" { members[later, struct] = members[later, struct] " " $2; of[key] = struct }
        $1 == "struct" { of[key] = struct }
        later { is[key] = $0; next }
        { was[key] = $0; if (key in of) released[struct] }
        END {
            for (key in was) if (is[key] != was[key]) {
                print version[0] ": " was[key] "; now: " is[key]
                if (!(key in of)) fault(version[0] " has it, and so has each later version")
                changed[of[key]]
                if (key ~ /^member/) moved[of[key]]
            }
            for (key in is) if (!(key in was)) {
                print "new: " is[key]
                new = 1
                if (of[key] in released) changed[of[key]]
            }
            for (struct in changed) {
                new = 1
                if (struct ~ /_(gate|budget)$/)
                    fault(struct " never changes: programs share it in memory")
                if (index(members[1, struct] " ", members[0, struct] " ") != 1)
                    fault(struct ": new members come at its end")
                if (struct in moved || struct !~ /_(attempt|event)$/) grown = struct
            }
            if (grown && abi[1] != abi[0] + 1)
                fault(grown " has grown: redial_abi in CMakeLists.txt becomes " abi[0] + 1)
            if (!grown && abi[1] != abi[0]) fault("no struct has grown: redial_abi stays " abi[0])
            if (new && minor[1] == minor[0])
                fault(version[0] " lacks that: raise the minor version in include/redial.h")
        }
        function fault(what) { print what; exit 1 }
        ' "$1" later=1 "$2"
}

# needed RECORD NOW: prints the lines that Debian's list needs: each function with its node and its
# first release, and each node. A new ABI number merges all nodes into one.
needed() {
    awk -v later=0 '
        $1 == "version" { split($2, part, "."); minor = part[2]; release = part[1] "." minor }
        $1 == "abi" { same = $2 == abi; abi = $2 }
        $1 == "symbol" { split($2, part, "@"); name = part[1] }
        $1 == "symbol" && !later { node[name] = part[4]; since[name] = $3 }
        $1 == "symbol" && $3 == release { since[name] = $3 }   # it may do more than it did
        later && $1 == "function" {
            sub(/ \(.*/, "")
            sub(/.*[ *]/, "")
            if (!($0 in node)) { node[$0] = "." minor; since[$0] = release }
            its = "REDIAL_@ABI@" (same ? node[$0] : "")
            print " " $0 "@" its " " since[$0]
            if (!(its in nodes)) print " (optional)" its "@" its
            nodes[its]
        }' "$1" later=1 "$2" | sort
}

# check TREE RECORD: the tree keeps what programs for the recorded release rely on
check() {
    describe "$1" >"$build/now"
    [ ! -s "$2" ] || compare "$2" "$build/now" || exit 1
    needed "$2" "$build/now" | diff - \
        <(sed '1,2d; s/^\( (optional)[^ ]*\) .*/\1/' "$1/$list" | sort) ||
        fail "$list: it needs <, and has >"
    sed "s/@redial_abi@/$(abi_of "$1")/g" "$1/$map" >"$build/map"
    sed -n 's/^ \(redial_[^@]*\)@.*/void \1(void) {}/p' "$1/$list" |
        gcc -x c - -shared -nostdlib "-Wl,--version-script=$build/map" -o "$build/names.so" ||
        fail "$map: the linker refuses it"
    listed "$1" | diff - <(symbols "$build/names.so") ||
        fail "$map: < is in $list, and the linker makes >"
}

case "$# ${1-}" in '0 ' | '1 --record') ;; *) fail "usage: $0 [--record]" ;; esac
describe . >"$build/this"
[ "$(sed -n 's/^struct \(redial_[a-z]*\) {$/\1/p' include/redial.h | sort)" = \
    "$(sed -n 's/^struct \(.*\) .*/\1/p' "$build/this" | sort)" ] ||
    fail 'readelf shows other structs than include/redial.h'
if [ -e $record ]; then
    check . $record
    echo "programs for $(sed -n 's/^version //p' $record) work with it$(
        grep -qx "abi $abi" $record || echo ', if they are compiled again')"
else
    check . /dev/null
    echo 'no release yet'
fi
if [ "${1-}" = --record ]; then
    mkdir -p "$(dirname $record)"
    cp "$build/this" $record
    echo "recorded: version $version, ABI $abi"
    exit
fi

# ---- copies of this tree, compared with it as if it were the last release ----

tree=$build/tree
minor=$(($(cut -d . -f 2 <<<"$version") + 1))

edit() { sed -i "$2" "$tree/$1"; }   # FILE SED
grow() { growing=$* grow_headers "$tree/include"; }   # STRUCT...
next_minor() { edit include/redial.h "s/^\(#define REDIAL_VERSION_MINOR\) .*/\1 $minor/"; }
next_abi() {   # with one node for all functions
    edit CMakeLists.txt "s/^set(redial_abi .*)/set(redial_abi $((abi + 1)))/"
    edit $list '/^ (optional).*@ABI@\./d; s/\(@ABI@\)\.[0-9]*/\1/'
    edit $map '/^REDIAL_@redial_abi@\./,$d'
}
new_function() { edit include/redial.h '/redial_done(void);/i REDIAL_API int redial_new(int);'; }
line() {   # [NODE]
    local its=REDIAL_@ABI@${1-} since=${version%%.*}.$minor
    edit $list "\$a\ redial_new@$its $since"
    [ -z "${1-}" ] || edit $list "\$a\ (optional)$its@$its $since"
}
node() { edit $map "\$a REDIAL_@redial_abi@.$minor { redial_new; } REDIAL_@redial_abi@;"; }
other_node() { edit $list "s/^\( redial_next@[^ ]*\) /\1.$minor /"; }
other_type() { edit include/redial.h 's/redial_seconds_ms(int64_t /redial_seconds_ms(int32_t /'; }
report() { edit include/redial.h "s/uint32_t refused_wait_ms;/$1 refused_wait_ms${2-};/"; }
event() { edit include/redial.h "/^struct redial_event {/,/^}/s/uint32_t retry;/$1 retry;/"; }
first() { edit include/redial.h "s/^struct redial_$1 {/&\n    void *first;/"; }

# copy SAYS STEP...: what check says of a copy of the tree with these changes. '': it passes
copy() {
    local step status=0 wanted=${1:+1}
    rm -rf "$tree"
    mkdir "$tree"
    tar cf - CMakeLists.txt include/redial.h $list $map | tar xf - -C "$tree"
    chmod -R u+w "$tree"   # ours may be read-only
    for step in "${@:2}"; do $step; done
    (check "$tree" "$build/this") >"$build/said" 2>&1 || status=1
    grep -q "$1" "$build/said" && [ $status = "${wanted:-0}" ] ||
        { cat "$build/said"; fail "the copy (${*:2}) should give: ${1:-no fault}"; }
}

copy 'never changes' 'grow gate' next_abi next_minor
copy 'never changes' 'grow budget' next_abi next_minor
copy "redial_abi in CMakeLists.txt becomes $((abi + 1))" 'grow policy' next_minor
copy 'raise the minor version' 'grow policy' next_abi
copy '' 'grow policy' next_abi next_minor
copy "redial_abi stays $abi" next_abi next_minor
copy 'raise the minor version' 'grow attempt'
copy '' 'grow attempt event' next_minor
copy 'new members come at its end' 'first attempt' next_minor
copy 'redial_event has grown' 'event uint64_t' next_minor
copy 'redial_report has grown' 'report uint64_t' next_minor
copy 'redial_report has grown' 'report bool ,in_padding' next_minor
copy 'so has each later version' other_type next_minor
copy 'raise the minor version' new_function "line .$minor" node
copy "$list: it needs" new_function next_minor
copy "$list: it needs" new_function line next_minor
copy "$map: <" new_function "line .$minor" next_minor
copy '' new_function "line .$minor" node next_minor
copy "$list: it needs" 'grow policy' next_abi next_minor new_function "line .$minor" node
copy '' 'grow policy' next_abi next_minor new_function line
copy "$list: it needs" other_node next_minor
echo 'it notices what it should in copies of this tree'
