#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# passes.sh LANECL-OPT: docs/passes.md names every pass of passes.def and no other, has the recipe's passes in the order
# in which they run, with the recipe's sentences, and names files that exist.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
pipeline=$root/vectorizer/src/pipeline
page=$root/docs/passes.md
status=0

# Prints what is in backticks in the first column of the tables.
rows=$(sed -n 's/^| \([^|]*\) |.*/\1/p' "$page")
listed=$(sed -n 's/^[A-Z]*_PASS("\([^"]*\)".*/\1/p' "$pipeline/passes.def" | sort)
documented=$(grep -o '`[^`]*`' <<<"$rows"; grep -o '`print<[a-z-]*>`' "$page")
if ! diff <(echo "$listed") <(tr -d '`' <<<"$documented" | sort); then
  echo 'passes.def (<) and docs/passes.md (>) name different passes' >&2
  status=1
fi

# The row of a pass that the recipe has in two places is that of the first one.
recipe=$("$1" --recipe | tail -n +3 | awk -F'`' '!seen[$2]++')
steps=$(sed -n 's/^\(| `[a-z-]*` | [^|]* |\).*/\1/p' "$page")
if ! diff <(echo "$recipe") <(echo "$steps"); then
  echo 'lanecl-opt --recipe (<) and docs/passes.md (>) say different things' >&2
  status=1
fi

for name in $(grep -oE '`[A-Za-z_/*]+\.(cpp|h)`' "$page" | tr -d '`'); do
  compgen -G "$root/vectorizer/src/$name" >/dev/null || compgen -G "$root/$name" >/dev/null ||
    { echo "docs/passes.md names $name, which does not exist" >&2; status=1; }
done
exit $status
