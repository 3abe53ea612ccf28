; RUN: lanecl-opt -p scalar-optimize %s | FileCheck %s
; RUN: lanecl-opt -p vector-optimize %s | FileCheck %s
; Stores into global memory do not change local memory. Other pointers may lead to both.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @apart(
; CHECK: load float, ptr addrspace(3) %local
; CHECK-NOT: load
; CHECK: ret void
define void @apart(ptr addrspace(3) %local, ptr addrspace(1) %global) {
  %a = load float, ptr addrspace(3) %local
  %c = fadd float %a, 1.0
  store float %c, ptr addrspace(1) %global
  %next = getelementptr float, ptr addrspace(1) %global, i64 1
  %b = load float, ptr addrspace(3) %local
  store float %b, ptr addrspace(1) %next
  ret void
}

; CHECK-LABEL: define void @anywhere(
; CHECK-COUNT-2: load float
; CHECK: ret void
define void @anywhere(ptr addrspace(3) %local, ptr addrspace(4) %generic, ptr %private) {
  %a = load float, ptr addrspace(3) %local
  %c = fadd float %a, 1.0
  store float %c, ptr addrspace(4) %generic
  %next = getelementptr float, ptr addrspace(4) %generic, i64 1
  %b = load float, ptr addrspace(3) %local
  store float %b, ptr addrspace(4) %next
  ret void
}

; A barrier orders both.
; CHECK-LABEL: define void @waiting(
; CHECK-COUNT-2: load float, ptr addrspace(3) %local
; CHECK: ret void
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent
define void @waiting(ptr addrspace(3) %local, ptr addrspace(1) %global) convergent {
  %a = load float, ptr addrspace(3) %local
  %c = fadd float %a, 1.0
  store float %c, ptr addrspace(1) %global
  call void @_Z27__lanecl_work_group_barrierj(i32 1) convergent
  %next = getelementptr float, ptr addrspace(1) %global, i64 1
  %b = load float, ptr addrspace(3) %local
  store float %b, ptr addrspace(1) %next
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
