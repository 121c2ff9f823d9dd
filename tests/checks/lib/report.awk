# What `ctest -V` says, a line for each test: its name when it begins, its result and seconds when it ends; then what a
# failed one said, or why one was skipped. The last line counts. STRICT: a skip is a failure. BEFORE: the status of what
# ran before, which counts as one more. SPDX-License-Identifier: MIT
BEGIN { count[BEFORE ? "FAILED" : "ok"]++ }
/^ *Start +[0-9]+: / {
    printf "%-24s ", $3
    fflush()
    said = last = ""
    next
}
/^[0-9]+: (Test command: |Working Directory: |Environment variables: |Test timeout computed to be: )/ { next }
/^[0-9]+: / {
    sub(/^[0-9]+: /, "")
    said = said "    " $0 "\n"
    last = $0
    next
}
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
    result = / Passed +[0-9.]+ sec$/ ? "ok" : /\*\*\*Skipped +[0-9.]+ sec$/ ? "skipped" : "FAILED"
    if (result == "skipped" && STRICT)
        result = "FAILED"
    printf "%-7s %4d s%s\n", result, $(NF - 1), result == "skipped" ? "  " last : ""
    if (result == "FAILED")
        printf "%s", said
    fflush()
    count[result]++
    next
}
END {
    if (count["skipped"])
        print count["skipped"] " skipped"
    printf "%d passed, %d failed\n", count["ok"], count["FAILED"]
    exit count["FAILED"] || !count["ok"]
}
