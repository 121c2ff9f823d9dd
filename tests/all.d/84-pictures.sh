#!/bin/bash
# The pictures are well-formed XML.
. "$(dirname "$0")/../check.sh"
need libxml2-utils

xmllint --noout examples/pictures/*.svg
