#!/bin/bash
# A broken copy of the library fails the proof that is about it, and a proof that is not there is no success.
run=$(dirname "$0")/../proof/run
! "$run" no_such_proof 2>/dev/null || { echo 'a proof that is not there succeeds'; exit 1; }
exec "$run" --self-test
