#!/bin/bash
# packages.sh WAY: a user gets redial in this way, builds a program with it, and that works. The ways are the functions
# below whose names begin with way_. SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib/check.sh"

# consumer NAME OPTION...: builds and runs the project of tests/checks/consumers
consumer() {
    quietly cmake -S tests/checks/consumers -B "$build/$1" "${@:2}"
    quietly cmake --build "$build/$1"
    consumer_works "$1" "$build/$1/consumer"
}

# refused MESSAGE OPTION...: CMake refuses the project with this message
refused() {
    rm -rf "$build/refused"
    ! cmake -S tests/checks/consumers -B "$build/refused" "${@:2}" >"$build/log" 2>&1 || fail "accepted: ${*:2}"
    grep -q "$1" "$build/log" || { cat "$build/log"; fail "refused, but without '$1': ${*:2}"; }
}

# through_pkg_config NAME PREFIX LIBDIR [static]
through_pkg_config() {
    export PKG_CONFIG_PATH=$2/$3/pkgconfig
    [ "$(pkg-config --modversion redial)" = "$version" ] || fail "$1: its version is not $version"
    quietly gcc ${4:+-static} tests/checks/consumers/main.c $(pkg-config ${4:+--static} --cflags --libs redial) \
        -o "$build/program"
    consumer_works "$1, pkg-config" env LD_LIBRARY_PATH="$2/$3" "$build/program"
}

# needs FILE: prints the libraries of redial that a program needs
needs() {
    readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(libredial.*\)\]/\1/p'
}

# same_symbols OURS OTHERS
same_symbols() {
    diff <(symbols "$1") <(symbols "$2") || fail "these symbols are only in CMake's library (<) or in $2 (>)"
}

# has_lines FILE LINE...: the file has these lines, which are regular expressions
has_lines() {
    local line
    for line in "${@:2}"; do
        grep -qxE "$line" "$1" || fail "$(basename "$1") lacks $line"
    done
}

# Makes a git repository of these sources with the tag of a release. $address is its address.
publish() {
    address=file://$build/published
    mkdir "$build/published"
    cp -r --no-preserve=mode CMakeLists.txt LICENSE include src examples "$build/published"
    quietly bash -ec 'cd "$0"; git init -q; git add -A
        git -c user.name=check -c user.email=check@example.com -c commit.gpgsign=false commit -q -m redial
        git tag "$1"' \
        "$build/published" "v$version"
}

# ---- CMake and pkg-config: installed trees that were moved ----

# installed KIND SHARED LIBDIR INCLUDEDIR: installs version 3.2.1, and moves the tree to $build/moved
installed() {
    quietly cmake -S "$build/source" -B "$build/$1" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF -DBUILD_SHARED_LIBS="$2" \
        -DCMAKE_INSTALL_PREFIX=/nowhere -DCMAKE_INSTALL_LIBDIR="$3" -DCMAKE_INSTALL_INCLUDEDIR="$4"
    quietly cmake --build "$build/$1"
    quietly cmake --install "$build/$1" --prefix "$build/first"
    rm -rf "$build/moved"
    mv "$build/first" "$build/moved"
    ! grep -rlF "$build" "$build/moved" || fail "$1: these files name the folder of the build or of the install"
    ls "$build/moved"/share/man/man{1/redial.1,3/redial.3,3/redial_run.3} >/dev/null
    [ "$("$build/moved/bin/redial" --version)" = "redial $version" ] || fail "$1: the program redial does not run"
    consumer "$1, find_package" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/moved" -DWANTED_VERSION=3.1
    for wanted in 2.2 3.3 4; do
        refused "version: $version" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/moved" -DWANTED_VERSION=$wanted
    done
    through_pkg_config "$1" "$build/moved" "$3" "${5-}"
}

