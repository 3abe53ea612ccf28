; RUN: lanecl-opt -p canonicalize,linearize %s | FileCheck %s
; Work-items that have returned do not keep the others from a barrier, as on the GPU.

declare i32 @__lanecl_lane_id()
declare void @_Z27__lanecl_work_group_barrierj(i32)

; CHECK-LABEL: define void @k(
; CHECK: br i1 %any
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 1)
define void @k(i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, %n
  br i1 %c, label %body, label %return
body:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %return
return:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
