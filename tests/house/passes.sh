#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# docs/passes.md names every pass of passes.def and no other, has the passes of pipeline.cpp in the order in which they
# run, and names files that exist.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
pipeline=$root/vectorizer/src/pipeline
page=$root/docs/passes.md
status=0

# The first column of the tables, and what of it is in backticks.
rows=$(sed -n 's/^| \([^|]*\) |.*/\1/p' "$page")
listed=$(sed -n 's/^[A-Z]*_PASS("\([^"]*\)".*/\1/p' "$pipeline/passes.def" | sort)
documented=$(grep -o '`[^`]*`' <<<"$rows"; grep -o '`print<[a-z]*>`' "$page")
if ! diff <(echo "$listed") <(tr -d '`' <<<"$documented" | sort); then
  echo 'passes.def (<) and docs/passes.md (>) name different passes' >&2
  status=1
fi

# A pass that the pipeline may run in two places has the row of the first one.
runs=$(sed -n 's/^ *add("\([a-z-]*\)");/\1/p' "$pipeline/pipeline.cpp" | awk '!seen[$0]++')
steps=$(sed -n 's/^`\([a-z-]*\)`$/\1/p' <<<"$rows")
if ! diff <(echo "$runs") <(echo "$steps"); then
  echo 'pipeline.cpp (<) runs the passes in another order than docs/passes.md (>) has them' >&2
  status=1
fi

for name in $(grep -oE '`[A-Za-z_/*]+\.(cpp|h)`' "$page" | tr -d '`'); do
  compgen -G "$root/vectorizer/src/$name" >/dev/null || compgen -G "$root/$name" >/dev/null ||
    { echo "docs/passes.md names $name, which does not exist" >&2; status=1; }
done
exit $status
