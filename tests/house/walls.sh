#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks which room may include what. Fails with the offending lines.
set -uo pipefail
cd "$(dirname "$0")/../.."
status=0

forbid() { # FOLDER PATTERN MESSAGE [FILES]
  local found
  found=$(grep -rnE --include='*.cpp' --include='*.h' --include='*.hpp' --include='*.inc' --include='*.cl' \
    "#include *[<\"]($2)" "$1" ${4:+--exclude-dir="$4"}) || return 0
  printf '%s\n%s\n' "$3" "$found"
  status=1
}

forbid icd 'llvm/|clang/' 'icd includes neither LLVM nor Clang:'
forbid frontend 'CL/' 'frontend includes no OpenCL:'
forbid frontend 'clang/.*\.h' 'only the module that is loaded late includes Clang:' clang_module
forbid vectorizer 'CL/|clang/' 'vectorizer includes neither OpenCL nor Clang:'
forbid scheduler 'llvm/|clang/|CL/' 'scheduler includes neither LLVM, Clang nor OpenCL:'
for room in icd frontend vectorizer tools scheduler/include; do
  forbid $room '(oneapi/)?tbb/' "only scheduler's sources include oneTBB:"
done
forbid frontend/include 'llvm/|clang/' "frontend's public headers include no LLVM:"
forbid vectorizer/include 'llvm/' "vectorizer's public headers include no LLVM:"
forbid examples 'icd/|frontend/|vectorizer/|scheduler/|builtins/' 'examples include nothing of ours:'
forbid builtins/src 'std|c[a-z]+>|sys/' 'builtins include no host header:'

# Rooms know each other only through include/ROOM/.
for room in icd frontend vectorizer scheduler; do
  for other in icd frontend vectorizer scheduler; do
    [ "$room" = "$other" ] || forbid "$room" "(\.\./)*$other/src/" "$room looks into $other's private headers:"
  done
done

if grep -rn 'getenv' vectorizer scheduler frontend builtins --include='*.cpp' --include='*.h' | grep -v '^[^:]*:[0-9]*: *//'; then
  echo 'only icd reads the environment (icd/include/icd/settings.def):'
  status=1
fi

# There is one list of environment variables, and docs/settings.md names each of them.
for name in $(grep -oE '"LANECL_[A-Z_]+"' icd/include/icd/settings.def | tr -d '"'); do
  grep -q "\`$name\`" docs/settings.md || { echo "docs/settings.md does not mention $name"; status=1; }
done
# Files that these documents name must exist. A document writes a path, or names in the folder of the path before.
for page in ARCHITECTURE.md docs/source-map.md docs/decisions/*.md; do
  folder=.
  for name in $(grep -oE '`[A-Za-z_/.*-]+\.(cpp|h|hpp|def|cl|py)`' "$page" | tr -d '`'); do
    case $name in
    ROOM/*) continue ;;
    */*) folder=$(dirname "$name") ;;
    *) name=$folder/$name ;;
    esac
    compgen -G "$name" >/dev/null || compgen -G "*/include/$name" >/dev/null || compgen -G "vectorizer/$name" >/dev/null ||
      { echo "$page names $name, which does not exist"; status=1; }
  done
done
exit $status