way_installed() {
    need gcc g++ libc6-dev cmake make ninja-build pkgconf binutils dpkg-dev file
    local own=$version part minor wanted
    mkdir "$build/source"
    cp -r CMakeLists.txt LICENSE examples include src "$build/source"
    chmod -R u+w "$build/source"   # ours may be read-only
    for part in 'MAJOR 3' 'MINOR 2' 'PATCH 1'; do   # only the header contains the version
        sed -i "s/^\(#define REDIAL_VERSION_${part% *}\) .*/\1 ${part#* }/" "$build/source/include/redial.h"
    done
    version=3.2.1
    installed static OFF lib include static
    installed shared ON "lib/$(gcc -print-multiarch)" include/redial
    [ "$(needs "$build/program")" = libredial.so.3 ] || fail 'shared: the program does not need libredial.so.3'
    ls "$build/moved/lib/$(gcc -print-multiarch)"/libredial.so{,.3,.3.2.1} >/dev/null

    # Before 1.0 a minor version may change everything.
    version=$own
    library "$build/own" all -DCMAKE_INSTALL_PREFIX=/nowhere
    quietly cmake --install "$build/own" --prefix "$build/own tree"
    [ -z "$(find "$build/own tree" -name '*.so*')" ] || fail 'static: it installs a shared library'
    if [[ $own = 0.* ]]; then
        minor=$(cut -d . -f 2 <<<"$own")
        consumer '0.x' -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/own tree" -DWANTED_VERSION="0.$minor"
        for wanted in $((minor - 1)) $((minor + 1)); do
            refused "version: $own" -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/own tree" \
                -DWANTED_VERSION="0.$wanted"
        done
    fi
    refused 'There is a redial already' -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/own tree" -DREDIAL="$PWD" \
        -DTWICE=ON

    # A library folder with another name, and then a prefix that differs from the configured one.
    library "$build/absolute" all -DCMAKE_INSTALL_PREFIX=/nowhere -DCMAKE_INSTALL_LIBDIR="$build/absolute lib"
    quietly cmake --install "$build/absolute" --prefix "$build/elsewhere"
    has_lines "$build/absolute lib/pkgconfig/redial.pc" "prefix=$build/elsewhere" 'includedir=\$\{prefix\}/include' \
        "libdir=$build/absolute lib"

    # Exceptions and the cancellation of a thread pass through it. On x86-64 the unwind tables exist in any case.
    library "$build/unwinding" all -DCMAKE_C_FLAGS='-O2 -fno-asynchronous-unwind-tables'
    g++ -Iinclude tests/checks/consumers/throws.cpp "$build/unwinding/libredial.a" -lpthread -o "$build/throws"
    [ "$("$build/throws" 2>&1 | paste -sd ' ')" = 'left thrown left' ] || fail 'no exception passes through'

    library "$build/unity" all -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
    library "$build/several" all -G 'Ninja Multi-Config'
    (cd "$build/several" && quietly cpack -G DEB -C Release)
    echo 'set(CMAKE_VERSION 3.18.4)' >"$build/old.cmake"
    quietly cmake -S . -B "$build/old" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF \
        -DCMAKE_PROJECT_REDIAL_INCLUDE="$build/old.cmake"
    grep -q 'Left out: the Debian packages' "$build/log" || fail 'CMake 3.18 cannot make the Debian packages'
    echo 'exceptions, a unity build, several configurations: work'
}

# ---- CMake: a part of the project ----

# entries NAME: prints the names of the entries in the CMake cache of NAME
entries() {
    sed -n 's/^\([A-Za-z_][^:=]*\):.*/\1/p' "$build/$1/CMakeCache.txt" | sort
}

