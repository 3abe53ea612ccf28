; One row: the local id is the linear number, and every id is 32-bit arithmetic that never wraps.
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=64,1,1 | FileCheck %s
; A row of any length: the ids of its work-items are computed in the same way.
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=0,1,1 | FileCheck --check-prefix=ANY %s

declare i64 @_Z17__lanecl_local_idj(i32)
declare i64 @_Z18__lanecl_global_idj(i32)
declare i64 @_Z19__lanecl_local_sizej(i32)
declare i32 @_Z23__lanecl_num_sub_groupsv()
declare i32 @_Z23__lanecl_sub_group_sizev()
declare i32 @_Z14__lanecl_widthv()

; CHECK-LABEL: @local_id(
; CHECK-DAG: [[LANE:%.*]] = call noundef range(i32 0, 16) i32 @_Z16__lanecl_lane_idv()
; CHECK-DAG: [[SG:%.*]] = call noundef range(i32 0, 4) i32 @_Z21__lanecl_sub_group_idv()
; CHECK: [[FIRST:%.*]] = mul nuw nsw i32 [[SG]], 16
; CHECK: [[ID:%.*]] = add nuw nsw i32 [[FIRST]], [[LANE]]
; CHECK: [[WIDE:%.*]] = zext nneg i32 [[ID]] to i64
; CHECK: ret i64 [[WIDE]]
define i64 @local_id() {
  %id = call i64 @_Z17__lanecl_local_idj(i32 0)
  ret i64 %id
}

; ANY-LABEL: @local_id(
; ANY-DAG: [[LANE:%.*]] = call noundef range(i32 0, 16) i32 @_Z16__lanecl_lane_idv()
; ANY-DAG: [[SG:%.*]] = call noundef range(i32 0, 16777216) i32 @_Z21__lanecl_sub_group_idv()
; ANY: [[FIRST:%.*]] = mul nuw nsw i32 [[SG]], 16
; ANY: add nuw nsw i32 [[FIRST]], [[LANE]]

; CHECK-LABEL: @second_dimension(
; CHECK: ret i64 0
; ANY-LABEL: @second_dimension(
; ANY: ret i64 0
define i64 @second_dimension() {
  %id = call i64 @_Z17__lanecl_local_idj(i32 1)
  ret i64 %id
}

; The group's part and the sub-group's are one scalar; the lane is added last.
; CHECK-LABEL: @global_id(
; CHECK-DAG: [[LANE:%.*]] = call noundef range(i32 0, 16) i32 @_Z16__lanecl_lane_idv()
; CHECK-DAG: call noundef range(i64 0, 2147483648) i64 @_Z17__lanecl_group_idj(i32 0)
; CHECK: mul nuw nsw i32 {{%.*}}, 64
; CHECK: [[ID:%.*]] = add nuw nsw i32 {{%.*}}, [[LANE]]
; CHECK: zext nneg i32 [[ID]] to i64
define i64 @global_id() {
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  ret i64 %id
}

; CHECK-LABEL: @sizes(
; CHECK: store volatile i64 64
; CHECK: store volatile i32 4
; CHECK: store volatile i32 16
; CHECK: store volatile i32 16
define void @sizes(ptr %p) {
  %a = call i64 @_Z19__lanecl_local_sizej(i32 0)
  store volatile i64 %a, ptr %p
  %b = call i32 @_Z23__lanecl_num_sub_groupsv()
  store volatile i32 %b, ptr %p
  %c = call i32 @_Z23__lanecl_sub_group_sizev()
  store volatile i32 %c, ptr %p
  %d = call i32 @_Z14__lanecl_widthv()
  store volatile i32 %d, ptr %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
