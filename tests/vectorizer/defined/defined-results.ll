; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Operations whose result OpenCL leaves open have one, the same for all uses.
; RUN: lanecl-opt %s -p defined-results | FileCheck %s

; CHECK-LABEL: @conversion(
; CHECK-NEXT: [[ANY:%.*]] = fptosi float %x to i32
; CHECK-NEXT: [[RESULT:%.*]] = freeze i32 [[ANY]]
; CHECK-NEXT: [[SUM:%.*]] = add i32 [[RESULT]], [[RESULT]]
; CHECK-NEXT: [[ANY4:%.*]] = fptoui <4 x float> %v to <4 x i8>
; CHECK-NEXT: [[RESULT4:%.*]] = freeze <4 x i8> [[ANY4]]
; CHECK-NEXT: store <4 x i8> [[RESULT4]]
; CHECK-NEXT: ret i32 [[SUM]]
define i32 @conversion(float %x, <4 x float> %v, ptr %p) {
  %i = fptosi float %x to i32
  %sum = add i32 %i, %i
  %w = fptoui <4 x float> %v to <4 x i8>
  store <4 x i8> %w, ptr %p
  ret i32 %sum
}

; Constants become the nearest integer of the type, and 0 for NaN.
; CHECK-LABEL: @constants(
; CHECK-NEXT: store i32 2147483647
; CHECK-NEXT: store i32 0
; CHECK-NEXT: store i8 -128
; CHECK-NEXT: store <2 x i32> <i32 3, i32 -1>
; CHECK-NEXT: ret void
define void @constants(ptr %p) {
  %large = fptosi float 0x46293E5940000000 to i32
  store i32 %large, ptr %p
  %nan = fptosi float 0x7FF8000000000000 to i32
  store i32 %nan, ptr %p
  %least = fptosi double -1.0e9 to i8
  store i8 %least, ptr %p
  %vector = fptoui <2 x float> <float 3.5, float 0x46293E5940000000> to <2 x i32>
  store <2 x i32> %vector, ptr %p
  ret void
}

; An index beyond the vector names one of its components.
; CHECK-LABEL: @components(
; CHECK-NEXT: [[FOUR:%.*]] = and i32 %i, 3
; CHECK-NEXT: extractelement <4 x i32> %v, i32 [[FOUR]]
; CHECK-NEXT: [[THREE:%.*]] = call i32 @llvm.umin.i32(i32 %i, i32 2)
; CHECK-NEXT: insertelement <3 x i32> %w, i32 %i, i32 [[THREE]]
; CHECK-NEXT: [[KNOWN:%.*]] = and i32 %i, 1
; CHECK-NEXT: extractelement <4 x i32> %v, i32 [[KNOWN]]
; CHECK-NEXT: extractelement <4 x i32> %v, i32 1
define void @components(<4 x i32> %v, <3 x i32> %w, i32 %i) {
  %a = extractelement <4 x i32> %v, i32 %i
  %b = insertelement <3 x i32> %w, i32 %i, i32 %i
  %known = and i32 %i, 1
  %c = extractelement <4 x i32> %v, i32 %known
  %d = extractelement <4 x i32> %v, i32 5
  ret void
}

; CHECK-LABEL: @counts(
; CHECK-NEXT: call i32 @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK-NEXT: call i32 @llvm.cttz.i32(i32 %x, i1 false)
; CHECK-NEXT: call i32 @llvm.abs.i32(i32 %x, i1 false)
define void @counts(i32 %x) {
  %a = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  %b = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  %c = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret void
}
