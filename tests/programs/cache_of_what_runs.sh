#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that the cache is not used if another build of LLVM or Clang has filled it, even if version and path are the
# same, or if passes are to be dumped; and that no translator is run which no setting has named.
#   cache_of_what_runs.sh LANECL PROGRAM FOLDER READELF LIBRARY…    PROGRAM: the tests of icd; it launches a kernel
set -uo pipefail
lanecl=$1 program=$2 folder=$3 readelf=$4
shift 4
export LANECL_CPU=x86-64-v2 LANECL_CACHE_DIR=$folder/cache LC_ALL=C
unset LANECL_ISA LANECL_CACHE LANECL_CACHE_SHARED LANECL_DUMP_DIR
status=0
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'FAILED: %s\n' "$@"
  status=1
}
run() { "$lanecl" "$program" '[.processor]' >"$folder/output" 2>&1 || fail "$1" "$(cat "$folder/output")"; }
entries() { find "$LANECL_CACHE_DIR/entries" -type f "$@" | sort; }
age() { entries -exec touch -d 2001-01-01 {} +; }
used() { entries -newermt 2002-01-01; }

run 'first run'
first=$(entries)
[ "$(wc -l <<<"$first")" -ge 4 ] || fail 'the program, its link, its check and its code are not all there'

for library in "$@"; do
  name=$("$readelf" -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
  id=$("$readelf" -n "$library" | sed -n 's/.*Build ID: *//p' | head -1)
  [ -n "$name" ] && [ -n "$id" ] || { fail "$library has no name or no build id" && continue; }
  # The copy differs only in its build id.
  mkdir "$folder/$name"
  cp --reflink=auto "$library" "$folder/$name/$name"
  place=$(grep -obUaP -m1 "$(sed 's/../\\x&/g' <<<"$id")" "$folder/$name/$name" | head -1 | cut -d: -f1)
  printf '\125\252' | dd of="$folder/$name/$name" bs=1 seek="$place" conv=notrunc status=none
  before=$(entries)
  age
  LD_LIBRARY_PATH=$folder/$name run "run with another $name"
  made=$(comm -13 <(echo "$before") <(entries))
  # There is one entry more than at first, because the precompiled header that comes with LaneCL belongs to the library
  # that it was built with.
  [ "$(wc -l <<<"$made")" -eq $(($(wc -l <<<"$first") + 1)) ] || fail "with another $name the run made:" "$made"
  [ "$(used)" = "$made" ] || fail "with another $name the run used what the first one had made"
  rm -rf "${folder:?}/$name"
done

age
all=$(entries)
run 'run as at first'
[ "$(entries)" = "$all" ] || fail 'the run as at first made entries anew'
again=$(used) # without the precompiled header, as nothing is compiled
[ "$(wc -l <<<"$again")" -ge 3 ] || fail 'the run as at first used too little:' "$again"
[ -z "$(comm -13 <(echo "$first") <(echo "$again"))" ] || fail "the run as at first used another library's entries"

LANECL_DUMP_DIR=$folder/dump run 'run with a dump'
[ "$(find "$folder/dump" -type f | wc -l)" -gt 20 ] || fail 'no dump of every pass'

# The translator is the one that was found when LaneCL was configured, whatever PATH has later.
mkdir "$folder/bin"
printf '#!/bin/sh\ntouch %s/called\nexit 1\n' "$folder" >"$folder/bin/llvm-spirv-15"
chmod 755 "$folder/bin/llvm-spirv-15"
PATH=$folder/bin:$PATH LANECL_CACHE=off "$lanecl" "$program" 'structures are loaded and stored whole*' --warn NoTests \
  >"$folder/output" 2>&1 || fail 'run with another translator in PATH' "$(cat "$folder/output")"
[ ! -e "$folder/called" ] || fail 'the translator was searched in PATH'
exit $status
