#!/bin/bash
# The picture is what gnuplot draws from the output of herd, and well-formed XML.
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
