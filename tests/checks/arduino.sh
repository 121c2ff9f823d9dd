#!/bin/bash
# The library for Arduino, installed from its zip. Arduino's own builder compiles the sketch for an
# Uno, and the sketch runs in simavr against the modem of modem.c. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/package.sh"
need cmake make gcc libc6-dev arduino-builder arduino-core-avr libsimavr-dev

installed=$build/libraries/redial
library "$build/cmake" arduino -DREDIAL_ADDRESS=https://example.com/here
mkdir "$build/libraries" "$build/tools" "$build/sketch"
(cd "$build/libraries" && quietly cmake -E tar xf "$build/cmake/arduino/redial-$version.zip")
# What Arduino's library specification asks for. Communication is one of its categories.
has_lines "$installed/library.properties" name=redial "version=$version" 'author=.+' \
    'maintainer=.+' 'sentence=.+' 'paragraph=.+' category=Communication \
    url=https://example.com/here 'architectures=\*' includes=redial.h
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
awk '/^Sketch uses/ { flash = $3 } /^Global variables use/ { ram = $4 }
     END { exit !(flash > 10500 && flash < 11500 && ram > 750 && ram < 850) }' "$build/log" ||
    fail 'examples/README.md says 11 KB, and 0.8 KB of RAM'
gcc -std=gnu11 -O2 $warnings -Wno-cast-qual tests/checks/arduino/modem.c -lsimavr -o "$build/modem"
timeout 600 "$build/modem" "$build/sketch/sensor.ino.elf" 2>"$build/log" ||
    { cat "$build/log"; exit 1; }
