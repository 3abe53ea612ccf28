; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -p freeze-casts %s | FileCheck %s
; RUN: lanecl-opt -p scalar-optimize %s | FileCheck %s --check-prefix=OPTIMIZED
; A vector with an undefined component is frozen before it becomes wider elements.

; A component may be poison because of flags.
; CHECK-LABEL: define i32 @flags(
; CHECK: %[[V:.*]] = freeze <2 x half> %sum
; CHECK: bitcast <2 x half> %[[V]] to i32
define i32 @flags(<2 x half> %x, <2 x half> %y) {
  %sum = fadd nnan <2 x half> %x, %y
  %word = bitcast <2 x half> %sum to i32
  ret i32 %word
}

; The sum of the upper halves is poison, and the lower half stays.
; OPTIMIZED-LABEL: define i16 @infinity(
; OPTIMIZED-NOT: ret i16 poison
; OPTIMIZED: ret i16 %
define i16 @infinity(half %x) {
  %v = insertelement <2 x half> <half poison, half 0xH7C00>, half %x, i32 0
  %sum = fadd ninf <2 x half> %v, %v
  %word = bitcast <2 x half> %sum to i32
  %lower = trunc i32 %word to i16
  ret i16 %lower
}

; Memory, arguments and results of calls hold no poison.
; CHECK-LABEL: define i32 @no_flags(
; CHECK-NOT: freeze
; CHECK: ret i32
define i32 @no_flags(<2 x half> %x, ptr addrspace(1) %p) {
  %y = load <2 x half>, ptr addrspace(1) %p, align 4
  %sum = fadd <2 x half> %x, %y
  %word = bitcast <2 x half> %sum to i32
  ret i32 %word
}

; Components that are divided are undefined in part only if the number is undefined as a whole.
; CHECK-LABEL: define <4 x i8> @divided(
; CHECK-NOT: freeze
; CHECK: ret <4 x i8>
define <4 x i8> @divided(i32 %x) {
  %y = add nsw i32 %x, 1
  %v = bitcast i32 %y to <4 x i8>
  ret <4 x i8> %v
}

; The elements are as wide as before.
; CHECK-LABEL: define <2 x i32> @as_wide(
; CHECK-NOT: freeze
; CHECK: ret <2 x i32>
define <2 x i32> @as_wide(<2 x float> %x) {
  %y = fadd nnan <2 x float> %x, %x
  %v = bitcast <2 x float> %y to <2 x i32>
  ret <2 x i32> %v
}

; But private variables may, from which LLVM forwards what was stored.
; CHECK-LABEL: define i32 @variable(
; CHECK: freeze <2 x half>
define i32 @variable(i32 %i) {
  %variable = alloca [2 x <2 x half>]
  %p = getelementptr <2 x half>, ptr %variable, i32 %i
  %x = load <2 x half>, ptr %p, align 4
  %word = bitcast <2 x half> %x to i32
  ret i32 %word
}
