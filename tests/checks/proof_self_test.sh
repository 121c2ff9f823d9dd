#!/bin/bash
# Each broken copy of the library makes its proof fail (with REDIAL_CI: they are only made). A proof
# that does not exist fails, too.
# SPDX-License-Identifier: MIT
run=$(dirname "$0")/../proof/run
! "$run" no_such_proof 2>/dev/null || { echo 'a proof that is not there succeeds'; exit 1; }
exec "$run" --self-test
