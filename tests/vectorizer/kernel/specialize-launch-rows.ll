; Several rows: what is uniform stays uniform, and known sizes need no division of lanes where rows and sub-groups fit.
; RUN: lanecl-opt %s -p specialize-launch,instcombine -w 16 --local-size=32,4,1 | FileCheck %s --check-prefix=WHOLE
; RUN: lanecl-opt %s -p specialize-launch,instcombine -w 16 --local-size=8,4,1 | FileCheck %s --check-prefix=SMALL
; RUN: lanecl-opt %s -p specialize-launch,instcombine -w 16 --local-size=12,4,1 | FileCheck %s --check-prefix=ANY
; RUN: lanecl-opt %s -p specialize-launch,instcombine -w 16 | FileCheck %s --check-prefix=UNKNOWN

declare i64 @_Z17__lanecl_local_idj(i32)

; If a row has two sub-groups, y does not depend on the lane.
; WHOLE-LABEL: @y(
; WHOLE-NOT: lane_id
; WHOLE: lshr i32 {{.*}}, 1
; If a sub-group has two rows, each has eight lanes.
; SMALL-LABEL: @y(
; SMALL: lshr i32 {{.*}}, 3
; SMALL-NOT: udiv
; ANY-LABEL: @y(
; ANY: udiv i32 {{.*}}, 12
; The remainder by a value is exact in double precision, with one instruction for all lanes.
; UNKNOWN-LABEL: @y(
; UNKNOWN-NOT: udiv
; UNKNOWN: fdiv double
; UNKNOWN: fptoui double
define i64 @y() {
  %id = call i64 @_Z17__lanecl_local_idj(i32 1)
  ret i64 %id
}

; SMALL-LABEL: @x(
; SMALL-NOT: sub_group_id
; SMALL: and i32 {{.*}}, 7
define i64 @x() {
  %id = call i64 @_Z17__lanecl_local_idj(i32 0)
  ret i64 %id
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
