#!/bin/bash
# The numbers in README.md and the header are those of tests/bench/numbers, to 5 %. Written <!--bench:KEY-->NUMBER<!--/bench-->.
. "$(dirname "$0")/lib/check.sh"

tests/bench/numbers >"$build/numbers"
[ -s README.md ] || { echo 'there is no README.md'; exit 1; }

awk '
    function refuse(why) {
        print FILENAME ":" FNR ": " why
        refused = 1
    }
    function compare(key, number,    off) {
        gsub(",", "", number)
        compared[FILENAME]++
        if (!(key in value)) {
            refuse("tests/bench/numbers measures no " key)
            return
        }
        off = number > value[key] ? number - value[key] : value[key] - number
        print FILENAME ": " key " " number ", measured " value[key]
        if (off * 20 > value[key])
            refuse(key " is off by more than 5 %: measured " value[key] ", written " number)
    }
    NR == FNR { value[$1] = $2; next }
    {
        plain = ""
        for (rest = $0; at = index(rest, "<!--bench:"); rest = substr(rest, RLENGTH + 1)) {
            plain = plain substr(rest, 1, at - 1)
            rest = substr(rest, at)
            if (!match(rest, /^<!--bench:[a-z0-9_]+-->[0-9][0-9,]*<!--\/bench-->/)) {
                refuse("a number is written <!--bench:KEY-->NUMBER<!--/bench-->, on one line")
                break
            }
            split(substr(rest, 1, RLENGTH), part, /<!--bench:|-->|<!--\/bench/)
            compare(part[2], part[3])
        }
        plain = plain rest
        if (plain ~ /[0-9][*_`]* (bytes|instructions)/)
            refuse("a number of bytes or instructions that names no key")
    }
    END {
        if (!compared["README.md"]) {
            print "README.md: no number names a key"
            refused = 1
        }
        exit refused
    }' "$build/numbers" README.md include/redial.h
