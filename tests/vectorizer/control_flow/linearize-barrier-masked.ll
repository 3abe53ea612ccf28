; RUN: lanecl-opt -p canonicalize,linearize %s | FileCheck %s
; A work-group barrier behind conditions that look divergent. All work-items reach it or none, which the program
; promises: the sub-group waits there once when any of its lanes is active, and not at all otherwise.

declare i32 @__lanecl_lane_id()
declare void @_Z27__lanecl_work_group_barrierj(i32)

; CHECK-LABEL: define void @one_side(
; CHECK: %[[ANY:.*]] = call i1 @lanecl.any(i1 %mask)
; CHECK-NEXT: br i1 %[[ANY]], label %then, label %join
; CHECK: then:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask)
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 1)
; CHECK-NEXT: br label %join
; CHECK: join:
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 2)
define void @one_side(i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, %n
  br i1 %c, label %then, label %join
then:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %join
join:
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  ret void
}

; Only one side has lanes.
; CHECK-LABEL: define void @both_sides(
; CHECK: %[[THEN:.*]] = call i1 @lanecl.any(i1 %[[TAKEN:mask.*]])
; CHECK-NEXT: br i1 %[[THEN]], label %then, label %[[BEHIND:.*]]
; CHECK: then:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %[[TAKEN]])
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 1)
; CHECK-NEXT: br label %[[BEHIND]]
; CHECK: else:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %[[OTHER:mask.*]])
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 2)
; CHECK: [[BEHIND]]:
; CHECK-NEXT: %[[ELSE:.*]] = call i1 @lanecl.any(i1 %[[OTHER]])
; CHECK-NEXT: br i1 %[[ELSE]], label %else, label %join
define void @both_sides(i32 %n, ptr addrspace(1) %p) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, %n
  br i1 %c, label %then, label %else
then:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %join
else:
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  br label %join
join:
  store i32 %lane, ptr addrspace(1) %p
  ret void
}

; The sub-group waits once in each turn, as long as a lane is left.
; CHECK-LABEL: define void @loop(
; CHECK: loop:
; CHECK: %[[LIVE:.*]] = phi i1 [ %entry.mask, %entry ], [ %[[STAY:.*]], %[[AGAIN:.*]] ]
; CHECK: call void @lanecl.block.mask(i1 %[[LIVE]])
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 1)
; CHECK: %[[STAY]] = select i1 %[[LIVE]], i1 %c, i1 false
; CHECK: %[[ANY:.*]] = call i1 @lanecl.any(i1 %[[STAY]])
; CHECK-NEXT: br i1 %[[ANY]], label %[[AGAIN]], label %exit
; CHECK: exit:
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 2)
define void @loop(i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %trips = add i32 %lane, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %trips
  br i1 %c, label %loop, label %exit
exit:
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  ret void
}

; A uniform loop inside a condition that looks divergent has one test in front of it and none in it.
; CHECK-LABEL: define void @nested(
; CHECK: call i1 @lanecl.any(i1 %mask)
; CHECK-NOT: @lanecl.any
; CHECK: loop:
; CHECK: call void @lanecl.block.mask(i1 %mask)
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 1)
; CHECK: br i1 %c, label %{{.*}}, label %{{.*}}
; CHECK-NOT: @lanecl.any
; CHECK: call void @_Z27__lanecl_work_group_barrierj(i32 2)
define void @nested(i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %d = icmp slt i32 %lane, %n
  br i1 %d, label %before, label %exit
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %next, %loop ]
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
