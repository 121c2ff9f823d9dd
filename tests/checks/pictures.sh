#!/bin/bash
# The pictures are well-formed XML.
. "$(dirname "$0")/lib/check.sh"
need libxml2-utils

xmllint --noout examples/fleet/pictures/*.svg
