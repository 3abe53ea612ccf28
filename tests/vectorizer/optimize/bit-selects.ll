; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt --isa avx2 -p bit-selects %s | FileCheck %s
; RUN: lanecl-opt --isa avx512 -p bit-selects %s | FileCheck --check-prefix MASKS %s
; Selects by one bit blend by the sign that it is shifted to.

; CHECK-LABEL: @clear(
; CHECK: %[[SIGNS:.*]] = shl <8 x i32> %bits, splat (i32 28)
; CHECK: call <8 x float> @llvm.x86.avx.blendv.ps.256(<8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x float>
; CHECK-NOT: select
; MASKS-NOT: blendv
define <8 x i32> @clear(<8 x i32> %bits, <8 x i32> %a, <8 x i32> %b) {
  %bit = and <8 x i32> %bits, splat (i32 8)
  %none = icmp eq <8 x i32> %bit, zeroinitializer
  %r = select <8 x i1> %none, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}

; The select fills two registers, and its operands are exchanged.
; CHECK-LABEL: @two(
; CHECK: shl <16 x i32> %bits, splat (i32 31)
; CHECK: call <8 x float> @llvm.x86.avx.blendv.ps.256(<8 x float> %[[B:.*]], <8 x float> %[[A:.*]],
; CHECK: call <8 x float> @llvm.x86.avx.blendv.ps.256(
; CHECK-NOT: select
define <16 x float> @two(<16 x i32> %bits, <16 x float> %a, <16 x float> %b) {
  %bit = and <16 x i32> %bits, splat (i32 1)
  %some = icmp ne <16 x i32> %bit, zeroinitializer
  %r = select <16 x i1> %some, <16 x float> %a, <16 x float> %b
  ret <16 x float> %r
}

; The comparison tests the highest bit that may be set.
; CHECK-LABEL: @highest(
; CHECK: shl <8 x i32> %bits, splat (i32 28)
; CHECK: blendv
define <8 x i32> @highest(<8 x i32> %bits, <8 x i32> %a, <8 x i32> %b) {
  %low = and <8 x i32> %bits, splat (i32 15)
  %small = icmp ult <8 x i32> %low, splat (i32 8)
  %r = select <8 x i1> %small, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}

; A higher one may be set, too.
; CHECK-LABEL: @not_highest(
; CHECK: select
define <8 x i32> @not_highest(<8 x i32> %bits, <8 x i32> %a, <8 x i32> %b) {
  %low = and <8 x i32> %bits, splat (i32 31)
  %small = icmp ult <8 x i32> %low, splat (i32 8)
  %r = select <8 x i1> %small, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}

; The elements are wider or narrower than those of the mask.
; CHECK-LABEL: @narrow(
; CHECK: select
define <16 x i16> @narrow(<16 x i32> %bits, <16 x i16> %a, <16 x i16> %b) {
  %bit = and <16 x i32> %bits, splat (i32 8)
  %none = icmp eq <16 x i32> %bit, zeroinitializer
  %r = select <16 x i1> %none, <16 x i16> %a, <16 x i16> %b
  ret <16 x i16> %r
}

; The select takes all elements or none.
; CHECK-LABEL: @scalar(
; CHECK: select i1
define <8 x i32> @scalar(i32 %bits, <8 x i32> %a, <8 x i32> %b) {
  %bit = and i32 %bits, 8
  %none = icmp eq i32 %bit, 0
  %r = select i1 %none, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}