# part WAY WITHOUT: compares the project with the same project WITHOUT redial
part() {
    local common=("-DREDIAL=$PWD" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON) foreign
    quietly cmake -S tests/checks/consumers -B "$build/without $1" -DWAY="$2" "${common[@]}"
    consumer "$1" -DWAY="$1" "${common[@]}"
    foreign=$(comm -13 <(entries "without $1") <(entries "$1") | grep -vE '^(FETCHCONTENT_[A-Z_]+_REDIAL$|REDIAL_)') &&
        fail "$1: in the cache: $foreign"
    ctest --test-dir "$build/$1" -N | grep -qx 'Total Tests: 0' || fail "$1: it adds tests"
    quietly cmake --install "$build/$1" --prefix "$build/empty"
    [ ! -e "$build/empty" ] || fail "$1: it installs $(find "$build/empty")"
    grep -q 'src/delay\.c' "$build/$1/compile_commands.json" || fail "$1: compile_commands.json lacks src/delay.c"
    ! grep -E '"command".* -(W|pedantic)' "$build/$1/compile_commands.json" || fail "$1: it adds warning flags"
}

way_part() {
    need gcc libc6-dev cmake make
    local into=(-DWAY=add_subdirectory "-DREDIAL=$PWD")
    part add_subdirectory none
    part FetchContent FetchContent_not_made

    # A compiler that makes position-independent code by itself would not tell whether we ask for it.
    consumer embedded "${into[@]}" -DEMBED=ON -DCMAKE_C_FLAGS=-fno-pie -DCMAKE_EXE_LINKER_FLAGS=-no-pie
    quietly cmake --install "$build/embedded" --prefix "$build/embedding"
    [ -f "$build/embedding/lib/cmake/embedding/embedding.cmake" ] || fail 'embedded: nothing is exported'
    refused 'There is a redial already' "${into[@]}" -DTWICE=ON

    # A project that sets REDIAL_INSTALL gets the installation, and may export its own targets from its build.
    consumer 'with redial' "${into[@]}" -DINSTALL=ON
    quietly cmake --install "$build/with redial" --prefix "$build/with"
    consumer 'installed with the project' -DWAY=find_package -DCMAKE_PREFIX_PATH="$build/with"
}

# ---- packages of systems ----

# The Debian packages: lintian finds no error, they install, programs link to them in every way, and nothing is left.
way_deb() {
    need gcc libc6-dev cmake make dpkg-dev lintian pkgconf file
    [ "$(id -u)" = 0 ] || skip 'it installs packages, and so must be root'
    local runtime=libredial${version%.*} options name left kind   # before 1.0 the SONAME has the minor version
    [ "${version%%.*}" = 0 ] || runtime=libredial${version%%.*}
    local names="$runtime libredial-dev redial"
    ! dpkg-query -W $names >/dev/null 2>&1 || skip "$names: one is installed already; dpkg --purge it first"
    for options in -DBUILD_SHARED_LIBS=OFF '-DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr'; do
        rm -rf "$build/cmake"
        (
            umask 077   # it must not affect their files
            library "$build/cmake" redial -DCMAKE_BUILD_TYPE=Release $options
            cd "$build/cmake"
            quietly cpack -G DEB
        )
        chmod 755 "$build" "$build/cmake"   # apt reads them as somebody else
        quietly lintian --allow-root --fail-on error "$build"/cmake/*.deb
        cat "$build/log"   # its warnings are for a reader to judge
    done
    for name in $names; do
        ! dpkg-deb -c "$build/cmake/${name}"_*.deb | grep '^d' | grep -v '^drwxr-xr-x' || fail "$name: private folders"
        dpkg-deb --fsys-tarfile "$build/cmake/${name}"_*.deb | tar -t | sed -n 's/^\.//; /[^/]$/p' >"$build/$name"
    done
    (cd "$build" && cat $names) >"$build/files"
    for name in libredial.so.${runtime#libredial} libredial.a redial.h redial_fake.h redial_curl.h redial.3.gz \
                redial.pc bin/redial redial.1.gz copyright changelog.Debian.gz; do
        grep -q "/$name$" "$build/files" || fail "the packages lack $name"
    done
    ! grep -vE '/libredial\.so\.|/share/doc/' "$build/$runtime" || fail "$runtime has what is for developers"
    [ "$(for name in $names; do dpkg-deb -f "$build/cmake/${name}"_*.deb Depends; done | sed 's/>= [0-9.]*/N/')" = \
        "libc6 (N)
$runtime (= $version-1), libc6-dev
libc6 (N)" ] || fail 'the packages depend on something else than redial and libc'

    trap "apt_get purge -y $names >/dev/null 2>&1 || true; rm -rf '$build'" EXIT
    quietly apt_get install -y --no-install-recommends "$build"/cmake/*.deb
    gcc tests/checks/consumers/main.c -o "$build/program" -lredial
    consumer_works 'gcc -lredial' "$build/program"
    [ -n "$(needs "$build/program")" ] || fail 'it is not linked to the shared library'
    gcc -static tests/checks/consumers/main.c -o "$build/program" -lredial
    consumer_works 'gcc -static -lredial' "$build/program"
    through_pkg_config deb /usr lib/none
    for kind in ON/1 OFF/0; do
        consumer "BUILD_SHARED_LIBS=${kind%/*}" -DWAY=find_package -DBUILD_SHARED_LIBS="${kind%/*}"
        [ "$(needs "$build/BUILD_SHARED_LIBS=${kind%/*}/consumer" | wc -l)" = "${kind#*/}" ] || fail 'the other kind'
    done
    [ "$(redial -- echo works)" = works ] || fail 'redial does not run a program'
    [ -z "$(needs "$(command -v redial)")" ] || fail 'redial needs the shared library'

    quietly apt_get purge -y $names
    left=$({ cat "$build/files"; sed 's|/[^/]*$||' "$build/files" | grep redial; } | sort -u | while read -r name; do
        [ ! -e "$name" ] || echo "$name"
    done)
    [ -z "$left" ] || fail "left behind: $left"
    ! ldconfig -p | grep libredial || fail 'ldconfig still knows it'
    echo 'removed: nothing is left'
}

