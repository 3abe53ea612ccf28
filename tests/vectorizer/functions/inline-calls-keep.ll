; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which functions stay functions. Here all stay that can (--keep-functions); without it, a kernel of this size is one
; function.
; RUN: lanecl-opt %s -p inline-calls --kernel=k --keep-functions -o - | FileCheck %s
; RUN: lanecl-opt %s -p inline-calls --kernel=k -o - | FileCheck %s --check-prefix=ONE

; ONE: define spir_kernel void @k
; ONE-NOT: call {{.*}}@plain

; A structure passed by value is copied by the callee. What is promised of one work-item's call is forgotten.
; CHECK-LABEL: define internal i32 @plain(i32 %x, ptr %s)
; CHECK-SAME: [[KEPT:#[0-9]+]]
; CHECK: %{{.*}} = alloca { i32, i32 }
; CHECK: call void @llvm.memcpy
define internal noundef i32 @plain(i32 noundef %x, ptr byval({ i32, i32 }) align 4 %s) #0 {
  %old = load i32, ptr %s
  store i32 %x, ptr %s
  %second = getelementptr i8, ptr %s, i64 4
  %b = load i32, ptr %second
  %sum = add i32 %old, %b
  ret i32 %sum
}

; What waits for other work-items, or exchanges values with them, needs all lanes.
; CHECK-NOT: define {{.*}}@barrier
define internal void @barrier() {
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  ret void
}

; CHECK-NOT: define {{.*}}@sum
define internal i32 @sum(i32 %x) {
  %r = call i32 @_Z19__lanecl_reduce_addi(i32 %x)
  ret i32 %r
}

; CHECK-NOT: define {{.*}}@waits
define internal i32 @waits(ptr addrspace(1) %p) {
  %r = load volatile i32, ptr addrspace(1) %p
  ret i32 %r
}

; A query of the launch is the same in a function.
; CHECK-LABEL: define internal i64 @id()
; CHECK-SAME: [[KEPT]]
define internal i64 @id() #0 {
  %r = call i64 @_Z18__lanecl_global_idj(i32 0)
  ret i64 %r
}

; The quotient of a division by zero is chosen in the function, too.
; CHECK-LABEL: define internal i32 @quotient(i32 %x)
; CHECK-SAME: [[KEPT]]
define internal i32 @quotient(i32 %x) #0 {
  %r = call i32 @lanecl.quotient.by.zero.i32(i32 %x)
  ret i32 %r
}

; A kernel that another kernel calls may have local variables, which get their place in the kernel.
; CHECK-NOT: define {{.*}}@local
@variable = internal addrspace(3) global [4 x i32] undef
define internal void @local(i32 %x) {
  store i32 %x, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @variable, i64 4)
  ret void
}

; CHECK-LABEL: define spir_kernel void @k
; CHECK: call i32 @plain(i32 %x, ptr %s)
; CHECK: call void @_Z27__lanecl_work_group_barrierj
; CHECK: call i32 @_Z19__lanecl_reduce_addi
; CHECK: load volatile
; CHECK: call i64 @id()
; CHECK: call i32 @quotient(i32 %x)
define spir_kernel void @k(ptr addrspace(1) %out, i32 %x) {
  %s = alloca { i32, i32 }
  %a = call noundef i32 @plain(i32 noundef %x, ptr byval({ i32, i32 }) align 4 %s)
  call void @barrier()
  %b = call i32 @sum(i32 %a)
  %c = call i32 @waits(ptr addrspace(1) %out)
  %i = call i64 @id()
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %all = add i32 %b, %c
  %q = call i32 @quotient(i32 %x)
  call void @local(i32 %x)
  %more = add i32 %all, %q
  store i32 %more, ptr addrspace(1) %p
  ret void
}

declare void @_Z27__lanecl_work_group_barrierj(i32) convergent
declare i32 @_Z19__lanecl_reduce_addi(i32) convergent
declare i64 @_Z18__lanecl_global_idj(i32)
declare i32 @lanecl.quotient.by.zero.i32(i32)

; CHECK: attributes [[KEPT]] = { nounwind "lanecl-kept" }
attributes #0 = { convergent nounwind willreturn memory(argmem: readwrite) }
