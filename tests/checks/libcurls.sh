#!/bin/bash
# libcurl.sh with the libcurl of Debian 13 and of unstable. SPDX-License-Identifier: MIT
for suite in trixie sid; do
    "$(dirname "$0")/libcurl.sh" $suite || exit
done
