#!/bin/sh
# check_transcript.sh DOCUMENT PROGRAM: the document shows what the program prints, indented by four blanks. The numbers
# may differ. Called by ctest. SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
without_numbers() {
    sed -E 's/[0-9]+/N/g'
}

shown=$(sed -n 's/^    //p; /^$/p' "$1" | without_numbers)
printed=$("$2" 2>&1 | without_numbers) && [ -n "$printed" ] || exit 1
case $shown in
*"$printed"*) ;;
*) printf '%s does not show what %s prints:\n%s\n' "$1" "$2" "$printed" >&2; exit 1 ;;
esac
