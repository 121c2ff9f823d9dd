#!/bin/bash
# Opens the page that runs the library in a headless Chromium. Its figures are those of herd and schedule, every control
# changes them, the C and the command that it offers work, and it fits narrow and wide screens. Screenshots are kept in
# build/page.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/browser.sh
need clang lld wasi-libc libclang-rt-14-dev-wasm32 chromium chromium-driver curl jq cmake make gcc g++ libc6-dev

# The page must compile without a warning. The programs are optimised, so that they are quick.
quietly cmake -S . -B "$build/page" -DREDIAL_TESTS=OFF -DREDIAL_DEVELOPER=ON
quietly cmake --build "$build/page" --target page
quietly cmake -S . -B "$build/build" -DREDIAL_TESTS=OFF -DCMAKE_BUILD_TYPE=Release
quietly cmake --build "$build/build" --parallel 2 --target herd schedule redial
page=$build/page/examples/redial.html
address=file://$page

# ---- what the page shows ----

idle() {
    local i
    for i in $(seq 3000); do
        [ "$(in_page 'return document.documentElement.dataset.state')" != done ] || return 0
        sleep 0.1
    done
    fail "the simulation does not end"
}

open_page() {   # HASH
    go_to "$address$1"
    idle
}

text_of() {   # ID
    in_page "return document.getElementById('$1').textContent"
}

table() {
    in_page 'return [...document.querySelectorAll("#figures tbody tr")].map(row =>
        [...row.cells].map(cell => cell.textContent.trim()).join(" ").trim()).join("\n")'
}

# Prints all results of the simulation. A control that is not connected would not change them.
outcome() {
    table
    in_page 'return ["schedule", "fleet", "load", "summary"].map(id => document.getElementById(id).innerHTML).join()'
}

# ---- figures ----

herd_table() {   # what the command that the page shows prints
    local command
    command=$(text_of command)
    [[ $command =~ ^build/examples/herd(\ --[a-z-]+\ [0-9a-z+]+)*$ ]] || fail "no command: $command"
    (cd "$build" && $command) | sed -n '/^none/,$ { s/^(floor)/best possible/; s/  */ /g; s/ $//; p }'
}

same_as_herd() {   # WHAT
    herd_table >"$build/herd"
    [ "$(wc -l <"$build/herd")" = 6 ] || fail "herd prints another table: $(cat "$build/herd")"
    table | diff "$build/herd" - || fail "$1: herd says < and the page says >"
    echo "$1: the figures are herd's"
}

presets() {
    local i
    for i in 0 1 2 3 4 5; do
        in_page "document.getElementById('preset-$i').click()" >/dev/null
        sleep 0.3
        idle
        same_as_herd "$(text_of "preset-$i")"
        places
        copied_c
        in_page 'return location.hash' >>"$build/addresses"
    done
    [ "$(sort -u "$build/addresses" | wc -l)" = 6 ] || fail "two presets have one address"
    [ "$(sort -u "$build/places" | wc -l)" = 2 ] || fail "the layout jumps: $(cat "$build/places")"
}

# Prints the positions of the charts on a narrow and on a wide screen, a line for each.
places() {
    local width
    for width in 375 1400; do
        screen $width 900 light
        in_page 'return [innerWidth, ...["schedule", "fleet", "load", "figures"].map(id =>
            Math.round(document.getElementById(id).getBoundingClientRect().top + scrollY))].join(" ")' >>"$build/places"
    done
}

# The retries, their earliest and latest waits and times, in tenths of a second.
same_as_schedule() {   # HASH OPTION...
    open_page "$1"
    "$build/build/examples/schedule" "${@:2}" | sed 's/ |.*//; s/ to / /g' | awk 'NF == 5 && $1 ~ /^[0-9]+$/ {
        print $1, $2, $3, $4, $5 }' >"$build/schedule"
    [ -s "$build/schedule" ] || fail "schedule prints no table"
    in_page 'return engine.ranges().rows.map((row, i) =>
        [i + 1, ...[row.least, row.most, row.from, row.to].map(ms => (ms / 1000).toFixed(1))].join(" ")).join("\n")' |
        diff "$build/schedule" - || fail "$1: schedule says < and the page says >"
    echo "$1: the ranges are those of schedule"
}

