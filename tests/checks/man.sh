#!/bin/bash
# mandoc finds nothing wrong in the man pages. They describe everything that the headers declare, and nothing else. The
# programs in them work as the pages show them.
. "$(dirname "$0")/lib/check.sh"
need mandoc bsdextrautils cmake make gcc libc6-dev

pages=$(ls src/man/*.3)

# none WHAT: fails with WHAT and the lines of stdin, if there are any
none() {
    ! sed "s/^/$1: /" | grep .
}

# mandoc's style messages count, too, except for two: our pages are not installed, and .Os names redial on purpose.
{ mandoc -T lint $pages src/command/redial.1 2>/dev/null || true; } |
    { grep -v -e 'referenced manual not found' -e 'operating system explicitly specified' || true; } | none lint

# ---- what the headers declare, and what the pages say ----

declarations() {   # the headers without their comments, on one line
    printf '#include <redial.h>\n#include <redial_fake.h>\n' |
        gcc -E -P -Iinclude -DREDIAL_API=REDIAL_API -x c - | tr '\n' ' '
}

functions() {
    declarations | grep -oE '(REDIAL_API|static __inline__) [^;(]*\(' | grep -oE 'redial_[a-z_]*[a-z]\(' |
        tr -d '(' | sort
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

types() {
    declarations | grep -oE '(struct|enum) redial_[a-z_]+ \{|redial_operation' | grep -oE 'redial_[a-z_]+' | sort -u
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

# ---- installed: man finds a page for each name, and the program works as it is on the screen ----

library "$build/cmake" -DCMAKE_INSTALL_PREFIX="$build/usr" -DCMAKE_INSTALL_LIBDIR=lib -- install
while read -r name; do
    shown=$(cd "$build/usr/share/man" && mandoc -T utf8 "man3/$name.3" | col -bx)
    grep -qw "$name" <<<"$shown" || fail "man $name does not find its page"
done < <(cat "$build/functions"; types)

# program TITLE: builds the program in the EXAMPLES of a page, as a reader sees it
program() {
    (cd "$build/usr/share/man" && mandoc -T utf8 "man3/$1.3") | col -bx |
        sed -n '/^EXAMPLES/,$p' | sed -n '/^ *#include/,/^[A-Z]/p' | sed '$d' >"$build/program.c"
    gcc -std=gnu11 -Wall -Wextra -Wpedantic -Werror -I"$build/usr/include" "$build/program.c" \
        -L"$build/usr/lib" -lredial -o "$build/$1"
}

# says TITLE STATUS OUTPUT [ARGUMENT]
says() {
    local title=$1 wanted="$2 $3" said status=0
    shift 3
    said=$("$build/$title" "$@") || status=$?
    [ "$status $said" = "$wanted" ] || fail "$title(3): said and ended with \"$status $said\", not \"$wanted\""
}

for title in $titles; do
    program "$title"
done
says redial 0 'done, error 0' "$build/lock"
(sleep 0.3 && rm -f "$build/lock") &
says redial 0 'done, error 0' "$build/lock"
says redial 1 'failed, error 2' "$build/nowhere/lock"
says redial_policy 0 "the policy is valid
at most 36 s of waits"
says redial_run 0 'status 503, retry 1 in 20 ms'
says redial_next 0 'done after 6000 ms'
says redial_outcome 0 right
says redial_budget 0 'waited 60000 ms'
says redial_parse_retry_after 0 '120000 ms'
says redial_fake 0 ''

# described TITLE FROM TO: prints the C in the DESCRIPTION of a page, from one pattern to the line before another
described() {
    (cd "$build/usr/share/man" && mandoc -T utf8 "man3/$1.3") | col -bx | sed -n "/$2/,/$3/p" | sed '$d'
}

# The C for foreign-function interfaces in redial(3).
{ echo '#include <redial.h>'; described redial '^ *typedef void attempt_into' '^EXAMPLES'; } >"$build/foreign.c"
gcc -std=gnu11 -Wall -Wextra -Werror -I"$build/usr/include" -c "$build/foreign.c" -o "$build/foreign.o"

# The loop in redial_run(3). Its request fails twice and asks for 3 s.
{
    echo '#include <redial.h>'
    described redial_run '^ *int my_request' '^ *The verdict REDIAL_RETRY'
    cat <<'END'
#include <redial_fake.h>
int my_request(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    *retry_after_ms = 3000;
    return ++*(int *)url <= 2 && timeout_ms == UINT32_MAX ? 503 : 200;
}
int main(void)
{
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    int requests = 0;
    redial_fake_init(&fake);
    return !(fetch((const char *)&requests, &policy, &fake.env) == REDIAL_DONE && requests == 3 && fake.waits == 2
             && fake.waited_ms[0] == 3000);
}
END
} >"$build/loop.c"
gcc -std=gnu11 -Wall -Wextra -Werror -I"$build/usr/include" "$build/loop.c" -L"$build/usr/lib" -lredial -o "$build/loop"
says loop 0 ''
