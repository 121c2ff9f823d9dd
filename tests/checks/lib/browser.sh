# A headless Chromium, driven by chromedriver. Sourced after check.sh, which makes $build.
# SPDX-License-Identifier: MIT

# begin_browser: starts it. It runs until the check ends. The driver may choose a port that another
# program takes.
begin_browser() {
    for _ in 1 2 3 4 5; do
        chromedriver --port=0 >"$build/driver" 2>&1 &
        driver=$!
        trap 'end_browser; rm -rf "$build"' EXIT
        until grep -qs 'started successfully on port' "$build/driver" ||
            ! kill -0 "$driver" 2>/dev/null; do
            sleep 0.1
        done
        port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$build/driver")
        [ -z "$port" ] || break
    done
    [ -n "$port" ] || fail "chromedriver did not start: $(cat "$build/driver")"
    ask session "$(capabilities)" || fail "Chromium did not start"
    session=$(jq -r .value.sessionId "$build/answer")
}

capabilities() {
    jq -n --arg profile "$build/profile" '{ capabilities: { alwaysMatch: {
        timeouts: { script: 200000 },
        "goog:loggingPrefs": { browser: "ALL" },
        "goog:chromeOptions": { args: [
            "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--user-data-dir=" + $profile] } } } }'
}

end_browser() {
    [ -z "${session-}" ] ||
        curl -sS --noproxy '*' -X DELETE "http://127.0.0.1:$port/session/$session" >/dev/null ||
        true
    kill "$driver" 2>/dev/null || true
}

# ask PATH JSON: the driver's answer goes to $build/answer. It fails if there is none, or if a
# script throws.
ask() {
    curl -sS --noproxy '*' --max-time 300 -H 'Content-Type: application/json' --data-binary @- \
        "http://127.0.0.1:$port/$1" <<<"$2" >"$build/answer" || return
    ! jq -e '.value | type == "object" and has("stacktrace")' "$build/answer" >/dev/null ||
        { jq -r .value.message "$build/answer" >&2; return 1; }
}

# in_page JAVASCRIPT: prints what the script returns, or what its promise resolves to
in_page() {
    ask "session/$session/execute/sync" \
        "$(jq -n --arg script "$1" '{ script: $script, args: [] }')" &&
        jq -r .value "$build/answer"
}

go_to() {   # ADDRESS
    ask "session/$session/url" '{ "url": "about:blank" }'
    ask "session/$session/url" "$(jq -n --arg url "$1" '{ url: $url }')"
}

devtools() {   # COMMAND JSON
    ask "session/$session/goog/cdp/execute" "{ \"cmd\": \"$1\", \"params\": $2 }"
}

screen() {   # WIDTH SCHEME
    devtools Emulation.setDeviceMetricsOverride "$(jq -n --argjson width "$1" \
        '{ width: $width, height: 900, deviceScaleFactor: 1, mobile: ($width < 600) }')"
    devtools Emulation.setEmulatedMedia \
        "{ \"features\": [{ \"name\": \"prefers-color-scheme\", \"value\": \"$2\" }] }"
}

console() {
    ask "session/$session/se/log" '{ "type": "browser" }' &&
        jq -r '.value[] | .level + ": " + .message' "$build/answer"
}
