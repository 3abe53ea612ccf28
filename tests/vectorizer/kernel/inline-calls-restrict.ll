; RUN: lanecl-opt -p inline-calls %s | FileCheck %s
; RUN: lanecl-opt -p kernel-arguments %s | FileCheck --check-prefix=KERNEL %s
; RUN: lanecl-opt -w 16 --local-size 64,1,1 -p inline-calls,kernel-arguments,widen,barriers %s | FileCheck --check-prefix=SPLIT %s
; `restrict` becomes knowledge of single accesses. Of a barrier, where others write, it says nothing, and when barriers
; are gone nothing of it is left.

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
; CHECK: load i32, ptr addrspace(3) %b, align 4, !alias.scope
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 1){{( #[0-9]+)?$}}
; CHECK: store i32 {{.*}}, !noalias
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 1){{( #[0-9]+)?$}}
; SPLIT-LABEL: define {{.*}} @together.lanes
; SPLIT-NOT: !"{{copy|exchange}}: %
define spir_kernel void @together(ptr addrspace(3) %a, ptr addrspace(3) %b) {
  call void @exchange(ptr addrspace(3) %a, ptr addrspace(3) %b)
  ret void
}

; For a call in a loop, restrict says nothing about what another iteration accesses. After the loop it holds.
; CHECK-LABEL: define spir_kernel void @in_loop(
; CHECK: loop:
; CHECK-NOT: noalias
; CHECK: end:
; CHECK: @llvm.experimental.noalias.scope.decl
; CHECK: store i32 {{.*}}, !noalias
define spir_kernel void @in_loop(ptr addrspace(3) %a, ptr addrspace(3) %b, i1 %again) {
entry:
  br label %loop
loop:
  call void @copy(ptr addrspace(3) %a, ptr addrspace(3) %b)
  br i1 %again, label %loop, label %end
end:
  call void @copy(ptr addrspace(3) %b, ptr addrspace(3) %a)
  ret void
}

; It says nothing about a loop that is nested in it, either.
; CHECK-LABEL: define spir_kernel void @nested_in_loop(
; CHECK-NOT: !noalias
; CHECK: ret void
define internal void @copies(ptr addrspace(3) %to, ptr addrspace(3) %from) {
  call void @copy(ptr addrspace(3) %to, ptr addrspace(3) %from)
  ret void
}
define spir_kernel void @nested_in_loop(ptr addrspace(3) %a, ptr addrspace(3) %b, i1 %again) {
entry:
  br label %loop
loop:
  call void @copies(ptr addrspace(3) %a, ptr addrspace(3) %b)
  br i1 %again, label %loop, label %end
end:
  ret void
}

; KERNEL-LABEL: define {{.*}}@parameters(
; KERNEL: load i32, ptr addrspace(1) {{.*}}, !alias.scope
; KERNEL: call void @_Z27__lanecl_work_group_barrierj(i32 2){{( #[0-9]+)?$}}
; KERNEL: store i32 {{.*}}, !noalias
define spir_kernel void @parameters(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias %from) {
  %x = load i32, ptr addrspace(1) %from
  call void @_Z27__lanecl_work_group_barrierj(i32 2) convergent
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; KERNEL-LABEL: define {{.*}}@variables(
; KERNEL: load i32, ptr addrspace(1) {{.*}}, !alias.scope
; KERNEL: store i32 {{.*}}, !noalias
define spir_kernel void @variables(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias %from) {
  %to.addr = alloca ptr addrspace(1)
  %from.addr = alloca ptr addrspace(1)
  store ptr addrspace(1) %to, ptr %to.addr
  store ptr addrspace(1) %from, ptr %from.addr
  %a = load ptr addrspace(1), ptr %from.addr
  %x = load i32, ptr addrspace(1) %a
  %b = load ptr addrspace(1), ptr %to.addr
  store i32 %x, ptr addrspace(1) %b
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
