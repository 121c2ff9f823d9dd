#!/bin/bash
# Runs the unit tests with sanitizers and valgrind. Each has a build of its own. sanitizers.sh NAME...: only these.
# REDIAL_CI leaves out what finds the same as another.
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/cmocka.sh
need cmake make gcc libc6-dev libcmocka-dev clang libclang-rt-14-dev valgrind
fetch_cmocka

# The random number generators of the tests and of an example wrap on purpose.
printf 'src:%s/*\n' "$PWD/tests" "$PWD/examples" >"$build/ignored"

# name            compiler  REDIAL_SANITIZE    options
variants="
gcc-asan-ubsan    gcc       address,undefined
clang-asan-ubsan  clang     address,undefined
clang-integer     clang     integer            -fsanitize-ignorelist=$build/ignored
clang-msan        clang     memory             -fsanitize-memory-track-origins -fsanitize-memory-use-after-dtor
gcc-tsan          gcc       thread
valgrind          gcc       -
"

# Further options of a variant: MSan needs a cmocka that was compiled with it, and valgrind runs the programs.
more_for() {   # NAME
    case $1 in
    clang-msan)
        build_cmocka "$build/cmocka-msan" clang -O1 -g -fsanitize=memory >&2
        echo "-DREDIAL_CMOCKA_INCLUDE=$build/cmocka-msan"
        echo "-DREDIAL_CMOCKA_LIBRARY=$build/cmocka-msan/libcmocka.a" ;;
    valgrind)
        echo '-DCMAKE_CROSSCOMPILING_EMULATOR=valgrind;-q;--error-exitcode=99;--leak-check=full' ;;
    esac
}

run() {   # NAME COMPILER SANITIZERS OPTION...
    local directory=$build/$1 compiler=$2 sanitizers=${3#-} more
    mapfile -t more < <(more_for "$1")
    shift 3
    cmake -S . -B "$directory" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g $*" \
        -DREDIAL_SANITIZE="$sanitizers" -DREDIAL_EXAMPLES=OFF "${more[@]}" &&
        cmake --build "$directory" --parallel "$(nproc)" &&
        ctest --test-dir "$directory" -L unit --no-tests=error --output-on-failure --parallel "$(nproc)"
}

check() {   # NAME COMPILER SANITIZERS OPTION...
    local start=$SECONDS log=$build/$1.log
    run "$@" >"$log" 2>&1 || { cat "$log"; echo "$1: FAILED"; return 1; }
    echo "$1: $(sed -n 's/^100% tests passed, 0 tests failed out of //p' "$log") programs, nothing found," \
         "$((SECONDS - start)) s"
}

[ $# -gt 0 ] || [ -z "${REDIAL_CI-}" ] || set -- gcc-asan-ubsan clang-integer clang-msan gcc-tsan
while read -r name rest; do
    case " ${*:-$name} " in *" $name "*) check "$name" $rest </dev/null; ran=yes ;; esac
done < <(echo "$variants" | grep .)
[ "${ran-}" ] || { echo "none of the variants is '$*'" >&2; exit 2; }
