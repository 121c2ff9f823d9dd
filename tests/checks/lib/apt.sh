# Packages that are unpacked beside the system, not installed. Sourced, never run.
# SPDX-License-Identifier: MIT

# private_apt FOLDER SUITE TYPE: from here on apt-get keeps its state in FOLDER, and uses the mirror
# of the system. It knows only SUITE (deb or deb-src, as TYPE says), and no package counts as
# installed. It needs neither root nor a lock of the system: apt locks the folder of the status.
private_apt() {
    local folder=$1 mirror
    command -v apt-get >/dev/null || { echo 'it needs apt-get: Debian'; exit 77; }
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        grep -E '^(deb |URIs:)' |
        grep -oE '[a-z]+://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ')
    [ -n "$mirror" ] || { echo '/etc/apt names no mirror that ends in /debian'; exit 77; }
    mkdir -p "$folder"/{lists/partial,cache/archives/partial}
    : >"$folder/status"
    cat >"$folder/list.sources" <<END
Types: $3
URIs: $mirror
Suites: $2
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
    cat >"$folder/conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$folder";
Dir::State::Lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
APT::Sandbox::User "root";
END
    export APT_CONFIG=$folder/conf
    apt-get update -qq
}

# unpack SUITE PACKAGE FOLDER: unpacks the package and all that it needs, a C library too, in
# FOLDER.
unpack() (
    private_apt "$3/apt" "$1" deb
    apt-get install -qq -y --no-install-recommends --download-only "$2"
    for package in "$3"/apt/cache/archives/*.deb; do
        dpkg -x "$package" "$3"
    done
    rm -r "$3/apt"
)
