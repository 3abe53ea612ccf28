; RUN: lanecl-opt -p inline-calls %s | FileCheck %s
; `restrict` of a helper's parameters becomes knowledge of single accesses, unless a barrier lets others write there.

target triple = "spir64-unknown-unknown"

declare void @_Z27__lanecl_work_group_barrierj(i32) convergent

define internal void @copy(ptr addrspace(3) noalias %to, ptr addrspace(3) noalias %from) {
  %x = load i32, ptr addrspace(3) %from
  store i32 %x, ptr addrspace(3) %to
  ret void
}

define internal void @exchange(ptr addrspace(3) noalias %to, ptr addrspace(3) noalias %from) convergent {
  %x = load i32, ptr addrspace(3) %from
  call void @_Z27__lanecl_work_group_barrierj(i32 1) convergent
  store i32 %x, ptr addrspace(3) %to
  call void @_Z27__lanecl_work_group_barrierj(i32 1) convergent
  ret void
}

; CHECK-LABEL: define spir_kernel void @alone(
; CHECK: load i32, ptr addrspace(3) %b, align 4, !alias.scope
; CHECK: store i32 {{.*}}, !noalias
define spir_kernel void @alone(ptr addrspace(3) %a, ptr addrspace(3) %b) {
  call void @copy(ptr addrspace(3) %a, ptr addrspace(3) %b)
  ret void
}

; CHECK-LABEL: define spir_kernel void @together(
; CHECK-NOT: noalias
; CHECK-NOT: alias.scope
; CHECK: ret void
define spir_kernel void @together(ptr addrspace(3) %a, ptr addrspace(3) %b) {
  call void @exchange(ptr addrspace(3) %a, ptr addrspace(3) %b)
  call void @copy(ptr addrspace(3) %a, ptr addrspace(3) %b)
  ret void
}
