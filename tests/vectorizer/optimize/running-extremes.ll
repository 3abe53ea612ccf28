; RUN: lanecl-opt -p running-extremes %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare float @llvm.minnum.f32(float, float)
declare <8 x float> @read(i32)

; It begins as a number and stays one, whatever is compared with it, under a mask, too.
; CHECK-LABEL: define <8 x float> @maximum(
; CHECK: %largest = phi <8 x float> [ splat (float 0xFFF0000000000000), %entry ], [ %kept, %loop ]
; CHECK: [[BEYOND:%.*]] = fcmp ogt <8 x float> %value, %largest
; CHECK-NEXT: %larger = select <8 x i1> [[BEYOND]], <8 x float> %value, <8 x float> %largest
; CHECK-NEXT: %kept = select <8 x i1> %mask, <8 x float> %larger, <8 x float> %largest
define <8 x float> @maximum(i32 %n, <8 x i1> %mask) {
entry:
  br label %loop

loop:
  %largest = phi <8 x float> [ splat (float 0xFFF0000000000000), %entry ], [ %kept, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = call <8 x float> @read(i32 %i)
  %larger = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %largest, <8 x float> %value)
  %kept = select <8 x i1> %mask, <8 x float> %larger, <8 x float> %largest
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret <8 x float> %kept
}

; The number may be the second operand, and what is known of one minimum holds for the next.
; CHECK-LABEL: define float @minimum(
; CHECK: [[A:%.*]] = fcmp olt float %a, %smallest
; CHECK-NEXT: %first = select i1 [[A]], float %a, float %smallest
; CHECK-NEXT: [[B:%.*]] = fcmp olt float %b, %first
; CHECK-NEXT: %second = select i1 [[B]], float %b, float %first
define float @minimum(i32 %n, float %a, float %b) {
entry:
  br label %loop

loop:
  %smallest = phi float [ 1.000000e+00, %entry ], [ %second, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %first = call float @llvm.minnum.f32(float %a, float %smallest)
  %second = call float @llvm.minnum.f32(float %first, float %b)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret float %second
}

; What begins as anything may be NaN, and then the other operand is the result.
; CHECK-LABEL: define float @anything(
; CHECK: %least = call float @llvm.minnum.f32(float %smallest, float %a)
define float @anything(i32 %n, float %first, float %a) {
entry:
  br label %loop

loop:
  %smallest = phi float [ %first, %entry ], [ %least, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %least = call float @llvm.minnum.f32(float %smallest, float %a)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret float %least
}

; What changes otherwise in the loop may become NaN.
; CHECK-LABEL: define float @changed(
; CHECK: %least = call float @llvm.minnum.f32(float %smallest, float %a)
define float @changed(i32 %n, float %a, float %b) {
entry:
  br label %loop

loop:
  %smallest = phi float [ 0.000000e+00, %entry ], [ %sum, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %least = call float @llvm.minnum.f32(float %smallest, float %a)
  %sum = fadd float %least, %b
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret float %sum
}
