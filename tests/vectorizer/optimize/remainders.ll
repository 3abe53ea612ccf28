; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Products of a quotient and its divisor become differences, so that rows and columns of an index give the index.
; RUN: lanecl-opt %s -p safe-division,quotients-by-zero,early-cse,remainders,early-cse,instcombine | FileCheck %s

; CHECK-LABEL: @index(
; CHECK-NEXT: ret i32 %i
define i32 @index(i32 %i, i32 %w) {
  %row = udiv i32 %i, %w
  %column = urem i32 %i, %w
  %start = mul i32 %row, %w
  %sum = add i32 %start, %column
  ret i32 %sum
}

; The row is also used elsewhere.
; CHECK-LABEL: @signed(
; CHECK: store i64 {{.*}}, ptr %p
; CHECK-NEXT: ret i64 %i
define i64 @signed(i64 %i, i64 %w, ptr %p) {
  %row = sdiv i64 %i, %w
  store i64 %row, ptr %p
  %start = mul i64 %w, %row
  %column = srem i64 %i, %w
  %sum = add i64 %column, %start
  ret i64 %sum
}

; CHECK-LABEL: @column(
; CHECK-NOT: mul
; CHECK: urem
; CHECK: ret
define i32 @column(i32 %i, i32 %w) {
  %row = udiv i32 %i, %w
  %start = mul i32 %row, %w
  %column = sub i32 %i, %start
  ret i32 %column
}

; The quotient is needed in any case, and a remainder is not.
; CHECK-LABEL: @quotient(
; CHECK: mul
; CHECK-NOT: urem
define i32 @quotient(i32 %i, i32 %w, ptr %p) {
  %row = udiv i32 %i, %w
  store i32 %row, ptr %p
  %start = mul i32 %row, %w
  ret i32 %start
}

; CHECK-LABEL: @other(
; CHECK: mul
define i32 @other(i32 %i, i32 %w, i32 %v) {
  %row = udiv i32 %i, %w
  %start = mul i32 %row, %v
  ret i32 %start
}

; The division has another divisor than the one that is asked for zero.
; CHECK-LABEL: @other_divisor(
; CHECK: mul
define i32 @other_divisor(i32 %x, i32 %y, i32 %w) {
  %divisor = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %row = udiv i32 %x, %divisor
  %zero = icmp eq i32 %y, 0
  %result = select i1 %zero, i32 -1, i32 %row
  %start = mul i32 %result, %y
  ret i32 %start
}

; Something else chooses the quotient.
; CHECK-LABEL: @other_choice(
; CHECK: mul
define i32 @other_choice(i32 %x, i32 %y, i32 %w) {
  %divisor = call i32 @llvm.umax.i32(i32 %y, i32 1)
  %row = udiv i32 %x, %divisor
  %zero = icmp eq i32 %w, 0
  %result = select i1 %zero, i32 -1, i32 %row
  %start = mul i32 %result, %y
  ret i32 %start
}

; Nothing chooses the quotient by -1.
; CHECK-LABEL: @no_choice(
; CHECK: mul
define i32 @no_choice(i32 %x, i32 %y) {
  %more = add i32 %y, 1
  %unsafe = icmp ult i32 %more, 2
  %divisor = select i1 %unsafe, i32 1, i32 %y
  %row = sdiv i32 %x, %divisor
  %zero = icmp eq i32 %y, 0
  %result = select i1 %zero, i32 -1, i32 %row
  %start = mul i32 %result, %y
  ret i32 %start
}

; A program's own choice for -1 is no part of a safe division.
; CHECK-LABEL: @own_result(
; CHECK: mul
; CHECK: ret
define i32 @own_result(i32 %i, i32 %w) {
  %more = add i32 %w, 1
  %unsafe = icmp ult i32 %more, 2
  %divisor = select i1 %unsafe, i32 1, i32 %w
  %quotient = sdiv i32 %i, %divisor
  %minus.one = icmp eq i32 %w, -1
  %chosen = select i1 %minus.one, i32 42, i32 %quotient
  %zero = icmp eq i32 %w, 0
  %row = select i1 %zero, i32 -1, i32 %chosen
  %start = mul i32 %row, %w
  ret i32 %start
}

declare i32 @llvm.umax.i32(i32, i32)
