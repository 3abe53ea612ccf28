; These ids need 64 bits: neither the number of a work-group nor their count has a limit, and no id has a sign.
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=64,1,1 --wide-ids | FileCheck %s
; RUN: lanecl-opt %s -p specialize-launch -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=INT

declare i64 @_Z17__lanecl_group_idj(i32)
declare i64 @_Z19__lanecl_num_groupsj(i32)
declare i64 @_Z20__lanecl_global_sizej(i32)
declare i64 @_Z18__lanecl_global_idj(i32)

; CHECK-LABEL: @queries(
; CHECK: = call noundef i64 @_Z17__lanecl_group_idj(i32 0)
; CHECK: = call noundef range(i64 1, 0) i64 @_Z19__lanecl_num_groupsj(i32 0)
; CHECK: = call noundef i64 @_Z20__lanecl_global_sizej(i32 0)
; INT-LABEL: @queries(
; INT: = call noundef range(i64 0, 2147483648) i64 @_Z17__lanecl_group_idj(i32 0)
; INT: = call noundef range(i64 1, 2147483648) i64 @_Z19__lanecl_num_groupsj(i32 0)
; INT: = call noundef range(i64 0, 2147483648) i64 @_Z20__lanecl_global_sizej(i32 0)
define void @queries(ptr %p) {
  %a = call i64 @_Z17__lanecl_group_idj(i32 0)
  store volatile i64 %a, ptr %p
  %b = call i64 @_Z19__lanecl_num_groupsj(i32 0)
  store volatile i64 %b, ptr %p
  %c = call i64 @_Z20__lanecl_global_sizej(i32 0)
  store volatile i64 %c, ptr %p
  ret void
}

; CHECK-LABEL: @global_id(
; CHECK: mul nuw i64 {{%.*}}, 64
; CHECK: add nuw i64
; CHECK: add nuw i64
; CHECK: [[ID:%.*]] = add nuw i64
; CHECK: ret i64 [[ID]]
; INT-LABEL: @global_id(
; INT: mul nuw nsw i32 {{%.*}}, 64
define i64 @global_id() {
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  ret i64 %id
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
