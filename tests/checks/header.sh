#!/bin/bash
# The headers compile alone and twice, in every version of C and C++ that the compilers know,
# without a warning. The inline functions of two of them can be exported by a C++ module.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/quiet.sh
need gcc g++ clang libc6-dev libcurl4-openssl-dev

# HEADERS COMPILER LANGUAGE STANDARD...
check() {
    local headers=$1 compiler=$2 language=$3 standard header
    shift 3
    for standard in "$@"; do
        for header in $headers; do
            printf '#include "%s"\n#include "%s"\n' $header $header >"$build/twice"
            "$compiler" -x "$language" -std="$standard" -pedantic-errors $warnings -Iinclude \
                -fsyntax-only "$build/twice"
        done
    done
    echo "$compiler: $headers in $*"
}

# C++ compilers lack two of the flags.
c_warnings=$warnings
for compiler in gcc clang; do
    warnings=$c_warnings
    check 'redial.h redial_fake.h redial_curl.h' $compiler c c99 c11 c17 c2x
    # clang's word for bool in C89
    [ $compiler = gcc ] || warnings="$c_warnings -Wno-c99-extensions"
    check 'redial.h redial_fake.h' $compiler c c89
    warnings=${c_warnings/-Wstrict-prototypes/}
    warnings=${warnings/-Wmissing-prototypes/}
    warnings="$warnings -Wold-style-cast -Wzero-as-null-pointer-constant"
    check 'redial.h redial_fake.h redial_curl.h' ${compiler/gcc/g}++ c++ \
        c++11 c++14 c++17 c++20 c++2b
done

curl_header_is_quiet

# The outcome stands between the time and the random bits, so that nobody can swap them.
echo '#include "redial.h"
struct redial_step next(struct redial_call *call, struct redial_outcome outcome)
{ return redial_next(call, outcome, 1, 2); }' >"$build/old.c"
! gcc -Iinclude -fsyntax-only "$build/old.c" 2>/dev/null ||
    fail 'redial_next takes the time beside the random bits'

# A function of internal linkage could not be exported. clang knows modules from version 16 on.
if (need clang-19); then
    cat >"$build/module.cppm" <<'END'
module;
#include "redial_curl.h"
#include "redial_fake.h"
export module redial;
export using ::redial_curl;
export using ::redial_curl_attempt;
export using ::redial_curl_begin;
export using ::redial_curl_line;
export using ::redial_curl_end;
export using ::redial_curl_perform;
export using ::redial_fake_init;
END
    quietly clang++-19 -std=c++20 -Iinclude --precompile "$build/module.cppm" -o "$build/module.pcm"
    echo 'clang++-19: a module exports what redial_curl.h and redial_fake.h have'
else
    echo 'the module was skipped'
fi
