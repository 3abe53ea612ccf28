#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests code for processors other than this machine's: `lanecl compile --cpu`, LANECL_CPU with the cache, and the
# warnings.
#   other_processor.sh LANECL PROGRAM FOLDER    PROGRAM: the tests of icd, any program that launches a kernel would do
set -uo pipefail
lanecl=$1 program=$2 folder=$3
kernel=$(dirname "$0")/divergent.cl
unset LANECL_ISA LANECL_CPU
status=0

fail() {
  printf 'FAILED: %s\n' "$@"
  status=1
}
# Both take TEXT and PATTERN.
contains() { grep -qE "$2" <<<"$1" || fail "no '$2' in:" "$1"; }
lacks() { ! grep -qE "$2" <<<"$1" || fail "'$2' in:" "$1"; }

compile() { "$lanecl" compile "$kernel" --local-size 64 --report --asm "$@" 2>&1; }

for cpu in x86-64-v4 icelake-client sapphirerapids znver4; do
  text=$(compile --cpu $cpu) || fail "compile --cpu $cpu"
  contains "$text" "AVX-512 \($cpu\)"
  contains "$text" '%zmm'
  contains "$text" 'divergent.cl:6:[0-9]+ +divergent +loop'
done
text=$(compile --cpu x86-64-v3) || fail 'compile --cpu x86-64-v3'
contains "$text" 'AVX2 \(x86-64-v3\)'
contains "$text" '%ymm'
lacks "$text" '%zmm|%k[0-7]|%ymm(1[6-9]|2[0-9]|3[01])'
text=$(LANECL_CPU=x86-64-v4 LANECL_ISA=avx2 compile) || fail 'LANECL_CPU with LANECL_ISA'
contains "$text" 'AVX2 \(x86-64-v4\)'
lacks "$text" '%zmm|%k[0-7]'

text=$(compile --cpu z80) && fail 'compile --cpu z80 succeeded'
contains "$text" "unknown processor 'z80'; the known ones are .*x86-64-v4"
contains "$(LANECL_CPU=z80 compile)" 'LANECL_CPU=z80 is ignored; legal values: .*x86-64-v4'
contains "$(LANECL_ISA=avx512 compile --cpu haswell)" 'LANECL_ISA=avx512 is ignored: haswell has AVX2 at most'

# Whether launches are refused or not, the first run fills the cache and the second one finds everything: it marks each
# entry as used and adds none.
export LANECL_CPU=x86-64-v4 LANECL_CACHE_DIR=$folder
entries() { find "$folder/entries" -type f "$@" | sort; }
rm -rf "$folder"
"$lanecl" "$program" '[.processor]' || fail 'first run'
filled=$(entries)
[ -n "$filled" ] || fail 'nothing in the cache'
entries -exec touch -d 2001-01-01 {} + >/dev/null
"$lanecl" "$program" '[.processor]' || fail 'second run'
[ "$(entries)" = "$filled" ] || fail 'the second run added to the cache'
[ "$(entries -newermt 2002-01-01 | wc -l)" -ge 2 ] || fail 'the second run did not use the program and its code'
# Nothing is found that another build has compiled, or that was compiled for another processor.
LANECL_CPU=x86-64-v2 "$lanecl" "$program" '[.processor]' || fail 'run for another processor'
[ "$(entries)" != "$filled" ] || fail 'code for one processor was taken for that of another'
rm -rf "$folder"
exit $status