# makepkg makes a package from a tagged repository, as a user who is not root. pacman installs it into a folder.
way_pacman() {
    need git cmake make gcc libc6-dev makepkg pacman-package-manager pkgconf libarchive-tools zstd file
    local anybody=() root=$build/root
    publish
    library "$build/made" pkgbuild "-DREDIAL_ADDRESS=$address"
    mkdir -p "$build/home" "$root/var/lib/pacman" "$build/cache"
    cp "$build/made/pkgbuild/PKGBUILD" "$build/home"
    if [ "$(id -u)" = 0 ]; then
        anybody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
        chmod 755 "$build"
        chown -R nobody "$build/home"
    fi
    # The user does not own the repository, so git trusts it only because of its configuration. -d skips the
    # dependencies, which have Arch's names.
    printf '[safe]\n\tdirectory = *\n' >"$build/home/.gitconfig"
    quietly "${anybody[@]}" env HOME="$build/home" PACKAGER='check <check@example.com>' PKGDEST="$build/home" \
        bash -c 'cd "$HOME" && makepkg -d --nocolor PKGEXT=.pkg.tar.zst'
    [ "$(id -u)" = 0 ] || skip 'pacman installs as root alone; the package was made'

    # Without CheckSpace, which needs a list of the mounted file systems: a container may have none.
    printf '[options]\nLocalFileSigLevel = Optional\n' >"$build/pacman.conf"
    local in_root=(pacman --config "$build/pacman.conf" --root "$root" --cachedir "$build/cache"
                   --logfile "$build/pacman.log" --noconfirm)
    quietly "${in_root[@]}" -U -dd "$build/home/redial-$version"-1-*.pkg.tar.zst
    [ "$("${in_root[@]}" -Q redial)" = "redial $version-1" ] || fail 'pacman does not know it'
    ls "$root"/usr/share/man/man3/redial.3* "$root/usr/share/licenses/redial/LICENSE" >/dev/null
    through_pkg_config pacman "$root/usr" lib
    [ -L "$root/usr/lib/libredial.so" ] || fail 'no libredial.so to link to'
    quietly "${in_root[@]}" -R redial
    [ -z "$(find "$root" -name '*redial*')" ] || fail "left behind: $(find "$root" -name '*redial*')"
}