# For many policies, the times of the drawn clients are within the ranges.
draws_stay_within() {
    open_page '#clients=10'
    in_page 'let seen = 0;
        const among = (...values) => values[seen++ * 7919 % 1009 % values.length];
        for (let i = 0; i < 300; i++) {
            const wishes = { ...wishesOf(firstState()), mode: among(0, 1, 2, 3, 4), base: among(1, 300, 1000),
                cap: among(1000, 5000, 60000), retries: among(0, 3, 9, NO_LIMIT), elapsed: among(0, 1500, 20000, 90000),
                answer: among(0, 1), after: among(0, 1, 7), max_after: among(0, 5000, NO_LIMIT) };
            engine.wish(wishes);
            const ranges = engine.ranges(), about = JSON.stringify({ wishes, ranges });
            for (let n = 1; n <= 30; n++) {
                const draw = engine.draw(n);
                if (draw.at.length > ranges.rows.length)
                    return "a retry too many: " + about;
                if (draw.at.some((ms, row) => ms < ranges.rows[row].from || ms > ranges.rows[row].to))
                    return "a retry outside its range: " + about;
                if ((draw.end === NO_LIMIT) !== (ranges.latest === NO_LIMIT))
                    return "an end where there is none: " + about;
                if (draw.end < ranges.earliest || draw.end > ranges.latest)
                    return "an end outside its range: " + draw.end + " " + about;
            }
        }
        return "";' >"$build/said"
    [ "$(cat "$build/said")" = '' ] || fail "$(cat "$build/said")"
}

gives_up() {   # HASH WHEN, where WHEN was computed by hand
    open_page "#clients=10&$1"
    [ "$(text_of schedule-says)" = "It $2" ] || fail "$1: $(text_of schedule-says)"
}

ends() {
    local too_late='after the first failure: the next wait would end too late.'
    gives_up 'retries=2' 'gives up 3 to 5 s after the first failure: no retry is left.'
    gives_up 'retries=3&elapsed=9000' "gives up 4 to 9 s $too_late"        # 4 + 5 s, or 5 + 3.999 s
    gives_up 'mode=full&cap=4000&elapsed=10000' "gives up 6 to 10 s $too_late"
    gives_up 'retry-after=60&max-after=30000' 'gives up at the first failure: the server asks for too long a wait.'
    gives_up 'elapsed=0' 'does not give up.'
}

# ---- controls ----

# In this state no slider is at an end of its range, and each control affects the result.
lively='#clients=500&capacity=20&outage=2&retry-after=10&jobs=10&pause=1000&base=200&cap=1000&jitter=500&retries=4'
lively+='&elapsed=60000&max-after=10000&budget=50&budget-percent=10&mode=spread'
left=$'\xee\x80\x92' tab=$'\xee\x80\x84'

slider_changes() {   # ID
    local before after shown
    open_page "$lively"
    before=$(outcome) shown=$(text_of "$1-value")
    press "$left" "#$1"
    sleep 0.3
    idle
    after=$(outcome)
    [ "$shown" != "$(text_of "$1-value")" ] || fail "the slider $1 stays at $shown"
    [ "$before" != "$after" ] || fail "the slider $1 changes nothing"
    [ "$(in_page 'return location.hash')" != "$lively" ] || fail "the slider $1 does not change the address"
}

choice_changes() {   # ID VALUE
    local before
    open_page "$lively"
    before=$(outcome)
    in_page "document.querySelector('#$1 input[value=\"$2\"]').click()" >/dev/null
    sleep 0.3
    idle
    [ "$before" != "$(outcome)" ] || fail "$1 $2 changes nothing"
    same_as_herd "$1 $2"
}

controls() {
    local id ids
    ids=$(in_page 'return [...document.querySelectorAll("input[type=range]")].map(input => input.id).join(" ")')
    [ "$(wc -w <<<"$ids")" = 14 ] || fail "other sliders than 14: $ids"
    for id in $ids; do
        slider_changes "$id"
    done
    echo "each of these changes the outcome: $ids"
    choice_changes mode full
    choice_changes answer slot
    choice_changes window 1000
}

# The address alone restores the table, the C and the command.
address_holds_all() {
    local before now
    open_page "$lively"
    press "$left" '#base'
    sleep 0.5
    idle
    before=$(outcome; text_of command; text_of code)
    now=$(in_page 'return location.hash')
    open_page "$now"
    [ "$before" = "$(outcome; text_of command; text_of code)" ] || fail "$now does not bring back what was seen"
}

address_says_what_it_does_not_understand() {
    open_page '#clients=10&cap=12x&wings=2&workers=2&gate=429'
    [[ $(text_of note) = *'workers 2, gate 429'*'cap=12x, wings=2'* ]] || fail "the note says: $(text_of note)"
    same_as_herd 'processes of two'
}

