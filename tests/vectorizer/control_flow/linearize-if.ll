; RUN: lanecl-opt -p canonicalize,linearize %s | FileCheck %s
; These are branches without loops.

declare i32 @__lanecl_lane_id()

; A side without memory is not worth a branch: it runs for all lanes, and the mask chooses.
; CHECK-LABEL: define void @blend(
; CHECK: %[[MASK:.*]] = select i1 %entry.mask, i1 %c, i1 false
; CHECK-NOT: br
; CHECK: %[[X:.*]] = add i32 %lane, 1
; CHECK: %[[V:.*]] = select i1 %[[MASK]], i32 %[[X]], i32 0
; CHECK: store i32 %[[V]]
; CHECK: ret void
define void @blend(ptr addrspace(1) %p) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, 3
  br i1 %c, label %then, label %join
then:
  %x = add i32 %lane, 1
  br label %join
join:
  %v = phi i32 [ %x, %then ], [ 0, %entry ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; A division might trap for a lane that did not ask for it.
; CHECK-LABEL: define void @guarded_division(
; CHECK: br i1 %any, label %then
; CHECK: then:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask)
; CHECK-NEXT: udiv
define void @guarded_division(ptr addrspace(1) %p) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp ne i32 %lane, 0
  br i1 %c, label %then, label %join
then:
  %x = udiv i32 100, %lane
  br label %join
join:
  %v = phi i32 [ %x, %then ], [ 0, %entry ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; Both sides are guarded and run one after the other; behind them the mask is the one before.
; CHECK-LABEL: define void @if_else(
; CHECK: %[[THEN:mask.*]] = select i1 %entry.mask, i1 %c, i1 false
; CHECK: %[[ELSE:mask.*]] = and i1 %entry.mask, %{{.*}}
; CHECK: call i1 @lanecl.any(i1 %[[THEN]])
; CHECK: then:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %[[THEN]])
; CHECK: else:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %[[ELSE]])
; CHECK: select i1 %[[ELSE]], i32 %u, i32 {{.*}}
; CHECK: phi i32
; CHECK-NOT: block.mask
; CHECK: store i32
define void @if_else(ptr addrspace(1) %p, i32 %u) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, 3
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr addrspace(1) %p
  br label %join
else:
  store i32 2, ptr addrspace(1) %p
  br label %join
join:
  %v = phi i32 [ 1, %then ], [ %u, %else ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; A uniform branch under a mask stays a branch, and so does `a || b`.
; CHECK-LABEL: define void @uniform_inside(
; CHECK: then:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask)
; CHECK-NEXT: br i1 %a, label %both, label %or
; CHECK: or:
; CHECK: br i1 %b, label %both, label %join
; CHECK: both:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask)
; CHECK-NEXT: store i32 1
define void @uniform_inside(ptr addrspace(1) %p, i1 %a, i1 %b) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, 3
  br i1 %c, label %then, label %join
then:
  br i1 %a, label %both, label %or
or:
  br i1 %b, label %both, label %join
both:
  store i32 1, ptr addrspace(1) %p
  br label %join
join:
  ret void
}

; Lanes that return early are gone for the rest; when all have, so is the sub-group.
; CHECK-LABEL: define void @early_return(
; CHECK: %mask = select i1 %entry.mask, i1 %c, i1 false
; CHECK: %any = call i1 @lanecl.any(i1 %mask)
; CHECK: br i1 %any, label %[[REST:.*]], label %[[RETURN:.*]]
; CHECK: [[REST]]:
; CHECK-NEXT: call void @lanecl.block.mask(i1 %mask)
; CHECK-NEXT: store
define void @early_return(ptr addrspace(1) %p, i32 %n) {
entry:
  %lane = call i32 @__lanecl_lane_id()
  %c = icmp slt i32 %lane, %n
  br i1 %c, label %body, label %return
body:
  store i32 1, ptr addrspace(1) %p
  br label %return
return:
  ret void
}

; Nothing diverges, so nothing changes.
; CHECK-LABEL: define void @uniform(
; CHECK-NOT: lanecl.
; CHECK: br i1 %a, label %then, label %join
; CHECK-NOT: lanecl.
; CHECK: ret void
define void @uniform(ptr addrspace(1) %p, i1 %a) {
entry:
  br i1 %a, label %then, label %join
then:
  store i32 1, ptr addrspace(1) %p
  br label %join
join:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
