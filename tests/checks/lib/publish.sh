# For checks of what git clones. Sourced after check.sh, never run. SPDX-License-Identifier: MIT

# publish: a repository of these sources, tagged as a release is; $address is where, $version is the tag's. $made is a
# build folder whose REDIAL_ADDRESS that is.
publish() {
    version=$(sed -n 's/^#define REDIAL_VERSION_[A-Z]* //p' include/redial.h | paste -sd .)
    address=file://$build/published
    made=$build/made
    mkdir "$build/published"
    cp -r --no-preserve=mode CMakeLists.txt LICENSE include src examples "$build/published"
    git_there init -q
    git_there add -A
    git_there commit -q -m "redial $version"
    git_there tag "v$version"
    quietly cmake -S . -B "$made" -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF "-DREDIAL_ADDRESS=$address"
}

git_there() {
    quietly git -C "$build/published" -c user.name=check -c user.email=check@example.com -c commit.gpgsign=false "$@"
}
