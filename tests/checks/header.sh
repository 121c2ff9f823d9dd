#!/bin/bash
# The headers compile alone and twice, in every version of C and C++ that the compilers know,
# without a warning. The inline functions of two of them can be exported by a C++ module.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
. tests/checks/lib/quiet.sh
need gcc g++ clang clang-19 libc6-dev libcurl4-openssl-dev

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

# redial_policy_deadline takes 4 bytes as signed in C++, too, by its qualified name, in a lambda, of
# a bit-field, and inside of extern "C", without a warning.
cat >"$build/deadline.cpp" <<'END'
extern "C" {
#include "redial.h"
}
static uint32_t limit(const struct redial_policy &policy) { return policy.max_elapsed_ms; }
int main()
{
    struct { uint32_t bits : 20; } field = { 7000 };
    uint32_t passed_ms = UINT32_MAX - 4;
    struct redial_policy a = REDIAL_POLICY_DEFAULT, b = a, c = a, d = a, e = a;
    redial_policy_deadline(&a, passed_ms);
    ::redial_policy_deadline(&b, passed_ms + 7005u);
    [&c](long long left_ms) { redial_policy_deadline(&c, left_ms); }(UINT32_MAX - 4LL);
    redial_policy_deadline(&d, field.bits);
    redial_policy_deadline(&e, static_cast<int64_t>(passed_ms));
    return !(limit(a) == 1 && limit(b) == 7000 && limit(c) == UINT32_MAX - 4 && limit(d) == 7000
             && limit(e) == UINT32_MAX - 4);
}
END
for compiler in 'g++ -Wuseless-cast' clang++; do
    for standard in c++11 c++20; do
        quietly $compiler -std=$standard $warnings -Iinclude -c "$build/deadline.cpp" \
            -o "$build/deadline.o"
        quietly gcc -Iinclude -c src/policy.c -o "$build/policy.o"
        quietly $compiler "$build/deadline.o" "$build/policy.o" -o "$build/deadline"
        "$build/deadline" || fail "$compiler $standard: redial_policy_deadline sets another limit"
    done
done

# A function of internal linkage could not be exported. clang knows modules from version 16 on.
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
