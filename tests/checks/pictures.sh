#!/bin/bash
# The picture is what gnuplot draws from the output of herd, and well-formed XML.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev gnuplot-nox libxml2-utils

quietly cmake -S . -B "$build/build" -DREDIAL_TESTS=OFF
quietly cmake --build "$build/build" --target herd
mkdir "$build/pictures"
examples/fleet/pictures/draw "$build/build/examples" "$build/pictures"
xmllint --noout "$build"/pictures/*.svg
for picture in examples/fleet/pictures/*.svg; do    # without the version of gnuplot
    diff <(grep -v '<desc>' "$picture") <(grep -v '<desc>' "$build/pictures/${picture##*/}") \
        >"$build/differences" ||
        fail "$picture is another one: draw build/examples examples/fleet/pictures"
done

drawn() {   # OPTION: its number, as README.md writes it
    sed -n "s/^herd = .*--$1 \([0-9]*\).*/\1/p" examples/fleet/pictures/fleet.gp |
        sed 's/\([0-9]\)\([0-9]\{3\}\)$/\1,\2/'
}
sentence="$(drawn clients) clients after an outage of $(drawn outage) s, and a server that takes"
sentence+=" $(drawn capacity) requests a second"
tr -s '\n ' '  ' <README.md | grep -qF "$sentence" || fail "README.md does not say: $sentence"
