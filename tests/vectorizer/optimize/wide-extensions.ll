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
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
