# Is redial_curl.h quiet in a user's build? Sourced after check.sh. SPDX-License-Identifier: MIT

# user_of_curl VERSION: prints a program that takes libcurl for VERSION, if that is not empty
user_of_curl() {
    echo '#include <curl/curl.h>'
    [ -z "$1" ] || printf '#undef LIBCURL_VERSION_NUM\n#define LIBCURL_VERSION_NUM %s\n' "$1"
    cat <<'END'
#include "redial_curl.h"
struct redial_outcome of(CURL *curl, CURLcode result, const char *method);
struct redial_outcome of(CURL *curl, CURLcode result, const char *method)
{
    return method ? redial_curl(curl, result, method) : redial_curl_perform(curl, 9, 0);
}
END
}

# curl_header_is_quiet OPTION...: the options say where libcurl's headers are. It is compiled as it
# is, and as with libcurl 7.61.
curl_header_is_quiet() {
    local version compiler standard
    local -A standards=([c]='c99 c11 c17 c2x' [c++]='c++11 c++14 c++17 c++20 c++2b')
    for version in '' 0x073d00; do
        user_of_curl "$version" >"$build/user"
        for compiler in 'gcc -x c' 'clang -x c' 'g++ -x c++' 'clang++ -x c++'; do
            for standard in ${standards[${compiler##* }]}; do
                quietly $compiler -std=$standard -O2 -Wall -Wextra -Wpedantic -Wconversion \
                    -Wswitch-enum -Wshadow -Werror -Iinclude "$@" \
                    -c "$build/user" -o "$build/user.o"
            done
        done
    done
    echo 'redial_curl.h is quiet in C99 to C23 and in C++11 to C++23'
}
