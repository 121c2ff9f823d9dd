#!/bin/bash
# The man pages are free of lint and say of the headers what is in them, all of it; the program in redial(3) works as
# a reader sees it.
. "$(dirname "$0")/lib/check.sh"
need mandoc bsdextrautils cmake make gcc libc6-dev

pages=$(ls src/man/*.3)
quietly mandoc -T lint -W warning $pages

# ---- what the headers declare, and what the pages say ----

declarations() {   # the headers without their comments, on one line
    printf '#include <redial.h>\n#include <redial_fake.h>\n' |
        gcc -E -P -Iinclude -DREDIAL_API=REDIAL_API -x c - | tr '\n' ' '
}

functions() {
    declarations | grep -oE '(REDIAL_API|static inline) [^;(]*\(' | grep -oE 'redial_[a-z_]*[a-z]\(' | tr -d '(' | sort
}

constants() {
    cat include/*.h | grep -oE '(^#define |^    |, |\{ )REDIAL_[A-Z_]+' | grep -oE 'REDIAL_.*' | sort -u |
        grep -vE '^REDIAL_((FAKE_)?H|API|BUILD|VERSION_.*)$'
}

members() {   # those that are not private
    declarations | grep -oE 'struct redial_[a-z]+ \{[^}]*\}' | sed 's/^[^{]*{//; s/}$//' | tr ';' '\n' |
        sed -E 's/.*\(\*([a-z_]+)\).*/\1/; s/\[.*\]//' | tr ',' '\n' | grep -oE '[a-z_]*[a-z] *$' | tr -d ' ' | sort -u
}

names() {   # in the NAME section of all pages
    sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \([a-z_]*\).*/\1/p' $pages | sort
}

prototypes() {   # in the SYNOPSIS of all pages, as C
    awk '/^\.Ft / { type = substr($0, 5) }
         /^\.(Fn|Fo) redial_/ && type { name = $2; arguments = ""; pieces = split($0, piece, "\"")
                                        for (i = 2; i <= pieces; i += 2) arguments = arguments ", " piece[i] }
         /^\.Fa "/ && type { split($0, piece, "\""); arguments = arguments ", " piece[2] }
         /^\.(Fn|Fc)/ && type { print type " " name "(" substr(arguments, 3) ");"; type = "" }' $pages
}

# none WHAT: fails with it and the lines of stdin, if there are any
none() {
    ! sed "s/^/$1: /" | grep .
}

titles=$(basename -s .3 $pages)
functions >"$build/functions"
constants >"$build/constants"
members >"$build/members"
names >"$build/names"
grep -hv '^\.Dt' $pages | grep -oE '\b(redial|REDIAL)_[A-Za-z_]*[A-Za-z]' | sort -u >"$build/said"

names | uniq -d | none 'on more than one page'
comm -23 "$build/functions" "$build/names" | none 'on no page'
comm -13 "$build/functions" "$build/names" | grep -vxF "$titles" | none 'no function, and no page'
comm -23 "$build/constants" "$build/said" | none 'on no page'
grep -vxFf <(cat $pages | grep -oE '\b[a-z_]+\b') "$build/members" | none 'member on no page'
grep -vxFf <(cat include/*.h | grep -oE '\b(redial|REDIAL)_\w+'; echo "$titles") "$build/said" | none 'in no header'
grep -hoE '\bFa \(?[*]?[a-z_]+' $pages | grep -oE '[a-z_]+$' | grep -vxFf <(declarations | grep -oE '\w+') |
    none 'no member, and no argument'

prototypes >"$build/prototypes"
[ "$(wc -l <"$build/prototypes")" -eq "$(wc -l <"$build/functions")" ] || { cat "$build/prototypes"; exit 1; }
{ printf '#include <redial.h>\n#include <redial_fake.h>\n'; cat "$build/prototypes"; } >"$build/prototypes.c"
gcc -std=c11 -Werror -Iinclude -fsyntax-only "$build/prototypes.c"

echo "$(wc -w <<<"$titles") pages, $(wc -l <"$build/functions") functions, $(wc -l <"$build/constants") constants," \
     "$(wc -l <"$build/members") members"

# ---- installed: each name finds its page, and the program works as it is on the screen ----

quietly cmake -S . -B "$build/cmake" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX="$build/usr" \
    -DCMAKE_INSTALL_LIBDIR=lib
quietly cmake --build "$build/cmake" --target install
while read -r name; do
    shown=$(cd "$build/usr/share/man" && mandoc -T utf8 "man3/$name.3" | col -bx)
    grep -qw "$name" <<<"$shown" || { echo "man $name does not find its page"; exit 1; }
done <"$build/functions"

mandoc -T utf8 "$build/usr/share/man/man3/redial.3" | col -bx | sed -n '/^EXAMPLES/,/^SEE ALSO/p' |
    sed -n '/^ *#include/,/^SEE ALSO/p' | sed '$d' >"$build/program.c"
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$build/usr/include" "$build/program.c" -L"$build/usr/lib" -lredial \
    -o "$build/program"

# program STATUS OUTPUT FILE
program() {
    local said status=0
    said=$("$build/program" "$3") || status=$?
    [ "$status $said" = "$1 $2" ] || { echo "redial(3): said \"$said\" and ended with $status, for $3"; exit 1; }
}

program 0 'done, error 0' "$build/lock"
(sleep 0.3 && rm -f "$build/lock") &
program 0 'done, error 0' "$build/lock"
cat "$build/lock"
program 1 'stopped, error 2' "$build/nowhere/lock"
