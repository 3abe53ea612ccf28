; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Frozen constants are constants; narrow conversions that are only stored need no freeze.
; RUN: lanecl-opt %s -p lower-freezes | FileCheck %s

; CHECK-LABEL: @constants(
; CHECK-NEXT: store i32 0
; CHECK-NEXT: store i32 0
; CHECK-NEXT: store <2 x i32> <i32 5, i32 0>
; CHECK-NEXT: store <2 x i32> zeroinitializer
; CHECK-NEXT: [[VALUE:%.*]] = freeze i32 %x
; CHECK-NEXT: store i32 [[VALUE]]
define void @constants(i32 %x, ptr %p) {
  %a = freeze i32 poison
  store i32 %a, ptr %p
  store i32 %a, ptr %p
  %b = freeze <2 x i32> <i32 5, i32 undef>
  store <2 x i32> %b, ptr %p
  %c = freeze <2 x i32> <i32 undef, i32 poison>
  store <2 x i32> %c, ptr %p
  %d = freeze i32 %x
  store i32 %d, ptr %p
  ret void
}

; CHECK-LABEL: @conversions(
; CHECK-NOT: freeze
; CHECK: shufflevector <8 x i8> %narrow
; CHECK: [[LOOKED_AT:%.*]] = freeze <8 x i8>
; CHECK: [[WIDE:%.*]] = freeze <8 x i32>
define void @conversions(<8 x float> %x, ptr %p) {
  %narrow = fptoui <8 x float> %x to <8 x i8>
  %bytes = freeze <8 x i8> %narrow
  %pairs = shufflevector <8 x i8> %bytes, <8 x i8> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
  store <8 x i8> %pairs, ptr %p
  %other = fptoui <8 x float> %x to <8 x i8>
  %looked_at = freeze <8 x i8> %other
  %extended = zext <8 x i8> %looked_at to <8 x i32>
  store <8 x i32> %extended, ptr %p
  %words = fptosi <8 x float> %x to <8 x i32>
  %wide = freeze <8 x i32> %words
  store <8 x i32> %wide, ptr %p
  ret void
}
