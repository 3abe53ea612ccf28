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
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
