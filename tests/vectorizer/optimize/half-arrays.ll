; RUN: lanecl-opt -p half-chains %s | FileCheck %s
; Private arrays of results with excess precision hold floats.

; CHECK-LABEL: @sums(
; CHECK: %sums = alloca [8 x float], align 4
; CHECK: store <2 x float> zeroinitializer, ptr %sums
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr %sums, i64 %i
; CHECK: %[[SUM:.*]] = load float, ptr %[[AT]], align 4
; CHECK-NOT: fptrunc
; CHECK: %[[NEXT:.*]] = fadd reassoc contract float %[[SUM]],
; CHECK-NEXT: store float %[[NEXT]], ptr %[[AT]]
; CHECK: %[[EIGHT:.*]] = getelementptr i16, ptr %sums, i64 4
; CHECK: %[[LAST:.*]] = load <2 x float>, ptr %[[EIGHT]], align 4
; CHECK: fptrunc <2 x float> %[[LAST]] to <2 x half>
define <2 x half> @sums(i64 %i, half %x) {
  %sums = alloca [8 x half], align 2
  store i32 0, ptr %sums, align 2
  %at = getelementptr inbounds half, ptr %sums, i64 %i
  %sum = load half, ptr %at, align 2
  %next = fadd reassoc contract half %sum, %x
  store half %next, ptr %at, align 2
  %end = getelementptr i8, ptr %sums, i64 4
  %last = load <2 x half>, ptr %end, align 2
  ret <2 x half> %last
}

; Bits are those of halves.
; CHECK-LABEL: @bits(
; CHECK: %[[FLOATS:.*]] = load <2 x float>, ptr %sums
; CHECK: %[[HALVES:.*]] = fptrunc <2 x float> %[[FLOATS]] to <2 x half>
; CHECK: bitcast <2 x half> %[[HALVES]] to <2 x i16>
define <2 x i16> @bits(i64 %i, half %x) {
  %sums = alloca [8 x half], align 2
  %at = getelementptr inbounds half, ptr %sums, i64 %i
  %square = fmul reassoc contract half %x, %x
  store half %square, ptr %at, align 2
  %bits = load <2 x i16>, ptr %sums, align 2
  ret <2 x i16> %bits
}

; Arrays that are accessed by smaller pieces, or whose address goes elsewhere, stay halves.
; CHECK-LABEL: @bytes(
; CHECK: alloca [8 x half]
define i8 @bytes(i64 %i, half %x) {
  %sums = alloca [8 x half], align 2
  %at = getelementptr inbounds half, ptr %sums, i64 %i
  %square = fmul reassoc contract half %x, %x
  store half %square, ptr %at, align 2
  %byte = load i8, ptr %sums, align 2
  ret i8 %byte
}

; CHECK-LABEL: @escapes(
; CHECK: alloca [8 x half]
define ptr @escapes(i64 %i, half %x) {
  %sums = alloca [8 x half], align 2
  %at = getelementptr inbounds half, ptr %sums, i64 %i
  %square = fmul reassoc contract half %x, %x
  store half %square, ptr %at, align 2
  ret ptr %at
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
