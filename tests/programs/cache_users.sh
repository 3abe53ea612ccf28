#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The cache between users, as docs/cache.md says: an administrator fills a shared one, users read it; no code is run
# that another user could have written; a program with set-user-ID ignores its caller's environment.
#   cache_users.sh LANECL PROGRAM    PROGRAM: the tests of icd, any program that launches a kernel would do
set -uo pipefail
lanecl=$1 program=$2
[ "$(id -u)" -eq 0 ] || { echo 'skipped: only root can play other users' && exit 77; }
command -v setpriv >/dev/null || { echo 'skipped: there is no setpriv' && exit 77; }
folder=$(mktemp -d) # where other users get to
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
unset LANECL_ISA LANECL_CACHE LANECL_CACHE_DIR XDG_CACHE_HOME
export LANECL_CPU=x86-64-v2 HOME=$folder/nowhere # every processor can run its code
anna=61001 bert=61002
translated='structures are loaded and stored whole*' # a test that needs the translator
status=0

fail() {
  printf 'FAILED: %s\n' "$@"
  status=1
}
contains() { grep -qF -- "$2" <<<"$1" || fail "no '$2' in:" "$1"; }
lacks() { ! grep -qF -- "$2" <<<"$1" || fail "'$2' in:" "$1"; }
as() { setpriv --reuid="$1" --regid="$1" --clear-groups -- "${@:2}" 2>&1; }
run() { "$lanecl" "$program" '[.processor]' 2>&1; } # as root
run_as() { as "$1" "$lanecl" "$program" '[.processor]'; }
home_of() { install -d -m 700 -o "$1" -g "$1" "$folder/$1" && echo "$folder/$1"; }
entries() { find "$1/entries" -type f 2>/dev/null | sort; }

annas=$(home_of $anna) berts=$(home_of $bert)
as $anna test -x "$program" || { echo "skipped: other users cannot reach $program" && exit 77; }

# Root fills the cache. Users neither compile nor write what they find there.
mkdir -m 755 "$folder/shared"
export LANECL_CACHE_SHARED=$folder/shared
(umask 077 && run >/dev/null) || fail 'run that fills'
filled=$(entries "$folder/shared")
[ -n "$filled" ] || fail 'nothing in the shared cache'
[ ! -e "$HOME" ] || fail 'root wrote to another cache, too'
for user in $anna $bert; do
  text=$(LANECL_CACHE_DIR=$folder/$user/cache run_as $user) || fail "run of user $user" "$text"
  lacks "$text" 'LaneCL:'
  [ -z "$(entries "$folder/$user/cache")" ] || fail "user $user did not find everything in the shared cache"
done
[ "$(entries "$folder/shared")" = "$filled" ] || fail 'users changed the shared cache'

# What the shared cache lacks goes to the user's own cache, which other users cannot read.
text=$(LANECL_SUB_GROUP_SIZE=32 LANECL_CACHE_DIR=$annas/cache run_as $anna) || fail 'run with code that is not shared' "$text"
[ -n "$(entries "$annas/cache")" ] || fail 'nothing in the cache of anna'
[ -z "$(find "$annas/cache" -perm /077)" ] || fail 'others get into the cache of anna:' "$(find "$annas/cache" -perm /077)"
[ "$(entries "$folder/shared")" = "$filled" ] || fail 'a user wrote to the shared cache'

# Everybody could have written to this shared cache.
chmod 777 "$folder/shared"
text=$(LANECL_CACHE_DIR=$berts/cache run_as $bert) || fail 'run with a shared cache that cannot be trusted' "$text"
contains "$text" "$folder/shared: users other than its owner may write to it"
[ "$(grep -c 'LaneCL:' <<<"$text")" -eq 1 ] || fail 'not said once:' "$text"
[ -n "$(entries "$berts/cache")" ] || fail 'nothing in the cache of bert'
unset LANECL_CACHE_SHARED

# With sudo -E, root has the environment of a user.
before=$(find "$annas" -printf '%p %U %m %T@\n' | sort)
text=$(LANECL_SUB_GROUP_SIZE=32 LANECL_CACHE_DIR=$annas/cache run) || fail "root with anna's cache" "$text"
contains "$text" "$annas/cache: it belongs to user $anna, but this process runs as user 0"
text=$(HOME=$berts run) || fail "root with bert's home" "$text"
contains "$text" "$berts/.cache/lanecl: it would be created in $berts, which belongs to user $bert"
[ "$(find "$annas" -printf '%p %U %m %T@\n' | sort)" = "$before" ] || fail "root used or changed anna's cache"
[ ! -e "$berts/.cache" ] || fail "root made a folder in bert's home"
install -d -m 777 "$folder/calls"
printf '#!/bin/sh\ntouch %s\nexit 1\n' "$folder/calls/one" >"$annas/translator"
chown $anna "$annas/translator" && chmod 755 "$annas/translator"
text=$(LANECL_SPIRV_TRANSLATOR=$annas/translator LANECL_RESOURCES=$annas LANECL_DUMP_DIR=$annas/cache LANECL_CACHE=off \
  "$lanecl" "$program" "$translated" --warn NoTests 2>&1) || fail "root with anna's variables" "$text"
for variable in LANECL_SPIRV_TRANSLATOR LANECL_RESOURCES LANECL_DUMP_DIR; do contains "$text" "$variable=$annas"; done
[ ! -e "$folder/calls/one" ] || fail "root ran anna's translator"

# Bert starts a program that acts for Anna. It ignores what his environment says about caches and programs.
# AddressSanitizer cannot look for leaks in such a process, and it cannot be told there not to.
[ -z "${ASAN_OPTIONS:-}" ] || exit $status
install -o $anna -g $anna -m 4755 "$(command -v id)" "$folder/id"
[ "$(as $bert "$folder/id" -u)" = $anna ] || { echo "$folder is mounted without set-user-ID" && exit $status; }
install -m 755 "$program" "$folder/program"
export OCL_ICD_VENDORS LANECL_CACHE_DIR=$annas/cache
OCL_ICD_VENDORS=$("$lanecl" sh -c 'echo $OCL_ICD_VENDORS')
used() { find "$annas/cache/entries" -type f -newermt 2002-01-01; }
call() {
  touch -d 2001-01-01 "$annas"/cache/entries/*/*
  rm -f "$folder/calls/one"
  LANECL_SPIRV_TRANSLATOR=$annas/translator as "$1" "$folder/program" "$translated,[.processor]" --warn NoTests
}
call $anna >/dev/null && fail 'a translator that fails'
{ [ -e "$folder/calls/one" ] && [ -n "$(used)" ]; } || fail "anna's own program does not use her cache and translator"
chown $anna:$anna "$folder/program" && chmod 4755 "$folder/program"
text=$(call $bert) || fail 'run with set-user-ID' "$text"
contains "$text" 'LANECL_… and the cache are ignored'
[ ! -e "$folder/calls/one" ] || fail 'a program with set-user-ID ran the translator of its caller'
[ -z "$(used)" ] || fail 'a program with set-user-ID used the cache of its caller'
exit $status
