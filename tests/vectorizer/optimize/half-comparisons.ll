; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt --isa avx2 -p half-comparisons %s | FileCheck %s
; Vectors of halves are compared as floats where there is no instruction for it.

; CHECK-LABEL: @both(
; CHECK: %[[A:.*]] = fpext <16 x half> %a to <16 x float>
; CHECK: %[[B:.*]] = fpext <16 x half> %b to <16 x float>
; CHECK: fcmp ult <16 x float> %[[A]], %[[B]]
define <16 x float> @both(<16 x half> %a, <16 x half> %b, <16 x float> %x, <16 x float> %y) {
  %less = fcmp ult <16 x half> %a, %b
  %r = select <16 x i1> %less, <16 x float> %x, <16 x float> %y
  ret <16 x float> %r
}

; CHECK-LABEL: @with_constant(
; CHECK: %[[A:.*]] = fpext <8 x half> %a to <8 x float>
; CHECK: fcmp oeq <8 x float> %[[A]], splat (float 0x7FF0000000000000)
define <8 x i1> @with_constant(<8 x half> %a) {
  %infinite = fcmp oeq <8 x half> %a, splat (half 0xH7C00)
  ret <8 x i1> %infinite
}

; A scalar has no mask.
; CHECK-LABEL: @scalar(
; CHECK: fcmp oeq half
define i1 @scalar(half %a) {
  %r = fcmp oeq half %a, 1.0
  ret i1 %r
}
