#!/bin/bash
# Opens the page that runs the library in a headless Chromium, and looks at what a user sees: the
# figures are those of fleet, every control changes them, the C and the command that it offers work,
# and it fits narrow and wide screens.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/browser.sh
need clang lld wasi-libc libclang-rt-14-dev-wasm32 chromium chromium-driver curl jq cmake make gcc \
    g++ libc6-dev

# The page must compile without a warning. The programs are optimised, so that they are quick.
quietly cmake -S . -B "$build/build-examples" -DREDIAL_TESTS=OFF -DREDIAL_DEVELOPER=ON \
    -DCMAKE_BUILD_TYPE=Release
quietly cmake --build "$build/build-examples" --parallel 2 --target page fleet redial
page=$build/build-examples/examples/redial.html

idle() {   # a change sets the state before it returns
    in_page 'return (async () => { while (document.documentElement.dataset.state !== "done")
        await new Promise(done => setTimeout(done, 5)); })()' >/dev/null
}

open_page() {   # HASH
    go_to "file://$page$1"
    idle
}

text_of() {   # ID
    in_page "return document.getElementById('$1').textContent"
}

# The policy, the situation and all that the simulation shows. A control that is not connected would
# not change it.
outcome() {
    in_page 'return ["figures", "schedule", "fleet", "load", "summary", "code", "command"].map(id =>
        document.getElementById(id).innerHTML).join()'
}

same_as_fleet() {   # WHAT
    local command
    command=$(text_of command)
    [[ $command =~ ^build-examples/examples/fleet(\ --[a-z-]+\ [0-9a-z+]+)*$ ]] ||
        fail "no command: $command"
    (cd "$build" && $command) |
        sed -n '/^none/,$ { s/^(floor)/best possible/; s/  */ /g; s/ $//; p }' >"$build/fleet"
    [ "$(wc -l <"$build/fleet")" = 5 ] || fail "fleet prints another table: $(cat "$build/fleet")"
    in_page 'return [...document.querySelectorAll("#figures tbody tr")].map(row =>
        [...row.cells].map(cell => cell.textContent.trim()).join(" ").trim()).join("\n")' |
        diff "$build/fleet" - || fail "$1: fleet says < and the page says >"
    echo "$1: the figures are fleet's"
}

# What is said of one client, and the texts at its bars, were computed by hand.
one_client() {   # HASH WHEN TEXTS
    open_page "#clients=10&$1"
    [ "$(text_of schedule-says)" = "It $2" ] || fail "$1: $(text_of schedule-says)"
    in_page 'return [...document.querySelectorAll("#schedule .small")]
        .map(text => text.textContent).join(", ")' | grep -qFx "$3" ||
        fail "$1: $(in_page 'return document.getElementById("schedule").textContent')"
}

# The copied C compiles as C and as C++, and the library accepts its policy, which is the one of the
# sliders.
copied_c() {
    in_page 'return (async () => {
        await navigator.clipboard.writeText("");
        document.querySelector("[data-copy=code]").click();
        for (let text;;) if (text = await navigator.clipboard.readText()) return text; })()' \
            >"$build/copied.h"
    in_page 'const w = wishesOf(state); return `#include "copied.h"
