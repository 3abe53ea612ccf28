; RUN: lanecl-opt -p scalar-optimize %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The value that a loop of known length leaves of x = a x + c is computed without the loop.

; x = 3 x + 1, done four times, is 81 x + 40.
; CHECK-LABEL: @generator(
; CHECK-NOT: phi
; CHECK: %[[PRODUCT:.*]] = mul i32 %x, 81
; CHECK: %[[SUM:.*]] = add i32 %[[PRODUCT]], 40
; CHECK: store i32 %[[SUM]]
define void @generator(i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ %x, %entry ], [ %sum, %loop ]
  %product = mul i32 %v, 3
  %sum = add i32 %product, 1
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %exit
exit:
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; Two million turns, and the product of the last turn besides.
; CHECK-LABEL: @long_loop(
; CHECK-NOT: phi
; CHECK: mul i16 %x,
; CHECK: ret void
define void @long_loop(i16 %x, ptr addrspace(1) %out, ptr addrspace(1) %other) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i16 [ %x, %entry ], [ %sum, %loop ]
  %product = mul i16 %v, 3
  %sum = sub i16 7, %product
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 2000000
  br i1 %more, label %loop, label %exit
exit:
  store i16 %sum, ptr addrspace(1) %out
  store i16 %product, ptr addrspace(1) %other
  ret void
}

; A loop of unknown length stays.
; CHECK-LABEL: @unknown_length(
; CHECK: phi i32
; CHECK: mul i32 %{{.*}}, 3
; CHECK: ret void
define void @unknown_length(i32 %x, i32 %n, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ %x, %entry ], [ %sum, %loop ]
  %product = mul i32 %v, 3
  %sum = add i32 %product, 1
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
