; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt --isa avx2 -p short-products %s | FileCheck %s
; RUN: lanecl-opt --isa avx512 -p short-products %s | FileCheck --check-prefix WIDE %s
; Products of shorts with many uses add up two of them, one of which is zero.

; The factor with more uses has its upper halves cleared, once.
; CHECK-LABEL: @row(
; CHECK: %x = sext <16 x i8> %a to <16 x i32>
; CHECK: %[[X:.*]] = and <16 x i32> %x, splat (i32 65535)
; CHECK-COUNT-6: call <8 x i32> @llvm.x86.avx2.pmadd.wd(
; CHECK-NOT: mul <16
; WIDE-LABEL: @row(
; WIDE-COUNT-3: call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(
; WIDE-NOT: mul <16
; WIDE: ret <16 x i32>
define <16 x i32> @row(<16 x i8> %a, <16 x i8> %b, <16 x i16> %c) {
  %x = sext <16 x i8> %a to <16 x i32>
  %y = sext <16 x i8> %b to <16 x i32>
  %z = sext <16 x i16> %c to <16 x i32>
  %xy = mul <16 x i32> %x, %y
  %xz = mul <16 x i32> %z, %x
  %yz = mul <16 x i32> %z, %y
  %s = add <16 x i32> %xy, %xz
  %t = add <16 x i32> %s, %yz
  %u = add <16 x i32> %t, %x
  ret <16 x i32> %u
}

; The factors have 17 bits.
; CHECK-LABEL: @unsigned(
; CHECK-COUNT-2: mul <16 x i32>
define <16 x i32> @unsigned(<16 x i16> %a, <16 x i16> %b) {
  %x = zext <16 x i16> %a to <16 x i32>
  %y = zext <16 x i16> %b to <16 x i32>
  %xy = mul <16 x i32> %x, %y
  %n = xor <16 x i32> %xy, %x
  %ny = mul <16 x i32> %n, %y
  ret <16 x i32> %ny
}

; With one use LLVM does it.
; CHECK-LABEL: @once(
; CHECK: mul <16 x i32>
define <16 x i32> @once(<16 x i8> %a, <16 x i8> %b) {
  %x = sext <16 x i8> %a to <16 x i32>
  %y = sext <16 x i8> %b to <16 x i32>
  %xy = mul <16 x i32> %x, %y
  ret <16 x i32> %xy
}
