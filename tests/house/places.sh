#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# places.sh docs/PAGE.md checks that every place which the tables of a document name exists in vectorizer/src. Prints
# each with its line, and the files.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$1
cd "$root/vectorizer/src"

missing=0
# place NAME FILE… prints where the function is defined, or else where it is mentioned first.
place() {
  local name=$1 found
  shift
  found=$(grep -nHE "^( {2})?[A-Za-z][^;=]*\b$name\(.*[{,]\$" "$@" | head -1 || true)
  [ -n "$found" ] || found=$(grep -nHw -- "$name" "$@" | head -1 || true)
  if [ -n "$found" ]; then
    echo "$name  vectorizer/src/$(cut -d: -f1,2 <<<"$found")"
  else
    echo "$page names $name, which is not in $*" >&2
    missing=1
  fi
}

files=()
folder=
while IFS= read -r column; do
  named=()
  names=()
  while IFS= read -r token; do
    case $token in
    *.cpp | *.h)
      # A name without a folder is in the folder of the name before it, or in no folder.
      [[ $token != */* ]] || folder=${token%/*}
      found=($(compgen -G "$folder/${token##*/}" || compgen -G "$token" || true))
      if [ ${#found[@]} -eq 0 ]; then
        echo "$page names $token, which does not exist" >&2
        missing=1
      fi
      named+=("${found[@]}")
      ;;
    *) names+=("$token") ;;
    esac
  done < <(grep -o '`[^`]*`' <<<"$column" | tr -d '`')
  # A row that begins with a dash refers to the files of the row above.
  [ ${#named[@]} -eq 0 ] || files=("${named[@]}")
  for name in "${names[@]}"; do
    place "$name" "${files[@]}"
  done
  [ ${#named[@]} -eq 0 ] || printf 'vectorizer/src/%s\n' "${named[@]}"
done < <(sed -n 's/^| \([`–][^|]*\)|.*/\1/p' "$root/$page")
exit $missing
