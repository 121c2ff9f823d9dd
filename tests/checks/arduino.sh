#!/bin/bash
# The library for Arduino, installed from its zip. Arduino's own builder compiles the sketch for an
# Uno. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need cmake make gcc libc6-dev arduino-builder arduino-core-avr

installed=$build/libraries/redial
library "$build/cmake" arduino -DREDIAL_ADDRESS=https://example.com/here
mkdir "$build/libraries" "$build/tools" "$build/sketch"
(cd "$build/libraries" && quietly cmake -E tar xf "$build/cmake/arduino/redial-$version.zip")
# What Arduino's library specification asks for. Communication is one of its categories.
has_lines "$installed/library.properties" name=redial "version=$version" 'author=.+' \
    'maintainer=.+' 'sentence=.+' 'paragraph=.+' category=Communication \
    url=https://example.com/here 'architectures=\*' includes=redial.h \
    dot_a_linkage=true   # what a sketch does not call costs nothing
[ "$(cd "$installed" && echo src/*.h LICENSE*)" = 'src/redial.h src/redial_fake.h LICENSE' ] ||
    fail 'the zip lacks the LICENSE, or sketches see other headers than redial.h and redial_fake.h'

# Debian 12's Arduino core needs a macro for which its compiler has only another name.
quietly arduino-builder -compile -fqbn arduino:avr:uno -warnings all -build-path "$build/sketch" \
    -tools "$build/tools" -hardware /usr/share/arduino/hardware \
    -hardware /usr/share/arduino-builder -libraries "$build/libraries" \
    -prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ \
    "$installed/examples/sensor/sensor.ino"
! grep -E '(libraries/redial|sensor\.ino).*warning' "$build/log" || exit 1
grep -E 'bytes \(.*Maximum' "$build/log"
said=$(tr -s '\n ' '  ' <examples/README.md |
    sed -n 's/.* an Arduino: \([0-9.]*\) KB, and \([0-9.]*\) KB of RAM on an Uno .*/\1 \2/p')
awk -v said="${said:-0 0}" '
    function differs(bytes, kb, by) { return bytes < (kb - by) * 1000 || bytes > (kb + by) * 1000 }
    /^Sketch uses/ { flash = $3 } /^Global variables use/ { ram = $4 }
    END { split(said, kb); exit differs(flash, kb[1], .5) || differs(ram, kb[2], .05) }
    ' "$build/log" || fail "examples/README.md says for flash and RAM: $said KB"
