#!/bin/bash
# The bytes in README.md and redial.h are those that tests/bench/numbers measures now. No call costs more than its limit.
. "$(dirname "$0")/lib/check.sh"
tests/bench/numbers >"$build/numbers"
failed=0

measured() {   # KEY
    sed -n "s/^$1 //p" "$build/numbers"
}

wrong() {
    echo "$*"
    failed=1
}

# said KEY PERCENT SENTENCE: README.md has the sentence, and its number differs from the measured one by PERCENT at most
said() {
    local written
    written=$(tr -s '\n ' '  ' <README.md | sed -n "s/.*$3.*/\1/p")
    awk -v w="$written" -v m="$(measured "$1")" -v percent="$2" \
        'BEGIN { off = w > m ? w - m : m - w; exit w == "" || m == "" || off * 100 > percent * m }' ||
        wrong "$1: README.md says ${written:-nothing}, and $(measured "$1") was measured"
}
said m0_text_links_next 5 '`redial_next` links as \([0-9]*\) bytes on a Cortex-M0'
said call_bytes_64 0 'A call in progress takes \([0-9]*\) bytes'

kb() {   # KEY
    measured "$1" | awk '{ printf "%.1f KB", $1 / 1000 }'
}
grep -q "by $(kb embedded_static), and not by $(kb embedded_object)" include/redial.h ||
    wrong "include/redial.h: redial.c included as static adds $(kb embedded_static), and by itself $(kb embedded_object)"

most() {   # KEY LIMIT
    local number
    number=$(measured "$1")
    [ "${number:-$(($2 + 1))}" -le "$2" ] || wrong "$1: measured ${number:-nothing}, and the limit is $2"
}
most full_draw_instructions 30
most next_instructions 155
most run_instructions 195
most m0_text_links_next 750
most m0_text_links_run 1500
most call_bytes_64 24
exit $failed
