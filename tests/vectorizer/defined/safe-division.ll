; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Divisions get a result for every operand.
; RUN: lanecl-opt %s -p safe-division | FileCheck %s

; What x / 0 is, another pass chooses.
; CHECK-LABEL: @unsigned(
; CHECK-NEXT: [[DIVISOR:%.*]] = call i32 @llvm.umax.i32(i32 %y, i32 1)
; CHECK-NEXT: [[QUOTIENT:%.*]] = udiv i32 %x, [[DIVISOR]]
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i32 %y, 0
; CHECK-NEXT: [[BY_ZERO:%.*]] = call i32 @lanecl.quotient.by.zero.i32(i32 %x)
; CHECK-NEXT: [[RESULT:%.*]] = select i1 [[ZERO]], i32 [[BY_ZERO]], i32 [[QUOTIENT]]
; CHECK-NEXT: ret i32 [[RESULT]]
define i32 @unsigned(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  ret i32 %q
}

; x % 0 is x.
; CHECK-LABEL: @remainder(
; CHECK: [[REST:%.*]] = urem i32 %x, %divisor
; CHECK: select i1 {{%.*}}, i32 %x, i32 [[REST]]
define i32 @remainder(i32 %x, i32 %y) {
  %r = urem i32 %x, %y
  ret i32 %r
}

; The smallest integer by -1 is the smallest integer.
; CHECK-LABEL: @signed(
; CHECK-NEXT: [[NEXT:%.*]] = add i64 %y, 1
; CHECK-NEXT: [[UNSAFE:%.*]] = icmp ult i64 [[NEXT]], 2
; CHECK-NEXT: [[DIVISOR:%.*]] = select i1 [[UNSAFE]], i64 1, i64 %y
; CHECK-NEXT: [[QUOTIENT:%.*]] = sdiv i64 %x, [[DIVISOR]]
; CHECK-NEXT: [[MINUS_ONE:%.*]] = icmp eq i64 %y, -1
; CHECK-NEXT: [[NEGATED:%.*]] = sub i64 0, %x
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[MINUS_ONE]], i64 [[NEGATED]], i64 [[QUOTIENT]]
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i64 %y, 0
; CHECK-NEXT: [[BY_ZERO:%.*]] = call i64 @lanecl.quotient.by.zero.i64(i64 %x)
; CHECK-NEXT: select i1 [[ZERO]], i64 [[BY_ZERO]], i64 [[SAFE]]
define i64 @signed(i64 %x, i64 %y) {
  %q = sdiv i64 %x, %y
  ret i64 %q
}

; Its remainder is 0, as that of a division by 1.
; CHECK-LABEL: @signed_remainder(
; CHECK: [[REST:%.*]] = srem i32 %x, %divisor
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i32 %y, 0
; CHECK-NEXT: select i1 [[ZERO]], i32 %x, i32 [[REST]]
define i32 @signed_remainder(i32 %x, i32 %y) {
  %r = srem i32 %x, %y
  ret i32 %r
}

; What was a char is not the smallest integer.
; CHECK-LABEL: @promoted(
; CHECK: call i32 @llvm.umax.i32(i32 %y, i32 1)
; CHECK-NOT: -1
; CHECK: select i1 {{%.*}}, i32 %by_zero, i32
; CHECK-NEXT: ret
define i32 @promoted(i8 %x, i32 %y) {
  %wide = sext i8 %x to i32
  %q = sdiv i32 %wide, %y
  ret i32 %q
}

; Constants need nothing, unless one of them is 0, or -1.
; CHECK-LABEL: @constants(
; CHECK-NEXT: udiv i32 %x, 7
; CHECK-NEXT: sdiv <2 x i32> %v, <i32 3, i32 -2>
; CHECK-NEXT: urem <2 x i32> %v, splat (i32 -1)
; CHECK-NEXT: ret void
define void @constants(i32 %x, <2 x i32> %v) {
  %a = udiv i32 %x, 7
  %b = sdiv <2 x i32> %v, <i32 3, i32 -2>
  %c = urem <2 x i32> %v, <i32 -1, i32 -1>
  ret void
}

; Each component has a result of its own.
; CHECK-LABEL: @vector(
; CHECK: sdiv <2 x i32> %v, <i32 3, i32 1>
; CHECK: [[BY_ZERO:%.*]] = call <2 x i32> @lanecl.quotient.by.zero.i32x2(<2 x i32> %v)
; CHECK: select <2 x i1> <i1 false, i1 true>, <2 x i32> [[BY_ZERO]],
define <2 x i32> @vector(<2 x i32> %v) {
  %q = sdiv <2 x i32> %v, <i32 3, i32 0>
  ret <2 x i32> %q
}
