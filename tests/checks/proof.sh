#!/bin/bash
# The proofs by CBMC, none of them vacuous.
. "$(dirname "$0")/lib/check.sh"
need gcc libc6-dev z3 debian-archive-keyring ca-certificates

tests/proof/run
