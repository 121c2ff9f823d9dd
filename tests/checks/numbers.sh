#!/bin/bash
# The bytes and instructions in README.md differ by at most 5 % from what tests/bench/numbers measures now. Sizes of
# structs are exact. No call costs more than its limit.
. "$(dirname "$0")/lib/check.sh"
tests/bench/numbers >"$build/numbers"
readme=$(tr -s '\n ' '  ' <README.md)
number='([0-9,]+)'
failed=0

wrong() {
    echo "$*"
    failed=1
}

# said KEY PERCENT SENTENCE: the sentence is in README.md, and its number differs by at most PERCENT from the number
# that was measured for KEY. The sentence is removed from $readme.
said() {
    local written measured
    measured=$(sed -n "s/^$1 //p" "$build/numbers")
    written=$(sed -nE "s/.*[^0-9,]$3.*/\1/p" <<<"$readme" | tr -d ,)
    [ -n "$measured" ] || { wrong "tests/bench/numbers measures no $1"; return; }
    [ -n "$written" ] || { wrong "README.md lacks the sentence: $3 (measured: $measured)"; return; }
    echo "$1: README.md says $written, measured $measured"
    awk -v w="$written" -v m="$measured" -v percent="$2" \
        'BEGIN { off = w > m ? w - m : m - w; exit off * 100 > percent * m }' || wrong "$1 is off by more than $2 %"
    readme=$(sed -E "s/$3//" <<<"$readme")
}
said m0_text_links_next 5 "\`redial_next\` links as $number bytes on a Cortex-M0"
said m0_text_links_run 5 "\`redial_run\` as $number bytes"
said call_bytes_32 0 "\(64-bit; $number on 32-bit\)"
said call_bytes_64 0 "A call in progress takes $number bytes"
said embedded_static 5 "that adds $number bytes"
said embedded_object 5 "by itself, $number bytes"
said run_instructions 5 "$number instructions \(x86-64, gcc -O2\)"

# The header rounds two of them.
kb() {   # KEY
    awk -v key="$1" '$1 == key { printf "%.1f KB", $2 / 1000 }' "$build/numbers"
}
grep -q "by $(kb embedded_static), and not by $(kb embedded_object)" include/redial.h ||
    wrong "include/redial.h: redial.c included as static adds $(kb embedded_static), and by itself $(kb embedded_object)"

# most KEY LIMIT: the number that was measured for KEY is not above the limit
most() {
    local measured
    measured=$(sed -n "s/^$1 //p" "$build/numbers")
    [ "${measured:-$(($2 + 1))}" -le "$2" ] || wrong "$1: measured ${measured:-nothing}, and the limit is $2"
}
most full_draw_instructions 30
most next_instructions 155
most run_instructions 195
most m0_text_links_next 750
most m0_text_links_run 1500
most call_bytes_64 24

# README.md has no other number of bytes or instructions, because nothing would measure it.
! grep -oE '.{0,40}[0-9][*_`]* (bytes|instructions).{0,20}' <<<"$readme" || wrong 'README.md: these are not measured'
exit $failed
