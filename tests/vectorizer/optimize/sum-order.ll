; RUN: lanecl-opt -p scalar-optimize %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop does not change is added first, and no sum is forgotten to be free of overflow.

; CHECK-LABEL: @row(
; CHECK: %[[BEFORE:.*]] = mul nsw i32 %row, %n
; CHECK: %[[FIRST:.*]] = add nsw i32 %[[BEFORE]], %x
; CHECK: loop:
; CHECK: %k = phi i32
; CHECK: add nsw i32 %[[FIRST]], %k
; CHECK: ret void
define void @row(ptr addrspace(1) %a, ptr addrspace(3) %b, i32 %row, i32 %n, i32 %id) {
entry:
  %x = and i32 %id, 7
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = mul nsw i32 %row, %n
  %sum = add nsw i32 %before, %k
  %index = add nsw i32 %sum, %x
  %wide = sext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  store volatile float %v, ptr addrspace(3) %b
  %next = add nuw nsw i32 %k, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; One number falls below zero, so the sum of the others may be larger than that of all.
; CHECK-LABEL: @falling(
; CHECK-NOT: add nsw i32 {{.*}}%before
; CHECK: loop:
; CHECK: ret void
define void @falling(ptr addrspace(1) %a, ptr addrspace(3) %b, i32 %row, i32 %n, i32 %id) {
entry:
  %x = and i32 %id, 7
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = mul nsw i32 %row, %n
  %sum = add nsw i32 %before, %k
  %index = add nsw i32 %sum, %x
  %wide = sext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  store volatile float %v, ptr addrspace(3) %b
  %next = add nsw i32 %k, -8
  %more = icmp sgt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
