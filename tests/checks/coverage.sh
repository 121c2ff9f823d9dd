#!/bin/bash
# The unit tests alone reach every line and every branch of src/, and show the independent effect of every condition
# (MC/DC). tests/unit/test_system*_scripted.c include system_posix.c and system_windows.c.
. "$(dirname "$0")/lib/check.sh"
need cmake make libc6-dev libcmocka-dev clang-19 libclang-rt-19-dev llvm-19 python3

tree=$build/tree
quietly cmake -S . -B "$tree" -DCMAKE_C_COMPILER=clang-19 -DREDIAL_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -fprofile-update=atomic'
quietly cmake --build "$tree" --parallel "$(nproc)"

objects=()
for program in "$tree"/tests/unit/test_*; do
    quietly env LLVM_PROFILE_FILE="$program.profraw" "$program"
    objects+=(-object "$program")
done
llvm-profdata-19 merge -sparse "$tree"/tests/unit/*.profraw -o "$tree/profile"

cov() {   # COMMAND SOURCE OPTION...
    llvm-cov-19 "$1" "${objects[@]:1}" -instr-profile="$tree/profile" -sources "$PWD/$2" "${@:3}"
}
cov export src -summary-only >"$build/summary"
status=0
python3 - "$build/summary" src/*.c src/*.h >"$build/table" <<'END' || status=1
import json, os, sys

files = {file["filename"]: file["summary"] for file in json.load(open(sys.argv[1]))["data"][0]["files"]}
short = False
for path in sys.argv[2:]:
    summary = files[os.path.realpath(path)]
    counts = [(what, summary[what]["covered"], summary[what]["count"]) for what in ("lines", "branches", "mcdc")]
    missed = any(covered < count for _, covered, count in counts)
    short |= missed
    print(path, *("%s %d/%d" % count for count in counts), "<-- not all" if missed else "")
sys.exit(short)
END
cat "$build/table"
for source in $(awk '/<--/ { print $1 }' "$build/table"); do
    cov show "$source" -show-branches=count -show-mcdc
done
exit $status
