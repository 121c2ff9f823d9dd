#!/bin/bash
# A broken copy of the library fails the proof that is about it.
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev z3 debian-archive-keyring ca-certificates

tests/proof/run --self-test
