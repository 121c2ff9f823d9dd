#!/bin/bash
# ./examples/run and ./tests/run use the compiler that each run names, and say so if packages are
# missing and there is no network, on every system that they know. If no test ran, tests/run fails.
# A check that is run by hand installs and downloads nothing. Without cmocka, CMake leaves out the
# tests, and says what to install. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"
need gcc clang libc6-dev cmake make libcmocka-dev libuv1-dev libcurl4-openssl-dev ca-certificates

export REDIAL_BUILD=$build
unset REDIAL_CI   # with it, what is skipped is a failure

# A cmake that configures, and does not build.
mkdir "$build/configures"
cat >"$build/configures/cmake" <<END
#!/bin/sh
[ "\$1" != --build ] && exec $(command -v cmake) "\$@"
END
chmod +x "$build/configures/cmake"
for compiler in gcc clang gcc; do
    for script in examples/run tests/run; do
        ! CC=$compiler PATH=$build/configures:$PATH $script >"$build/log" 2>&1 ||
            fail "$script works without a build"
        folder=$build/$([ $script = tests/run ] && echo tests || echo quickstart)
        used=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$folder/CMakeCache.txt")
        [ "$(basename "$used")" = $compiler ] || fail "CC=$compiler $script used $used"
    done
done

# ends STATUS WITH_CI LAST EXIT_STATUS...: in a project whose tests have these exit statuses,
# tests/run and --all end with STATUS, --ci ends with WITH_CI, and all with the line LAST.
mkdir -p "$build/clone/tests"
cp tests/run tests/install.sh "$build/clone/tests"
cat >"$build/clone/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(clone NONE)
enable_testing()
message(STATUS "Left out: a program")
foreach(status $ENV{STATUSES})
  add_test(NAME test_${status} COMMAND sh -c "exit ${status}")
  set_tests_properties(test_${status} PROPERTIES LABELS quick SKIP_RETURN_CODE 77)
endforeach()
END
ends() {
    local option status
    for option in '' --all --ci; do
        status=0
        STATUSES=$(IFS=';'; echo "${*:4}") REDIAL_BUILD=$build/cloned "$build/clone/tests/run" \
            $option >"$build/log" 2>&1 || status=$?
        [ $status = "$([ "$option" = --ci ] && echo "$2" || echo "$1")" ] &&
            [ "$(tail -n 2 "$build/log")" = $'Left out: a program\n'"$3" ] ||
            fail "tests/run $option, tests that end with ${*:4}: $status, $(cat "$build/log")"
    done
}
ends 0 0 '2 passed, 0 failed' 0 00
ends 1 1 '1 passed, 1 failed' 0 1
ends 0 1 '1 passed, 0 failed, 1 skipped' 0 77
ends 1 1 '1 passed, 1 failed, 1 skipped' 0 1 77
ends 1 1 '0 passed, 0 failed'

# Without cmocka.
plain() {   # OPTION...
    cmake -S . -B "$build/plain" -DREDIAL_EXAMPLES=OFF -DCMAKE_FIND_ROOT_PATH=/nowhere \
        -DCMAKE_FIND_ROOT_PATH_MODE_{INCLUDE,LIBRARY}=ONLY "$@" >"$build/log" 2>&1
}
names() {   # WORD...: the log has these words
    local word
    for word in "$@"; do
        grep -qF -e " $word" "$build/log" || fail "CMake names no $word: $(cat "$build/log")"
    done
}
packages=$(sed -n 's/^cmocka *cmocka.h//p' <<<"$components")
for _ in 1 2; do   # the second time, REDIAL_TESTS is in the cache
    plain || fail "without cmocka CMake fails: $(cat "$build/log")"
    names 'Left out: the tests' $packages
done
! plain -DREDIAL_TESTS=ON || fail 'with -DREDIAL_TESTS=ON CMake misses no cmocka'
names $packages -DREDIAL_TESTS={OFF,self}
plain -DREDIAL_TESTS=self && plain -DREDIAL_TESTS=OFF || fail "not even so: $(cat "$build/log")"

# A system without any package, on which nobody may install one.
mkdir "$build/bare"
for name in apt-get npm dpkg-query; do
    printf '#!/bin/sh\n[ %s = dpkg-query ] || echo "$0 $*" >>%q/called\nexit 1\n' $name "$build" \
        >"$build/bare/$name"
    chmod +x "$build/bare/$name"