# ---- other ways to build ----

# meson_project NAME KIND RUN_BY OPTION...: RUN_BY may be empty
meson_project() {
    local folder=$build/$1 file
    quietly meson setup "$folder" "$build/project" --wrap-mode=forcefallback --default-library="$2" \
        -Dredial:werror=true "${@:4}"   # forced: not a redial that is installed here
    grep -q "Message: redial is $version\.$" "$build/log" || fail "$1: not version $version"
    quietly meson compile -C "$folder"
    consumer_works "$1" $3 "$folder/consumer"
    [ "$(needs "$folder/consumer")" = "$([ "$2" = static ] || needs "$build/program")" ] || fail "$1: the other kind"
    DESTDIR=$folder/root quietly meson install -C "$folder"
    for file in libredial.a libredial.so; do
        case $2$file in static*.so | shared*.a) continue ;; esac
        same_symbols "$build/made/$file" "$folder/subprojects/redial/$file"
        [ "$(find "$folder/root" -name 'redial*.h' -o -name "$file" | wc -l)" = 4 ] || fail "$1: not all is installed"
    done
    [ "$2" != both ] || ! readelf -sW "$folder/subprojects/redial/libredial.a" |
        grep 'GLOBAL *DEFAULT *[0-9][0-9]* redial_' || fail "$1: the static library exports its functions"
}

way_meson() {
    need git cmake make gcc libc6-dev meson ninja-build binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    publish
    library "$build/made" 'meson redial redial_shared' "-DREDIAL_ADDRESS=$address"
    gcc -Iinclude tests/checks/consumers/main.c "$build/made/libredial.so" -o "$build/program"
    mkdir "$build/project"
    cp tests/checks/consumers/main.c tests/checks/consumers/meson.build "$build/project"
    cp -r "$build/made/meson" "$build/project/subprojects"
    printf "%s\n" '[binaries]' "c = 'aarch64-linux-gnu-gcc'" "ar = 'aarch64-linux-gnu-ar'" '[host_machine]' \
        "system = 'linux'" "cpu_family = 'aarch64'" "cpu = 'aarch64'" "endian = 'little'" >"$build/aarch64.ini"
    meson_project static static ''
    meson_project shared shared '' -Dunity=on   # the project uses unity builds, and redial does not
    meson_project both both ''
    meson_project aarch64 both 'qemu-aarch64 -L /usr/aarch64-linux-gnu' --cross-file "$build/aarch64.ini"
}

# The library for Arduino, installed from its zip. Arduino's own builder compiles the sketch for an Uno, and the sketch
# runs in simavr against the modem of modem.c.
way_arduino() {
    need cmake make gcc libc6-dev arduino-builder arduino-core-avr libsimavr-dev
    local installed=$build/libraries/redial
    library "$build/cmake" arduino -DREDIAL_ADDRESS=https://example.com/here
    mkdir "$build/libraries" "$build/tools" "$build/sketch"
    (cd "$build/libraries" && quietly cmake -E tar xf "$build/cmake/arduino/redial-$version.zip")
    # What Arduino's library specification asks for. Communication is one of its categories.
    has_lines "$installed/library.properties" name=redial "version=$version" 'author=.+' 'maintainer=.+' 'sentence=.+' \
        'paragraph=.+' category=Communication url=https://example.com/here 'architectures=\*' includes=redial.h
    [ "$(cd "$installed" && echo src/*.h LICENSE*)" = 'src/redial.h src/redial_fake.h LICENSE' ] ||
        fail 'the zip lacks the LICENSE, or all sketches see other headers than redial.h and redial_fake.h'

    # Debian 12's Arduino core needs a macro for which its compiler has only another name.
    quietly arduino-builder -compile -fqbn arduino:avr:uno -warnings all -build-path "$build/sketch" \
        -tools "$build/tools" -hardware /usr/share/arduino/hardware -hardware /usr/share/arduino-builder \
        -libraries "$build/libraries" -prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ \
        "$installed/examples/sensor/sensor.ino"
    ! grep -E '(libraries/redial|sensor\.ino).*warning' "$build/log" || exit 1
    grep -E 'bytes \(.*Maximum' "$build/log"
    awk '/^Sketch uses/ { flash = $3 } /^Global variables use/ { ram = $4 }
         END { exit !(flash > 10500 && flash < 11500 && ram > 750 && ram < 850) }' "$build/log" ||
        fail 'examples/README.md says 11 KB, and 0.8 KB of RAM'
    gcc -std=gnu11 -O2 $warnings -Wno-cast-qual tests/checks/arduino/modem.c -lsimavr -o "$build/modem"
    timeout 600 "$build/modem" "$build/sketch/sensor.ino.elf" 2>"$build/log" || { cat "$build/log"; exit 1; }
}

