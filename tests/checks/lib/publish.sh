# For checks that clone redial with git. Sourced after check.sh, never run. SPDX-License-Identifier: MIT

# publish: makes a git repository of these sources with the tag of a release. $address is its address.
publish() {
    address=file://$build/published
    mkdir "$build/published"
    cp -r --no-preserve=mode CMakeLists.txt LICENSE include src examples "$build/published"
    git_there init -q
    git_there add -A
    git_there commit -q -m "redial $version"
    git_there tag "v$version"
}

git_there() {
    quietly git -C "$build/published" -c user.name=check -c user.email=check@example.com -c commit.gpgsign=false "$@"
}
