#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck disable=SC1091,SC2016
# Checks that the manual page and the completion have every subcommand and option that the command itself lists, and
# that the page has every environment variable.
#   documented.sh LANECL
set -uo pipefail
lanecl=$1
folder=$(cd "$(dirname "$0")/../../tools/lanecl" && pwd)
page=$(sed 's/\\-/-/g' "$folder/lanecl.1")
status=0
check() { # WORD TEXT NAME
  grep -qwF -e "$1" <<<"$2" || { echo "$3 does not mention $1" && status=1; }
}

[ "$("$lanecl")" = "$("$lanecl" --help)" ] || { echo "lanecl alone does not show its help" && status=1; }
subcommands=$("$lanecl" --help | sed -n '/^S[Uu][Bb][Cc]/,$s/^  \([a-z]\+\) .*/\1/p')
[ -n "$subcommands" ] || { echo "lanecl --help lists no subcommand" && exit 1; }
for subcommand in $subcommands; do
  check "lanecl $subcommand" "$page" lanecl.1
  [ "$(COMP_WORDS=(lanecl "$subcommand") COMP_CWORD=1; source "$folder/completion.bash"; _lanecl; echo "${COMPREPLY[0]}")" = \
    "$subcommand" ] || { echo "the completion does not know $subcommand" && status=1; }
  options=$("$lanecl" "$subcommand" --help | grep -oE '^ +(-[a-z],)? *--[a-z-]+' | grep -oE -e '--[a-z-]+')
  [ -n "$options" ] || { echo "lanecl $subcommand --help lists no option" && status=1; }
  for option in $options; do
    check "$option" "$page" lanecl.1
    offered=$(COMP_WORDS=(lanecl "$subcommand" "$option") COMP_CWORD=2; source "$folder/completion.bash"; _lanecl
      printf '%s\n' "${COMPREPLY[@]}")
    check "$option" "$offered" "the completion of lanecl $subcommand"
  done
done
for name in $(grep -oE '"LANECL_[A-Z_]+"' "$folder/../../icd/include/icd/settings.def" | tr -d '"'); do
  check "$name" "$page" lanecl.1
done
if command -v man >/dev/null; then
  warnings=$(man --warnings -l "$folder/lanecl.1" 2>&1 >/dev/null)
  [ -z "$warnings" ] || { echo "$warnings" && status=1; }
fi
exit $status
