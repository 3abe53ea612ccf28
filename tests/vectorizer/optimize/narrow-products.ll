; RUN: lanecl-opt -p narrow-products %s | FileCheck %s
; A product of 64 bits whose factors fit into 16 is one of 32.

; CHECK-LABEL: define <8 x i64> @signed(
; CHECK: %[[X:.*]] = trunc <8 x i64> %b to <8 x i32>
; CHECK: %[[M:.*]] = mul <8 x i32> %[[X]], splat (i32 -7)
; CHECK: sext <8 x i32> %[[M]] to <8 x i64>
define <8 x i64> @signed(<8 x i8> %a) {
  %b = sext <8 x i8> %a to <8 x i64>
  %m = mul <8 x i64> %b, splat (i64 -7)
  ret <8 x i64> %m
}

; CHECK-LABEL: define <8 x i64> @unsigned(
; CHECK: %[[M:.*]] = mul <8 x i32>
; CHECK: zext <8 x i32> %[[M]] to <8 x i64>
define <8 x i64> @unsigned(<8 x i16> %a, <8 x i64> %c) {
  %b = zext <8 x i16> %a to <8 x i64>
  %d = and <8 x i64> %c, splat (i64 65535)
  %m = mul <8 x i64> %b, %d
  ret <8 x i64> %m
}

; One may be negative, the other larger than a short. 32 bits do not hold their product.
; CHECK-LABEL: define <8 x i64> @mixed(
; CHECK: mul <8 x i64>
define <8 x i64> @mixed(<8 x i16> %a, <8 x i16> %c) {
  %b = sext <8 x i16> %a to <8 x i64>
  %d = zext <8 x i16> %c to <8 x i64>
  %m = mul <8 x i64> %b, %d
  ret <8 x i64> %m
}

; CHECK-LABEL: define <8 x i64> @wider(
; CHECK: mul <8 x i64>
define <8 x i64> @wider(<8 x i17> %a) {
  %b = sext <8 x i17> %a to <8 x i64>
  %m = mul <8 x i64> %b, splat (i64 3)
  ret <8 x i64> %m
}

; CHECK-LABEL: define i64 @scalar(
; CHECK: mul i64
define i64 @scalar(i8 %a) {
  %b = sext i8 %a to i64
  %m = mul i64 %b, 7
  ret i64 %m
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
