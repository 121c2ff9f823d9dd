# A headless Chromium, driven by chromedriver. Sourced after check.sh, which makes $build. SPDX-License-Identifier: MIT

# begin_browser: starts it. It runs until end_browser, or until the check ends.
begin_browser() {
    chromedriver --port=0 >"$build/driver" 2>&1 &
    driver=$!
    trap 'end_browser; rm -rf "$build"' EXIT
    for _ in $(seq 100); do
        port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$build/driver")
        [ -z "$port" ] || break
        sleep 0.1
    done
    [ -n "$port" ] || { cat "$build/driver"; echo 'chromedriver did not start'; exit 1; }
    session=$(ask POST /session "$(capabilities)" | jq -r '.value.sessionId // empty')
    [ -n "$session" ] || { cat "$build/answer"; echo 'Chromium did not start'; exit 1; }
}

capabilities() {
    jq -n --arg profile "$build/profile" '{ capabilities: { alwaysMatch: {
        "goog:loggingPrefs": { browser: "ALL" },
        "goog:chromeOptions": { args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--user-data-dir=" + $profile] } } } }'
}

end_browser() {
    [ -z "${session-}" ] || ask DELETE "/session/$session" >/dev/null || true
    [ -z "${driver-}" ] || kill "$driver" 2>/dev/null || true
    session= driver=
}

# ask METHOD PATH [JSON]: prints the driver's answer. If a script throws, the check ends.
ask() {
    printf '%s' "${3-}" | curl -sS --noproxy '*' --max-time 300 -X "$1" -H 'Content-Type: application/json' \
        ${3+--data-binary @-} "http://127.0.0.1:$port$2" | tee "$build/answer"
    ! jq -e '.value | type == "object" and has("stacktrace")' "$build/answer" >/dev/null ||
        { jq -r .value.message "$build/answer" >&2; return 1; }
}

# in_page JAVASCRIPT: prints what the script returns, or what its promise resolves to
in_page() {
    ask POST "/session/$session/execute/sync" "$(jq -n --arg script "$1" '{ script: $script, args: [] }')" |
        jq -r .value
}

go_to() {   # ADDRESS
    ask POST "/session/$session/url" '{ "url": "about:blank" }' >/dev/null
    ask POST "/session/$session/url" "$(jq -n --arg url "$1" '{ url: $url }')" >/dev/null
}

devtools() {   # COMMAND JSON
    ask POST "/session/$session/goog/cdp/execute" "$(jq -n --arg c "$1" --argjson p "$2" '{ cmd: $c, params: $p }')" |
        jq -r '.value.data // empty'
}

# press KEYS [CSS SELECTOR]: sends the keys to that element, or to the one that has the focus
press() {
    local element
    if [ -n "${2-}" ]; then
        element=$(ask POST "/session/$session/element" "$(jq -n --arg s "$2" '{ using: "css selector", value: $s }')")
    else
        element=$(ask GET "/session/$session/element/active")
    fi
    ask POST "/session/$session/element/$(jq -r '.value[]' <<<"$element")/value" \
        "$(jq -n --arg text "$1" '{ text: $text }')" >/dev/null
}

screen() {   # WIDTH HEIGHT SCHEME
    local mobile=false
    [ "$1" -ge 600 ] || mobile=true
    devtools Emulation.setDeviceMetricsOverride \
        "{ \"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": $mobile }"
    devtools Emulation.setEmulatedMedia \
        "{ \"features\": [{ \"name\": \"prefers-color-scheme\", \"value\": \"$3\" }] }"
}

screenshot() {   # FILE
    devtools Page.captureScreenshot '{ "captureBeyondViewport": true }' | base64 -d >"$1"
}

console() {
    ask POST "/session/$session/se/log" '{ "type": "browser" }' | jq -r '.value[] | .level + ": " + .message'
}