done
bare() {   # COMMAND...: it is skipped, and its last line says what to install
    local status=0
    REDIAL_BUILD=$build/empty PATH=$build/bare:$PATH "$@" >"$build/said" 2>&1 || status=$?
    [ $status = 77 ] &&
        tail -n 1 "$build/said" | grep -qE '^missing; (as root: apt-get install|fetch) [a-z]'
}
for check in $(ls tests/checks/*.sh | grep -vE '/(docs|scripts)\.sh') \
    'tests/examples/get-program build/empty/none redis-server no-redis-server'; do
    bare env -u REDIAL_GET_PACKAGES $check ||
        fail "without packages, $check ends not as skipped: $(cat "$build/said")"
done
[ ! -e "$build/called" ] || fail "installed by hand: $(cat "$build/called")"
! bare env REDIAL_GET_PACKAGES=yes tests/checks/fuzz.sh && [ -e "$build/called" ] ||
    fail 'a check that may install packages does not'

[ "$(id -u)" = 0 ] || skip 'the scripts install packages as root alone; the compilers have passed'

# A system without compiler, cmake and package manager. /bin may be another folder.
mkdir "$build/tools" "$build/bin"
ln -s /bin/* /usr/bin/* "$build/tools" 2>/dev/null || true
rm "$build/tools"/{cmake,apt-get}

# on MANAGER SAID...: where this package manager prints what comes on stdin, and fails, both scripts
# print a line with each SAID, and nothing else.
on() {
    local manager=$1 script text
    shift
    { echo '#!/bin/sh' && echo 'cat <<END' && cat && echo END &&
        echo 'case " $* " in *" update "*) ;; *) exit 1 ;; esac'; } >"$build/bin/$manager"
    chmod +x "$build/bin/$manager"
    for script in examples/run tests/run; do
        ! CC=/none PATH=$build/bin:$build/tools $script >"$build/said" 2>&1 ||
            fail "$script works without a compiler"
        for text in "$@"; do
            grep -qF -e "$text" "$build/said" ||
                fail "$manager: $script does not say '$text' but: $(cat "$build/said")"
        done
        [ "$(wc -l <"$build/said")" = $# ] ||
            fail "$manager: $script says not $# lines but: $(cat "$build/said")"
    done
    rm "$build/bin/$manager"
}

offline="No network, or no answer from the package index: these packages can't be installed:"
on apt-get 'Installing gcc libc6-dev' "$offline gcc libc6-dev cmake" <<'END'
Err:1 http://deb.debian.org/debian bookworm InRelease
  Temporary failure resolving 'deb.debian.org'
W: Some index files failed to download. They have been ignored, or old ones used instead.
E: Unable to locate package cmake
END
on apk 'Installing gcc musl-dev' "$offline gcc musl-dev cmake" <<'END'
WARNING: fetching https://dl-cdn.alpinelinux.org/alpine/v3.24/main/x86_64/APKINDEX.tar.gz: DNS: \
transient error (try again later)
END
on apk 'Installing gcc musl-dev' "$offline gcc musl-dev cmake" <<'END'
WARNING: updating and opening https://dl-cdn.alpinelinux.org/alpine/v3.21/main: temporary error \
(try again later)
END
on dnf 'Installing gcc glibc-devel' "$offline gcc glibc-devel cmake" <<'END'
Error: Failed to download metadata for repo 'fedora': Cannot prepare internal mirrorlist: Curl \
error (6): Couldn't resolve host name for https://mirrors.fedoraproject.org/metalink?repo=fedora-40
Error: Unable to find a match: cmake
END
on pkg 'Installing cmake' "$offline cmake" <<'END'
pkg: An error occured while fetching package: No error
Unable to update repository FreeBSD
END
on pkg 'Installing cmake' "$offline cmake" <<'END'   # before its first package
pkg: Error fetching http://pkg.FreeBSD.org/FreeBSD:14:amd64/latest/Latest/pkg.txz: No address record
END
on brew 'Missing: cc cmake' 'Run this' xcode-select 'brew install cmake' </dev/null
on apt-get 'Installing gcc' 'apt-get' 'E: ' 'apt-get' 'E: ' "These packages can't be" <<'END'
E: You don't have enough free space in /var/cache/apt/archives/.
END
echo 'the compiler of each run; no cmocka; no package; no network: works'
