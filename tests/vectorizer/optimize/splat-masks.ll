; RUN: lanecl-opt --isa avx512 -p splat-masks %s | FileCheck %s
; RUN: lanecl-opt --isa avx2 -p splat-masks %s | FileCheck %s --check-prefix AVX2
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The bits of a mask of 32 lanes go to all lanes through an instruction that hides the mask.

; CHECK-LABEL: @ballot(
; CHECK: %[[HIDDEN:.*]] = call i32 @llvm.x86.bmi.bzhi.32(i32 %bits, i32 32)
; CHECK: insertelement <16 x i32> poison, i32 %[[HIDDEN]], i64 0
define <32 x i16> @ballot(<32 x i16> %v, <16 x i32> %w) {
  %mask = icmp ne <32 x i16> %v, zeroinitializer
  %bits = bitcast <32 x i1> %mask to i32
  %first = insertelement <16 x i32> poison, i32 %bits, i64 0
  %splat = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %sum = add <16 x i32> %splat, %w
  %short = bitcast <16 x i32> %sum to <32 x i16>
  ret <32 x i16> %short
}

; A comparison of two registers has two masks, whose bits are joined outside of the mask registers.
; CHECK-LABEL: @halves(
; CHECK: [[HIGH:%.*]] = shufflevector <32 x i1> %mask, <32 x i1> poison, <16 x i32> <i32 16,
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> [[HIGH]] to i16
; CHECK: [[NUMBER:%.*]] = zext i16 [[BITS]] to i32
; CHECK: [[UPPER:%.*]] = shl i32 [[NUMBER]], 16
; CHECK: [[LOW:%.*]] = shufflevector <32 x i1> %mask, <32 x i1> poison, <16 x i32> <i32 0,
; CHECK: [[ALL:%.*]] = or i32 [[UPPER]],
; CHECK: insertelement <16 x i32> poison, i32 [[ALL]], i64 0
define <16 x i32> @halves(<32 x i32> %v, <16 x i32> %w) {
  %mask = icmp ne <32 x i32> %v, zeroinitializer
  %bits = bitcast <32 x i1> %mask to i32
  %first = insertelement <16 x i32> poison, i32 %bits, i64 0
  %splat = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %sum = add <16 x i32> %splat, %w
  ret <16 x i32> %sum
}

; AVX2-NOT: bzhi

; Other integers, and masks of 16 lanes, are copied as they are.
; CHECK-LABEL: @others(
; CHECK: insertelement <16 x i32> poison, i32 %number, i64 0
; CHECK: insertelement <16 x i16> poison, i16 %bits, i64 0
define <16 x i16> @others(<16 x i32> %v, i32 %number) {
  %first = insertelement <16 x i32> poison, i32 %number, i64 0
  %splat = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %mask = icmp ne <16 x i32> %v, %splat
  %bits = bitcast <16 x i1> %mask to i16
  %short = insertelement <16 x i16> poison, i16 %bits, i64 0
  %all = shufflevector <16 x i16> %short, <16 x i16> poison, <16 x i32> zeroinitializer
  ret <16 x i16> %all
}
