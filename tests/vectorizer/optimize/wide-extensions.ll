; RUN: lanecl-opt -p wide-extensions %s | FileCheck %s
; Halves that are taken out of a vector become floats together.

; CHECK-LABEL: @two(
; CHECK: %[[WIDE:.*]] = fpext <8 x half> %v to <8 x float>
; CHECK-NOT: fpext
; CHECK: extractelement <8 x float> %[[WIDE]], i64 0
; CHECK: extractelement <8 x float> %[[WIDE]], i64 5
define float @two(ptr %p) {
  %v = load <8 x half>, ptr %p
  %a = extractelement <8 x half> %v, i64 0
  %x = fpext half %a to float
  %b = extractelement <8 x half> %v, i64 5
  %y = fpext half %b to float
  %s = fadd float %x, %y
  ret float %s
}

; CHECK-LABEL: @one(
; CHECK: extractelement <8 x half>
define float @one(ptr %p) {
  %v = load <8 x half>, ptr %p
  %a = extractelement <8 x half> %v, i64 0
  %x = fpext half %a to float
  ret float %x
}
; Broadcasts to all lanes are extended together, too, but no other permutation.
; CHECK-LABEL: @splats(
; CHECK: %[[WIDE:.*]] = fpext <8 x half> %v to <8 x float>
; CHECK: shufflevector <8 x float> %[[WIDE]], <8 x float> poison, <8 x i32> <i32 3, i32 3,
; CHECK: shufflevector <8 x float> %[[WIDE]], <8 x float> poison, <8 x i32> zeroinitializer
; CHECK: shufflevector <8 x half> %v,
define <8 x float> @splats(ptr %p) {
  %v = load <8 x half>, ptr %p
  %a = shufflevector <8 x half> %v, <8 x half> poison, <8 x i32> splat (i32 3)
  %x = fpext <8 x half> %a to <8 x float>
  %b = shufflevector <8 x half> %v, <8 x half> poison, <8 x i32> zeroinitializer
  %y = fpext <8 x half> %b to <8 x float>
  %c = shufflevector <8 x half> %v, <8 x half> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
  %z = fpext <8 x half> %c to <8 x float>
  %s = fadd <8 x float> %x, %y
  %t = fadd <8 x float> %s, %z
  ret <8 x float> %t
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
