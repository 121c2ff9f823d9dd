#!/bin/bash
# The shared library exports the functions that the header declares, and no other; the static one keeps to its prefix.
. "$(dirname "$0")/lib/check.sh"
need cmake make gcc libc6-dev binutils

library() {   # NAME OPTION...
    quietly cmake -S . -B "$build/$1" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF "${@:2}"
    quietly cmake --build "$build/$1" --parallel "$(nproc)" --target redial
}

# The name before the parameters of each REDIAL_API declaration.
gcc -E -P -DREDIAL_API=EXPORTED include/redial.h | tr '\n' ' ' | tr ';' '\n' |
    sed -nE 's/.*EXPORTED [^(]*[ *]([a-z0-9_]+)\(.*/\1/p' | sort >"$build/documented"
[ "$(wc -l <"$build/documented")" = "$(grep -c '^REDIAL_API ' include/redial.h)" ] ||
    { echo 'include/redial.h has a REDIAL_API that is none of these:'; cat "$build/documented"; exit 1; }

library shared -DBUILD_SHARED_LIBS=ON
nm -D --defined-only "$build/shared/libredial.so" | awk '{ print $NF }' | sort >"$build/exported"
diff "$build/documented" "$build/exported" || { echo 'shared library: < is documented, > is exported'; exit 1; }
echo "shared library: exports the $(wc -l <"$build/documented") documented functions and nothing else"

library static -DBUILD_SHARED_LIBS=OFF
nm -g --defined-only "$build/static/libredial.a" | awk 'NF == 3 { print $3 }' | sort >"$build/global"
comm -23 "$build/documented" "$build/global" | grep . && { echo 'static library: lacks these'; exit 1; }
# What crosses files is declared in internal.h.
for name in $(comm -13 "$build/documented" "$build/global"); do
    [[ $name = redial_* ]] && grep -q "\b$name(" src/internal.h ||
        { echo "static library: $name is neither documented nor in src/internal.h, or lacks the prefix"; exit 1; }
done
echo "static library: $(wc -l <"$build/global") global symbols, all redial_; beyond the documented, those of internal.h"
