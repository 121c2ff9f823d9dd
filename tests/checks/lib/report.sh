# report LOG BEFORE STRICT: reads the output of `ctest -V`, and prints a line for each test: its name when it begins,
# its result and seconds when it ends. After that it prints the output of a failed test, or why a test was skipped. It
# keeps that output in the file LOG. The last line counts the tests. BEFORE is the exit status of the quick tests, which
# count as one more test. If STRICT is not empty, a skipped test counts as failed. Sourced, never run.
# (awk would be shorter, but some versions read a pipe in blocks, and would print late.) SPDX-License-Identifier: MIT

report() {
    log=$1 strict=$3 ended= passed=0 failed=0 skipped=0
    if [ "$2" = 0 ]; then passed=1; else failed=1; fi
    while read -r first rest; do
        case $first in
        Start)
            : >"$log"
            printf '%-24s ' "${rest##* }" ;;
        [0-9]*:)
            case $rest in
            'Test command: '* | 'Working Directory: '* | 'Test timeout computed to be: '*) continue ;;
            esac
            printf '%s\n' "$rest" >>"$log" ;;
        [0-9]*/*)
            finished "$rest" ;;
        [0-9]*%)
            ended=yes ;;
        esac
    done
    [ $ended ] || { echo 'ctest did not come to its end'; failed=$((failed + 1)); }
    [ $skipped = 0 ] || echo "$skipped skipped"
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}

finished() {   # the rest of ctest's line
    seconds=${1% sec}
    seconds=${seconds##* }
    case $strict$1 in
    *' Passed '*)
        passed=$((passed + 1))
        printf 'ok      %4d s\n' "${seconds%.*}" ;;
    'Test '*'***Skipped '*)
        skipped=$((skipped + 1))
        printf 'skipped: %s\n' "$(tail -n 1 "$log")" ;;
    *)
        failed=$((failed + 1))
        printf 'FAILED  %4d s\n' "${seconds%.*}"
        sed 's/^/    /' "$log" ;;
    esac
}