keyboard() {
    local i
    open_page "$lively"
    in_page 'window.called = one => one.localName + " " + (one.id || one.name || one.dataset.copy); window.met = {};
        document.addEventListener("focusin", ({ target }) => { window.met[called(target)] = true; })' >/dev/null
    for i in $(seq 40); do
        press "$tab"
    done
    in_page 'const all = [...document.querySelectorAll("button, input, pre")].map(called);
        return all.filter(name => !(name in met)).join(", ")' >"$build/missed"
    [ "$(cat "$build/missed")" = '' ] || fail "the tab key does not reach: $(cat "$build/missed")"
}

# ---- what can be copied ----

# It compiles as C and as C++, and defines the policy that the page shows.
copied_c() {
    text_of code >"$build/copied.h"
    cat >"$build/copied.c" <<'END'
#include "copied.h"
#include <stdio.h>
int main(void)
{
    printf("%lu %lu %lu %lu %lu %lu %d %d\n", (unsigned long)policy.base_ms, (unsigned long)policy.cap_ms,
           (unsigned long)policy.jitter_ms, (unsigned long)policy.max_retries, (unsigned long)policy.max_elapsed_ms,
           (unsigned long)policy.max_retry_after_ms, (int)policy.jitter, policy.budget != NULL);
    return redial_policy_check(&policy) != REDIAL_POLICY_OK;
}
END
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude "$build/copied.c" "$build"/build/libredial.a \
        -o "$build/copied" || fail "the copied C does not compile: $(cat "$build/copied.h")"
    g++ -std=c++20 -Wall -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ "$build/copied.c" ||
        fail "the copied C does not compile as C++"
    "$build/copied" >"$build/policy" || fail "the library refuses the copied policy: $(cat "$build/copied.h")"
    in_page 'const w = wishesOf(state); return [w.base, w.cap, w.jitter, w.retries, w.elapsed, w.max_after, w.mode,
        w.budgeted].join(" ")' | diff "$build/policy" - || fail "the copied C is another policy"
}

copy_buttons() {
    local id
    open_page "$lively"
    devtools Browser.grantPermissions '{ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }'
    devtools Emulation.setFocusEmulationEnabled '{ "enabled": true }'
    for id in code command; do
        in_page "document.querySelector('[data-copy=$id]').click()" >/dev/null
        sleep 0.3
        [ "$(in_page 'return navigator.clipboard.readText()')" = "$(text_of $id)" ] ||
            fail "$id: something else is copied"
    done
}

# ---- the page itself ----

screens() {   # PRESET
    local width scheme high wide shots=${REDIAL_BUILD:-$PWD/build}/page
    mkdir -p "$shots" 2>/dev/null && [ -w "$shots" ] || shots=$build
    for width in 1400 375; do
        for scheme in light dark; do
            screen $width 900 $scheme
            open_page "$1"
            wide=$(in_page 'return document.scrollingElement.scrollWidth - document.documentElement.clientWidth')
            [ "$wide" = 0 ] || fail "at $width pixels the page is $wide pixels too wide"
            in_page 'return getComputedStyle(document.body).backgroundColor' >>"$build/colours"
            high=$(in_page 'return document.documentElement.scrollHeight')
            screen $width "$high" $scheme
            sleep 0.5
            screenshot "$shots/$width-$scheme.png"
        done
    done
    [ "$(sort -u "$build/colours" | wc -l)" = 2 ] || fail 'light and dark look the same'
    echo "screenshots: $shots"
}

alone() {
    local size
    size=$(wc -c <"$page")
    [ "$size" -lt 150000 ] || fail "it has $size bytes"
    ! grep -n 'https\?:' "$page" || fail 'it names another site'
    [ "$(in_page 'return performance.getEntriesByType("resource").filter(one =>
        !one.name.startsWith("blob:")).length')" = 0 ] || fail 'it loads something'
    echo "$size bytes"
}

begin_browser
screen 1400 900 light
open_page ''
alone
presets
same_as_schedule '#base=1000&cap=32000&retries=7' --retries 7
same_as_schedule '#base=2000&cap=30000&retries=9&mode=equal&elapsed=60000' --base 2 --cap 30 --retries 9 \
    --mode equal --elapsed 1m
same_as_schedule '#base=1000&cap=8000&retries=unlimited&mode=full' --cap 8 --retries unlimited --mode full
draws_stay_within
ends
controls
address_holds_all
address_says_what_it_does_not_understand
keyboard
copy_buttons
screens '#clients=20000&capacity=500&outage=30&mode=spread'
console >"$build/console"
[ ! -s "$build/console" ] || fail "on the console: $(cat "$build/console")"
