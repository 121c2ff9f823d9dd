#!/bin/bash
# The proofs by CBMC, none of them vacuous.
exec "$(dirname "$0")/../proof/run"
