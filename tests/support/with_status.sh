#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# with_status.sh STATUS COMMAND…: runs the command, and says so if it ends with another exit status. CTest ignores the
# status of a test that has a PASS_REGULAR_EXPRESSION, so lanecl_add_status_test() looks for this message.
expected=$1
shift
"$@"
status=$?
[ "$status" = "$expected" ] || {
  echo "unexpected exit status $status, not $expected"
  exit 1
}
