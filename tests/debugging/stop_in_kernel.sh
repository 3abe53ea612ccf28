#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# stop_in_kernel.sh KERNEL WHERE OPTIONS COMMAND…: runs COMMAND under gdb with a pending breakpoint and checks that it
# stops there, that the backtrace names the kernel with file and line, and that the program then ends with right
# results. WHERE is the comment of a line in kernels.cl, or the kernel's name. OPTIONS are the program's build options.
# Exits with 77, skipped, where there is no gdb or it may not trace.
set -uo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
source=$folder/kernels.cl
kernel=$1 where=$2 options=$3
shift 3

skip() {
  echo "skipped: $*"
  exit 77
}
debugger() { gdb -nx -batch -ex 'set debuginfod enabled off' "$@" </dev/null 2>&1; }

command -v gdb >/dev/null || skip "gdb is not installed"
debugger -ex run /bin/true | grep -q 'exited normally' || skip "gdb may not trace processes here (ptrace)"

if [ "$where" = "$kernel" ]; then
  breakpoint="-qualified $kernel" # LLVM has methods of every short name
  frame="$kernel .* at .*\.cl:[0-9]+"
else
  line=$(grep -n "// line: $where\$" "$source" | cut -d: -f1)
  breakpoint=kernels.cl:${line:?"kernels.cl has no line '$where'"}
  frame="$kernel \(.*\) at $source:$line"
fi

output=$(debugger -ex 'set breakpoint pending on' -ex "break $breakpoint" -ex run -ex bt -ex delete -ex continue \
  --args "$@" "$source" "$kernel" "$options")
status=0
expect() { # PATTERN MESSAGE
  grep -Eq "$1" <<<"$output" && return
  echo "error: $2 (no line matches: $1)"
  status=1
}
expect "hit Breakpoint 1" "gdb did not stop at $breakpoint"
expect "^#0 .*$frame\$" "the backtrace does not begin in the kernel"
expect "^#[1-9][0-9]* .* at .*scheduler/src/" "the backtrace does not reach the runtime"
# The exit status of the process is ignored, because gdb 13 sometimes loses it while its threads exit ("Couldn't get
# registers").
expect "every result is right" "the program did not run on to right results"
[ $status -eq 0 ] || printf 'what gdb said:\n%s\n' "$output"
exit $status
