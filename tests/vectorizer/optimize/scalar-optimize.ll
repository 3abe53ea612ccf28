; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vector arithmetic becomes one operation per component, memory accesses stay whole, generic pointers get their space.
; RUN: lanecl-opt %s -p scalar-optimize | FileCheck %s

; CHECK-LABEL: @components(
; CHECK: load <2 x float>
; CHECK-COUNT-2: fmul float
; CHECK-NOT: fmul
; CHECK: store <2 x float>
define void @components(ptr addrspace(1) %p) {
  %v = load <2 x float>, ptr addrspace(1) %p
  %w = fmul <2 x float> %v, %v
  store <2 x float> %w, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @generic(
; CHECK: store float 1.000000e+00, ptr addrspace(1) %p
define void @generic(ptr addrspace(1) %p) {
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  store float 1.0, ptr addrspace(4) %g
  ret void
}

; What another work-item may have written between two barriers is read again.
; CHECK-LABEL: @reread(
; CHECK-COUNT-2: load float, ptr addrspace(3) %p
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
define float @reread(ptr addrspace(3) %p) {
  %a = load float, ptr addrspace(3) %p
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %b = load float, ptr addrspace(3) %p
  %sum = fadd float %a, %b
  ret float %sum
}

; From the local id to 512 in steps of 256: two turns for every work-item.
; CHECK-LABEL: @turns(
; CHECK-NOT: br
; CHECK-COUNT-2: store i32
; CHECK-NOT: store
; CHECK: ret void
declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z21__lanecl_sub_group_idv()
define void @turns(ptr addrspace(3) %p) {
entry:
  %lane = call range(i32 0, 32) i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 8) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 5
  %id = or disjoint i32 %first, %lane
  br label %loop
loop:
  %i = phi i32 [ %id, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, 512
  br i1 %more, label %body, label %exit
body:
  %wide = zext nneg i32 %i to i64
  %place = getelementptr i32, ptr addrspace(3) %p, i64 %wide
  store i32 %i, ptr addrspace(3) %place
  %next = add i32 %i, 256
  br label %loop
exit:
  ret void
}