int main(void)
{
    return redial_policy_error(&policy) || policy.base_ms != ${w.base}u
        || policy.cap_ms != ${w.cap}u || policy.jitter_ms != ${w.jitter}u
        || policy.max_retries != ${w.retries}u || policy.max_elapsed_ms != ${w.elapsed}u
        || (unsigned)policy.jitter != ${w.mode}u || !policy.budget != !${w.budget}u
        || policy.attempt_ms != 10000;
}`' >"$build/copied.c"
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude "$build/copied.c" \
        "$build"/build-examples/libredial.a -o "$build/copied" &&
        g++ -std=c++20 -Wall -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ "$build/copied.c" &&
        "$build/copied" ||
        fail "the copied C does not work, or is another policy: $(cat "$build/copied.h")"
}

presets() {
    local i
    for i in 0 1 2 3 4 5; do
        in_page "document.getElementById('preset-$i').click()" >/dev/null
        idle
        same_as_fleet "$(text_of "preset-$i")"
        copied_c
        ! grep -F 'max_elapsed_ms = 0' "$build/copied.h" || fail "preset $i has no time limit"
    done
}

# In this state no slider is at an end of its range, and each control has an effect.
lively='#clients=500&capacity=20&outage=2&retry-after=10&jobs=10&pause=1000'
lively+='&base=200&cap=1000&jitter=500&retries=4&elapsed=60000&budget=50&mode=wide'

# Each control changes the outcome and the address, and the address alone brings the outcome back.
controls() {
    local ids id usual now
    open_page "$lively"
    usual=$(outcome)
    ids=$(in_page 'return [...document.querySelectorAll("input")].map(input =>
        input.type === "range" ? "#" + input.id : input.checked ? "" :
        `[name=${input.name}][value="${input.value}"]`).join(" ")')
    for id in $ids; do
        open_page "$lively"
        in_page "const input = document.querySelector('$id');
            input.focus();
            if (document.activeElement !== input)
                return 'it can not have the focus';
            input.type === 'radio' ? input.click() : input.stepDown();
            input.dispatchEvent(new Event('input', { bubbles: true }));
            // the address changes after 200 ms
            return new Promise(done => setTimeout(done, 250, ''))" >"$build/said"
        [ -z "$(cat "$build/said")" ] || fail "$id: $(cat "$build/said")"
        idle
        now=$(outcome)
        [ "$usual" != "$now" ] || fail "$id changes nothing"
        open_page "$(in_page 'return location.hash')"
        [ "$now" = "$(outcome)" ] || fail "$id: the address does not bring back what was seen"
        echo "$id changes the outcome"
    done
}

screens() {   # WIDTH SCHEME
    local wide
    screen "$1" "$2"
    open_page '#clients=20000&capacity=500&outage=30&mode=wide'
    wide=$(in_page 'return [document.scrollingElement,
        ...document.querySelectorAll("#summary :is(b, small), figure, .field, th, td")]
        .filter(part => part.scrollWidth > part.clientWidth).map(part => part.outerHTML).join()')
    [ -z "$wide" ] || fail "at $1 pixels this is too wide: $wide"
    in_page 'return getComputedStyle(document.body).backgroundColor' >>"$build/colours"
}

# Paper is narrower than the screen, and the page draws nothing anew for it.
print_cuts_no_chart() {
    local cut
    devtools Emulation.setEmulatedMedia '{ "media": "print" }'
    idle
    cut=$(in_page 'document.body.style.width = "700px";
        return [...document.querySelectorAll(".chart")].filter(chart => {
            const paper = chart.getBoundingClientRect();
            const drawn = chart.firstChild.getBoundingClientRect();
            return drawn.right > paper.right || drawn.bottom > paper.bottom + 1;
        }).map(chart => chart.id).join()')
    [ -z "$cut" ] || fail "paper cuts these charts: $cut"
}

# The first thing on the page is why there is nothing else.
trouble() {   # MESSAGE
    local seen
    go_to "file://$page"
    seen=$(in_page 'return [...document.querySelectorAll("body *")].filter(part =>
        part.checkVisibility() && !part.firstElementChild && part.textContent.trim())
        .map(part => part.textContent).join("|")')
    [[ $seen = "$1|Which retry policy?|Move a slider"* && $seen != *'The policy'* ]] ||
        fail "in the place of $1: $seen"
}

# What each script returns at that address was worked out by hand.
by_hand() {
    local said
    # shellcheck disable=SC2162   # a \ at the end of a line continues the script
    while IFS='|' read wanted hash script; do
        open_page "#$hash"
        said=$(in_page "$script")
        [ "$said" = "$wanted" ] || fail "#$hash: $script: $said, and not $wanted"
    done <<'END'
1000 1000|clients=10|const s = withValue({ ...state, base: 2000, cap: 4000 }, 'cap', 1000); \
    return s.base + ' ' + s.cap
10800 86400|clients=10|return [7200, 86399].map(outage => \
    fitted({ ...state, outage }).horizon).join(' ')
3600|clients=10&outage=10800|return withValue(state, 'outage', 20).horizon
0.3 0.2|clients=10|return [[1, 0, 2, 0, 0], [0, 0]].map(taken => \
    lastSecond({ taken }).toFixed(1)).join(' ')
1.0 1.0|clients=5000|simulate(); const old = worker; \
    show(readAddress('clients=1').state); clearTimeout(timer); simulate(); \
    const then = () => new Promise(go => setTimeout(go, 5)); \
    const shows = () => shown.results.added.figures.attempts; \
    return (async () => { while (run.busy) await then(); \
        const first = shows(); old.onmessage({ data: { mode: 'added', done: true, \
            result: { ...run.results.added, figures: { attempts: 'old' } } } }); \
        return first + ' ' + shows(); })()
fleet load|clients=10|worker = { postMessage() {}, terminate() {} }; show({ ...state, seed: 2 }); \
    return (async () => { const says = () => [...document.querySelectorAll('.computing')] \
            .filter(text => getComputedStyle(text).visibility === 'visible'); \
        const before = says().length; \
        while (!says().length) await new Promise(go => setTimeout(go, 5)); \
        return says().map(text => { const chart = text.parentNode.querySelector('.chart'); \
            const [a, b] = [text, chart].map(part => part.getBoundingClientRect()); \
            return before === 0 && a.top > b.top && a.bottom < b.bottom ? chart.id : 'elsewhere'; \
        }).join(' '); })()
true|clients=10|const slow = { ...run, results: {}, begun: -1000 }; \
    received(slow, { mode: 'wide', result: run.results.wide }); return shown === slow
7 10|clients=10|location.hash = 'clients=7'; \
    const changed = () => new Promise(go => addEventListener('hashchange', go, { once: true })); \
    return changed().then(() => { const forth = state.clients; history.back(); \
        return changed().then(() => forth + ' ' + state.clients); })
240 a minute|clients=10|at('preset-1').click(); return at('capacity-value').textContent
50 50|clients=10|return rates(Array(40).fill(5), 2, 2).join(' ')
100 75 75 25 0|clients=10|const plot = { width: 4, height: 100 }; \
    return shareCurve({ taken: [1, 0, 2, 1] }, 4, plot, 0.4).join(' ')
100 0|clients=10|const plot = { width: 4, height: 100 }; \
    return shareCurve({ taken: [2, 2] }, 4, plot, 0.8).join(' ')
80 40 40|clients=10|const plot = { width: 2, height: 80 }; \
    return shareCurve({ taken: [1] }, 2, plot, 1).join(' ')
45 30 15 0|clients=10|const plot = { width: 4, height: 60 }; \
    return floorCurve({ ms: [0, 0, 100, 200, 300] }, 4, plot, 0.4).join(' ')
0 1000 3000 5000 7000 9000|clients=10|return engine.floor(5).ms.join(' ')
10.0 % 9|clients=10&retries=0|const { share, gaveUp } = run.results.added.figures; \
    return share + ' ' + gaveUp
46 20,46 20,46 20,46 20,46 20|clients=1200&capacity=20&outage=20|const s = width => \
        Math.round(width / (at('load').clientWidth - 54) * shown.end * 10) / 10; \
    return [...document.querySelectorAll('.outage')].map(band => \
        +band.getAttribute('x') + ' ' + s(band.getAttribute('width'))).join()
true|clients=1200&capacity=40&per=2000|const last = style => \
        [...document.querySelectorAll('#load ' + style)].pop().getAttribute('d'); \
    const y = last('.capacity').split(/[ L]/)[1]; \
    return last('.taken').split(` ${y}L`).length > 40
true|clients=1200&capacity=40&per=2000|const f = run.results.full.figures; \
    return Math.abs(parseFloat(f.times) - parseFloat(f.peak) / 100 * 1200 / 20) < 0.1
END
}

begin_browser
screen 1400 light
devtools Browser.grantPermissions \
    '{ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }'
devtools Emulation.setFocusEmulationEnabled '{ "enabled": true }'
! grep -n 'https\?:' "$page" || fail 'it names another site'
open_page ''
presets
one_client 'retries=2' 'gives up 3 to 5 s after the first failure: no retry is left.' \
    '1 to 2 s, 2 to 3 s, gives up'
one_client 'mode=wide&base=500&cap=4000&elapsed=9000' \
    'gives up 5 to 9 s after the first failure: the next wait would end too late.' \
    '0.5 to 1 s, 1 to 2 s, 2 to 4 s, 2 to 4 s, 2 to 4 s, gives up'
one_client 'retry-after=600' \
    'gives up at the first failure: the server asks for too long a wait.' 'gives up'
one_client 'mode=none&cap=1000&elapsed=3000' \
    'gives up 2 s after the first failure: the next wait would end too late.' '1 s, 1 s, gives up'
eights=$(printf '8 s, %.0s' 1 2 3 4 5 6 7 8 9)
one_client 'cap=8000' 'does not give up.' \
    "1 to 2 s, 2 to 3 s, 4 to 5 s, ${eights}and so on: it does not give up"
controls
by_hand
open_page '#clients=10&cap=12x&wings=2&workers=2&retry-after=3&gate=429'
[[ $(text_of note) = *'workers 2, gate 429'*'cap=12x, wings=2'* ]] ||
    fail "the note says: $(text_of note)"
same_as_fleet 'processes of two'
screens 1400 light
print_cuts_no_chart
screens 375 dark
screens 320 light
[ "$(sort -u "$build/colours" | wc -l)" = 2 ] || fail 'light and dark look the same'
console >"$build/console"
[ ! -s "$build/console" ] || fail "on the console: $(cat "$build/console")"

devtools Emulation.setScriptExecutionDisabled '{ "value": true }'
trouble 'This page needs JavaScript.'
devtools Emulation.setScriptExecutionDisabled '{ "value": false }'
devtools Page.addScriptToEvaluateOnNewDocument '{ "source": "delete globalThis.WebAssembly" }'
trouble 'The page does not run in this browser: WebAssembly is not defined'
