#!/bin/sh
# check_transcript.sh DOCUMENT PROGRAM: the document shows what the program prints, indented by four blanks. The port,
# and times that are measured or random, may differ. Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
without_times() {
    sed -E 's/(127\.0\.0\.1):[0-9]+/\1:N/; s/(wait|time:) [0-9]+ ms/\1 N ms/; s/, [0-9]+ ms of/, N ms of/'
}

shown=$(sed -n 's/^    //p; /^$/p' "$1" | without_times)
printed=$("$2" 2>&1 | without_times) && [ -n "$printed" ] || exit 1
case $shown in
*"$printed"*) ;;
*) printf '%s does not show what %s prints:\n%s\n' "$1" "$2" "$printed" >&2; exit 1 ;;
esac
