; RUN: lanecl-opt -p canonicalize,linearize %s | FileCheck %s
; Loops run while a lane is left, with one test in each turn.

declare i32 @__lanecl_lane_id()

; The counter is the same for all lanes and stays one value; what leaves the loop is kept when a lane leaves.
; CHECK-LABEL: define void @do_while(
; CHECK: loop:
; CHECK: %[[LIVE:.*]] = phi i1 [ %entry.mask, %entry ], [ %[[STAY:.*]], %{{.*}} ]
; CHECK: %[[KEPT:.*]] = phi i32 [ poison, %entry ], [ %[[KEEP:.*]], %{{.*}} ]
; CHECK: call void @lanecl.block.mask(i1 %[[LIVE]])
; CHECK: %next = add i32
; CHECK: %[[STAY]] = select i1 %[[LIVE]], i1 %c, i1 false
; CHECK: %[[LEAVE:.*]] = and i1 %[[LIVE]]
; CHECK: %[[KEEP]] = select i1 %[[LEAVE]], i32 %next, i32 %[[KEPT]]
; CHECK: %any = call i1 @lanecl.any(i1 %[[STAY]])
; CHECK: store i32 %[[KEEP]]
define void @do_while(ptr addrspace(1) %p) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %c = icmp slt i32 %next, %lane
  br i1 %c, label %loop, label %exit
exit:
  store i32 %next, ptr addrspace(1) %p
  ret void
}

; A loop with a uniform end is a loop under the mask around it.
; CHECK-LABEL: define void @uniform_loop_under_mask(
; CHECK: call void @lanecl.block.mask(i1 %mask)
; CHECK-NOT: select i1 %mask
; CHECK: br i1 %c
; CHECK: ret void
define void @uniform_loop_under_mask(ptr addrspace(1) %p, i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %d = icmp slt i32 %lane, 3
  br i1 %d, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; `continue`: the lanes meet again at the end of the iteration, none leaves the loop, and it keeps its own branch.
; CHECK-LABEL: define void @continue(
; CHECK: rest:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask{{.*}})
; CHECK-NEXT: store
; CHECK: br i1 %c, label %{{.*}}, label %{{.*}}
define void @continue(ptr addrspace(1) %p, i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %skip = icmp eq i32 %i, %lane
  br i1 %skip, label %latch, label %rest
rest:
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A loop without an end is no problem for the lanes that do not enter it.
; CHECK-LABEL: define void @endless(
; CHECK: br i1 %any, label %[[LOOP:.*]], label %{{.*}}
; CHECK: call void @lanecl.block.mask(i1 %mask)
; CHECK: ret void
define void @endless(ptr addrspace(1) %p) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %d = icmp sgt i32 %lane, 100
  br i1 %d, label %loop, label %exit
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
exit:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