# ports OPTION...: builds the program port in a stub of ESP-IDF or Zephyr, and compares the library with CMake's
ports() {
    quietly cmake -S tests/checks/ports -B "$build/port" "$@"
    quietly cmake --build "$build/port"
    same_symbols "$build/cmake/libredial.a" "$build/port/redial/libredial.a"
    timeout 60 "$build/port/port"
}

# In a stub of ESP-IDF, the component's script gets the requirements, its build gets all sources, and its port does what
# redial.h promises of redial_system. It has not run on a device.
way_esp_idf() {
    need cmake make gcc libc6-dev binutils
    local component=$build/cmake/esp_idf/redial
    library "$build/cmake" 'esp_idf redial' -DREDIAL_ADDRESS=https://example.com/here
    has_lines "$component/idf_component.yml" "version: \"$version\"" 'description: .+' 'url: https://example.com/here' \
        'license: MIT' '  idf: ">=5.0"'
    [ "$(cmake -DREDIAL="$component" -P tests/checks/ports/CMakeLists.txt 2>&1)" = \
        'requires:  esp_hw_support;esp_timer' ] || fail 'ESP-IDF gets other requirements'
    ports -DREDIAL="$component"
    ! nm -u "$build/port/redial/libredial.a" | grep -E 'clock_|nanosleep|pthread|syscall' ||
        fail 'it has the sources for POSIX'
}

# module OPTION...: what the module makes of these options of Zephyr. (Debian's packages are for /usr/bin/python3.)
module() {
    quietly /usr/bin/python3 tests/checks/ports/zephyr.py "$PWD/src/package" "$build/module.cmake" "$@"
}

# In a stub of Zephyr, kconfiglib reads the module's options, they select the right sources, and so on as for ESP-IDF.
way_zephyr() {
    need cmake make gcc libc6-dev binutils python3-kconfiglib python3-yaml
    local option
    library "$build/cmake" redial
    module REDIAL_RUN
    has_lines "$build/module.cmake" 'set\(CONFIG_REDIAL_RUN n\)'   # without REDIAL
    for option in '' REDIAL; do
        module $option
        rm -rf "$build/port"
        quietly cmake -S tests/checks/ports -B "$build/port" -DMODULE="$build/module.cmake"
        quietly cmake --build "$build/port"
        [ "$([ ! -e "$build/port/redial/libredial.a" ] || symbols "$build/port/redial/libredial.a" |
            grep -xE 'redial_(next|run|loop_next|system)')" = "${option:+redial_next}" ] ||
            fail "with the options '$option' it has other functions"
    done
    module REDIAL REDIAL_RUN
    has_lines "$build/module.cmake" 'set\(CONFIG_ENTROPY_GENERATOR y\)'
    ports -DMODULE="$build/module.cmake"
}

"way_$1"
