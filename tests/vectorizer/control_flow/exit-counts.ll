; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 -p canonicalize,linearize,exit-counts %s | FileCheck %s
; Lanes that leave a loop with its count have counted their own turns.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define i32 @next(
; CHECK: [[LEFT:%.*]] = phi i32 [ 1, %entry ], [ [[COUNTED:%.*]], %
; CHECK: %inside = fcmp ole float
; CHECK: [[STAYS:%.*]] = select i1 %live.0, i1 %inside, i1 false
; CHECK: [[MORE:%.*]] = add i32 [[LEFT]], 1
; CHECK: [[COUNTED]] = select i1 [[STAYS]], i32 [[MORE]], i32 [[LEFT]]
define i32 @next(float %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %start = uitofp i32 %lane to float
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %y, %loop ]
  %y = fadd float %x, %step
  %next = add i32 %count, 1
  %inside = fcmp ole float %y, 4.0
  br i1 %inside, label %loop, label %done
done:
  ret i32 %next
}

; The value is the number of turns before this one, counted down.
; CHECK-LABEL: define i32 @this(
; CHECK: [[LEFT:%.*]] = phi i32 [ %first, %entry ], [ [[COUNTED:%.*]], %
; CHECK: [[MORE:%.*]] = add i32 [[LEFT]], -1
; CHECK: [[COUNTED]] = select i1 %{{.*}}, i32 [[MORE]], i32 [[LEFT]]
define i32 @this(i32 %first, float %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %start = uitofp i32 %lane to float
  br label %loop
loop:
  %count = phi i32 [ %first, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %y, %loop ]
  %y = fadd float %x, %step
  %next = add i32 %count, -1
  %inside = fcmp ole float %y, 4.0
  br i1 %inside, label %loop, label %done
done:
  ret i32 %count
}

; A step of two is no count.
; CHECK-LABEL: define i32 @steps(
; CHECK: select i1 %{{.*}}, i32 %next, i32 %
define i32 @steps(float %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %start = uitofp i32 %lane to float
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %y, %loop ]
  %y = fadd float %x, %step
  %next = add i32 %count, 2
  %inside = fcmp ole float %y, 4.0
  br i1 %inside, label %loop, label %done
done:
  ret i32 %next
}
