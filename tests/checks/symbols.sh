#!/bin/bash
# The shared library exports the functions that the header declares, and no others. It calls no function that allocates,
# prints or locks. A library that embeds redial exports none of its functions. Plugins that contain different versions
# of redial each use their own. redial has no variables. Accesses to what threads share have one order for all.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc g++ libc6-dev binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# The name before the parameters of each REDIAL_API declaration.
gcc -E -P -DREDIAL_API=EXPORTED include/redial.h | tr '\n' ' ' | tr ';' '\n' |
    sed -nE 's/.*EXPORTED [^(]*[ *]([a-z0-9_]+)\(.*/\1/p' | sort >"$build/documented"
[ "$(wc -l <"$build/documented")" = "$(grep -c '^REDIAL_API ' include/redial.h)" ] ||
    { echo 'include/redial.h has a REDIAL_API that is none of these:'; cat "$build/documented"; exit 1; }

library "$build/shared" -DBUILD_SHARED_LIBS=ON -- redial
symbols "$build/shared/libredial.so" >"$build/exported"
diff "$build/documented" "$build/exported" || fail 'shared library: < is documented, > is exported'
echo "shared library: exports the $(wc -l <"$build/documented") documented functions and nothing else"

library "$build/static" -DBUILD_SHARED_LIBS=OFF -- redial
symbols "$build/static/libredial.a" >"$build/global"
comm -23 "$build/documented" "$build/global" | grep . && fail 'static library: lacks these'
# Functions that several files of src/ share are declared in internal.h.
for name in $(comm -13 "$build/documented" "$build/global"); do
    [[ $name = redial_* ]] && grep -q "\b$name(" src/internal.h ||
        fail "static library: $name is neither documented nor in src/internal.h, or lacks the prefix"
done
echo "static library: $(wc -l <"$build/global") global symbols, all redial_; beyond the documented, those of internal.h"

# No function of libc but these, so that nothing is allocated, printed or locked.
nm -uD "$build/shared/libredial.so" | awk '$1 == "U" { sub("@.*", "", $2); print $2 }' |
    grep -vxE 'clock_gettime|clock_nanosleep|syscall|__errno_location|__stack_chk_fail' &&
    fail 'shared library: it calls these'

# ---- embedded: as the static library, and as the two files in C and in C++ ----

# plugin NAME SAYS: builds $build/NAME.WAY.so with a redial in which the name of REDIAL_DONE is SAYS
plugin() {
    local source=$build/$1 way
    mkdir -p "$source"
    cp -r CMakeLists.txt LICENSE include src "$source"
    sed -i "s/\"done\"/\"$2\"/" "$source/src/names.c"
    quietly cmake -S "$source" -B "$source/cmake" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DREDIAL_INSTALL=OFF
    quietly cmake --build "$source/cmake" --target redial single
    gcc -fPIC "-I$source/include" -c tests/checks/consumers/plugin.c -o "$source/plugin.o"
    gcc -fPIC -c "$source/cmake/single/redial.c" -o "$source/c.o"
    g++ -fPIC -x c++ -c "$source/cmake/single/redial.c" -o "$source/c++.o"
    for way in cmake/libredial.a c.o c++.o; do
        gcc -shared "$source/plugin.o" -Wl,--whole-archive "$source/$way" -Wl,--no-whole-archive \
            -o "$build/$1.$(basename "$way").so"
    done
}
plugin old 'old_done'
plugin new 'new_done'
gcc tests/checks/consumers/plugin_host.c -ldl -o "$build/host"
for way in libredial.a c.o c++.o; do
    symbols "$build/new.$way.so" | grep -vx plugin_says &&
        fail "embedded as $way: it exports these"
    said=$("$build/host" "$build/old.$way.so" "$build/new.$way.so")
    [ "$said" = 'old_done new_done ' ] || fail "embedded as $way: the plugins say '$said'"
done
echo 'embedded: nothing is exported, and each plugin uses its own'

# ---- no variable: every function may run in any thread, and from read-only memory ----

for source in $posix; do
    for level in -O0 -O2; do
        gcc -std=c99 -fno-pic $level -Iinclude -c "$source" -o "$build/object.o"
        ! nm "$build/object.o" | grep ' [bBcCdDsSgG] ' || fail "$source $level: this is a variable"
        size "$build/object.o" | awk 'NR == 2 { exit $2 + $3 > 0 }' || fail "$source $level: it has data"
    done
done
echo 'no object has a variable'

# ---- the gate's words: on aarch64, sequentially consistent accesses are instructions of their own; init needs none ----

aarch64-linux-gnu-gcc -std=c99 -O2 -mno-outline-atomics -Iinclude -c src/gate.c -o "$build/gate.o"
accesses=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$build/gate.o" |
    awk '/>:$/ { own = !/_init/ } own && /\[/ && $3 ~ /^w/ { print $2 }' | sort -u | paste -sd ' ')
[ "$accesses" = 'ldar ldaxr stlr stlxr' ] || fail "gate.c accesses its words by $accesses"
echo 'the gate is accessed in one order for all threads'
