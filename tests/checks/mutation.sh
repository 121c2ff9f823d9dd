#!/bin/bash
# The unit tests notice each small change of every source that has changed, or whose tests have changed, since its last
# score. This stops after 9 minutes. The next run continues with the sources that are left. SPDX-License-Identifier: MIT
exec "$(dirname "$0")/../mutation/run" --changed --minutes 9
