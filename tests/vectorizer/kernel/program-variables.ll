; RUN: lanecl-opt -p kernel-arguments %s | FileCheck %s

; Variables with a place in the program's memory are addresses in it, those without one are part of the code.
; CHECK-NOT: @counter
; CHECK-NOT: @pointer
; CHECK: @table = internal addrspace(2) constant
; CHECK-NOT: @counter
@counter = internal addrspace(1) global i32 5, !lanecl.offset !0
@pointer = internal addrspace(2) constant ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @counter, i64 4), !lanecl.offset !1
@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]

; CHECK-LABEL: define void @k(
; CHECK: getelementptr inbounds {{.*}}i8, ptr addrspace(2) %launch, i64 120
; CHECK-NEXT: %[[CONSTANTS:.*]] = load ptr addrspace(2), ptr addrspace(2) %{{.*}}, align 8, !invariant.load
; CHECK-NEXT: %[[POINTER:pointer.*]] = getelementptr inbounds {{.*}}i8, ptr addrspace(2) %[[CONSTANTS]], i64 24
; CHECK-NEXT: getelementptr inbounds {{.*}}i8, ptr addrspace(2) %launch, i64 120
; CHECK-NEXT: %[[BLOCK:.*]] = load ptr addrspace(1), ptr addrspace(2) %{{.*}}, align 8, !invariant.load
; CHECK-NEXT: %[[COUNTER:counter.*]] = getelementptr inbounds {{.*}}i8, ptr addrspace(1) %[[BLOCK]], i64 16
; CHECK: load i32, ptr addrspace(1) %[[COUNTER]]
; CHECK: %[[BEHIND:.*]] = getelementptr {{.*}}i8, ptr addrspace(1) %[[COUNTER]], i64 8
; CHECK: store ptr addrspace(2) %[[POINTER]], ptr addrspace(1) %[[BEHIND]]
define void @k(i64 %i) {
  %old = load i32, ptr addrspace(1) @counter
  %t = getelementptr i32, ptr addrspace(2) @table, i64 %i
  %value = load i32, ptr addrspace(2) %t
  %sum = add i32 %old, %value
  store i32 %sum, ptr addrspace(1) @counter
  store ptr addrspace(2) @pointer, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @counter, i64 8)
  ret void
}

!0 = !{i64 16}
!1 = !{i64 24}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
