#!/bin/bash
# The library for Arduino, installed from its zip. Arduino's own builder compiles the sketch for an Uno. It runs in
# simavr against a modem that answers 503 with Retry-After: 3, nothing, "network error", 200, then an error, 503, and
# 429 with a Retry-After that is too long for this reading, and at last 404.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev arduino-builder arduino-core-avr libsimavr-dev

library "$build/cmake" -DREDIAL_ADDRESS=https://example.com/here -- arduino
mkdir "$build/libraries" "$build/tools" "$build/sketch"
(cd "$build/libraries" && quietly cmake -E tar xf "$build/cmake/arduino/redial-$version.zip")
# What Arduino's library specification asks for. Communication is one of its categories.
for line in name=redial "version=$version" 'author=.+' 'maintainer=.+' 'sentence=.+' 'paragraph=.+' \
            category=Communication url=https://example.com/here 'architectures=\*' includes=redial.h; do
    grep -qxE "$line" "$build/libraries/redial/library.properties" || fail "library.properties lacks $line"
done
[ "$(cd "$build/libraries/redial/src" && echo *.h)" = 'redial.h redial_fake.h' ] ||
    fail 'the headers that all sketches and libraries see are not redial.h and redial_fake.h'

# Debian 12's Arduino core needs a macro for which its compiler has only another name.
quietly arduino-builder -compile -fqbn arduino:avr:uno -warnings all -build-path "$build/sketch" -tools "$build/tools" \
    -hardware /usr/share/arduino/hardware -hardware /usr/share/arduino-builder -libraries "$build/libraries" \
    -prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ \
    "$build/libraries/redial/examples/sensor/sensor.ino"
! grep -E '(libraries/redial|sensor\.ino).*warning' "$build/log" || exit 1
grep -E 'bytes \(.*Maximum' "$build/log"
awk '/^Sketch uses/ { flash = $3 } /^Global variables use/ { ram = $4 }
     END { exit !(flash > 10500 && flash < 11500 && ram > 850 && ram < 950) }' "$build/log" ||
    fail 'examples/README.md says 11 KB, and 0.9 KB of RAM'

gcc -std=gnu11 -O2 $warnings -Wno-cast-qual tests/checks/arduino/modem.c -lsimavr -o "$build/modem"
timeout 600 "$build/modem" "$build/sketch/sensor.ino.elf" >"$build/said" 2>"$build/log" || { cat "$build/log"; exit 1; }

# The time from the start of each attempt to the start of the next: the attempt, the wait, and at most 0.4 s in which
# the sketch and the modem exchange lines.
awk 'function wanted(from, to) { if (gap < from || gap > to) { print "attempt " n ": after " gap " ms"; wrong = 1 } }
     $2 == "AT+HTTPTERM" { gap = $1 - at; at = $1; n++ }
     $2 == "AT+HTTPTERM" && n == 2 { wanted(3000, 4800) }       # 503, 3 s
     $2 == "AT+HTTPTERM" && n == 3 { wanted(12000, 13400) }     # no answer in 10 s
     $2 == "AT+HTTPTERM" && n == 4 { wanted(4000, 5400) }       # 601
     $2 == "AT+HTTPTERM" && n == 5 { wanted(30000, 30400) }     # 200
     $2 == "AT+HTTPTERM" && n == 6 { wanted(1000, 2400) }       # an error
     $2 == "AT+HTTPTERM" && n == 7 { wanted(2000, 3400) }       # 503
     $2 == "AT+HTTPTERM" && n == 8 { wanted(40500, 41400) }     # 429, 40.5 s
     /"n":/ { readings = readings $2 " " }
     $1 == "longest" && $2 > 257 { print "the LED stood still for " $2 " ms"; wrong = 1 }
     END {
         gsub(/,"value":[0-9]*/, "", readings)
         gsub(/[{}n":]/, "", readings)
         if (readings != "1 1 1 1 2 2 3 ") { print "posted: " readings; wrong = 1 }
         if (n != 8 || $1 != "longest") { print n " attempts"; wrong = 1 }
         exit wrong
     }' "$build/said" || { cat "$build/said"; exit 1; }
echo 'sensor.ino: 8 attempts, each in time; the LED never stopped'
