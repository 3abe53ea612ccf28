; Without a global offset nothing is added to a work-group's first id, so the low bits of what sub-groups begin with are
; known: an id divided by the sub-group size is the same in all lanes.
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=64,1,1 --no-offset | FileCheck %s
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=0,1,1 --no-offset | FileCheck --check-prefix=ROW %s
; RUN: lanecl-opt %s -p "specialize-launch,function(instcombine<no-verify-fixpoint>)" -w 16 --local-size=64,1,1 \
; RUN:   --no-offset | FileCheck --check-prefix=QUOTIENT %s
; RUN: lanecl-opt %s -p "specialize-launch,function(instcombine<no-verify-fixpoint>)" -w 16 --local-size=0,1,1 \
; RUN:   --no-offset | FileCheck --check-prefix=QUOTIENT %s
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=64,1,1 | FileCheck --check-prefix=OFFSET %s

declare i64 @_Z18__lanecl_global_idj(i32)
declare i64 @_Z22__lanecl_global_offsetj(i32)

; CHECK-LABEL: @global_id(
; CHECK-NOT: global_offset
; CHECK: ret i64
; Where there are several free rows, each begins with a multiple of 32.
; ROW-LABEL: @global_id(
; ROW-NOT: global_offset
; ROW: call {{.*}}_Z28__lanecl_enqueued_local_sizej
; ROW: [[FIRST:%.*]] = mul nuw nsw i32
; ROW: and i32 [[FIRST]], -32
; OFFSET-LABEL: @global_id(
; OFFSET: global_offset
define i64 @global_id() {
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  ret i64 %id
}

; CHECK-LABEL: @offset(
; CHECK-NEXT: ret i64 0
; OFFSET-LABEL: @offset(
; OFFSET: ret i64 %
define i64 @offset() {
  %offset = call i64 @_Z22__lanecl_global_offsetj(i32 1)
  ret i64 %offset
}

; QUOTIENT-LABEL: @by_sub_group_size(
; QUOTIENT-NOT: lane_id
; QUOTIENT: ret i64
define i64 @by_sub_group_size() {
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  %row = lshr i64 %id, 4
  ret i64 %row
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
