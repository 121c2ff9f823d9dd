#!/bin/bash
# The unit tests notice each small change of a source, where it or its tests have changed since its last score. This may
# take 9 minutes. What is not finished by then stays due. SPDX-License-Identifier: MIT
exec "$(dirname "$0")/../mutation/run" --changed --minutes 9
