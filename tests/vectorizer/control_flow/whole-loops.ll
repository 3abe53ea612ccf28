; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 -p whole-loops %s | FileCheck %s
; RUN: lanecl-opt -w 8 --local-size 64,1,1 -p whole-loops,canonicalize,linearize,widen %s | FileCheck %s --check-prefix=LANES
; While all lanes go on, a loop needs no mask: a copy that asks for all of them comes first.

declare i32 @_Z16__lanecl_lane_idv()
declare void @_Z22__lanecl_sub_group_barrierj(i32) convergent

; CHECK-LABEL: define void @guarded(
; CHECK: [[ENTERS:%.*]] = icmp ult i64 %l, %n
; CHECK: [[ALL:%.*]] = call i1 @lanecl.whole(i1 [[ENTERS]])
; CHECK: br i1 [[ALL]], label %{{.*}}.whole, label %rest
; CHECK: loop.whole:
; CHECK: [[MORE:%.*]] = icmp ult i64 %{{.*}}, %n
; CHECK: [[GO:%.*]] = call i1 @lanecl.whole(i1 [[MORE]])
; CHECK: br i1 [[GO]], label %loop.whole, label %rest
; CHECK: rest:
; CHECK-DAG: [[LEFT:%.*]] = phi i1 [ [[ENTERS]], %entry ], [ [[MORE]], %loop.whole ]
; CHECK-DAG: phi float [ 0.000000e+00, %entry ], [ %next.sum.whole, %loop.whole ]
; CHECK: br i1 [[LEFT]], label %loop.preheader, label %exit
; CHECK: loop:
; CHECK-NOT: whole
; CHECK: ret void
; The first and the last lane speak for all; in the copy there is no mask.
; LANES-LABEL: define internal void @guarded.lanes(
; LANES: br i1 %{{.*}}, label %loop.preheader.whole, label %rest, !prof
; LANES: load <8 x float>
; LANES-NOT: select
; LANES: fadd <8 x float>
; LANES: [[LAST:%.*]] = add i64 [[FIRST:%.*]], 7
; LANES: [[ORDERED:%.*]] = icmp ule i64 [[FIRST]], [[LAST]]
; LANES: [[PASSES:%.*]] = icmp ult i64 [[LAST]], %n
; LANES: [[ALL:%.*]] = and i1 [[ORDERED]], [[PASSES]]
; LANES: br i1 [[ALL]]
; LANES: @llvm.masked.load
define void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, i64 %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %enters = icmp ult i64 %l, %n
  br i1 %enters, label %loop, label %exit
loop:
  %i = phi i64 [ %l, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next.sum, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %next.sum = fadd float %sum, %x
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %next.sum, %loop ]
  %q = getelementptr float, ptr addrspace(1) %b, i64 %l
  store float %result, ptr addrspace(1) %q
  ret void
}

; What is computed on the way past the loop, and an argument that only the loop needs, are there before.
; CHECK-LABEL: define void @computed_on_both_ways(
; CHECK: entry:
; CHECK: [[PAST:%.*]] = add i64 %l, 7
; CHECK: %bytes = load ptr addrspace(1), ptr addrspace(2) %place
; CHECK: [[ALL:%.*]] = call i1 @lanecl.whole(i1 %enters)
; CHECK: br i1 [[ALL]], label %{{.*}}.whole, label %rest
; CHECK: loop.whole:
; CHECK: rest:
; CHECK: phi i64 [ [[PAST]], %entry ], [ %l, %loop.whole ]
define void @computed_on_both_ways(ptr addrspace(2) %launch, ptr addrspace(1) %b, i64 %n, i64 %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %arguments = load ptr addrspace(2), ptr addrspace(2) %launch, !lanecl.bytes.of.arguments !0
  %enters = icmp ult i64 %l, %n
  br i1 %enters, label %before, label %past
past:
  %other = add i64 %l, 7
  br label %end
before:
  %place = getelementptr inbounds i8, ptr addrspace(2) %arguments, i64 8
  %bytes = load ptr addrspace(1), ptr addrspace(2) %place, !invariant.load !1
  br label %loop
loop:
  %i = phi i64 [ %l, %before ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %bytes, i64 %i
  store i8 1, ptr addrspace(1) %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %end
end:
  %result = phi i64 [ %other, %past ], [ %l, %exit ]
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %l
  store i64 %result, ptr addrspace(1) %q
  ret void
}

; Nothing is known about memory past the end of the arguments.
; CHECK-LABEL: define void @no_argument(
; CHECK: br i1 %enters, label %before, label %end
; CHECK: before:
; CHECK: %bytes = load
define void @no_argument(ptr addrspace(2) %launch, i64 %n, i64 %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %arguments = load ptr addrspace(2), ptr addrspace(2) %launch, !lanecl.bytes.of.arguments !0
  %enters = icmp ult i64 %l, %n
  br i1 %enters, label %before, label %end
before:
  %place = getelementptr inbounds i8, ptr addrspace(2) %arguments, i64 12
  %bytes = load ptr addrspace(1), ptr addrspace(2) %place, !invariant.load !1
  br label %loop
loop:
  %i = phi i64 [ %l, %before ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %bytes, i64 %i
  store i8 1, ptr addrspace(1) %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; Nothing asks before the first turn, which all lanes do. The loop goes on when the condition is false.
; CHECK-LABEL: define void @always(
; CHECK-NOT: whole(
; CHECK: loop.whole:
; CHECK: [[DONE:%.*]] = icmp sge i32 %{{.*}}, %n
; CHECK: [[MORE:%.*]] = xor i1 [[DONE]], true
; CHECK: [[GO:%.*]] = call i1 @lanecl.whole(i1 [[MORE]])
; CHECK: br i1 [[GO]], label %loop.whole, label %rest
; CHECK: rest:
; CHECK: br i1 %{{.*}}, label %exit{{.*}}, label %{{.*}}
; CHECK: ret void
define void @always(ptr addrspace(1) %a, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %i = phi i32 [ %lane, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 64
  %done = icmp sge i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Every lane's own limit: the first lane's turns are those of all lanes, and then they leave one by one.
; CHECK-LABEL: define void @own_limit(
; CHECK: loop.whole:
; CHECK: [[MORE:%.*]] = icmp ult i32 %{{.*}}, %lane
; CHECK: call i1 @lanecl.whole(i1 [[MORE]])
; CHECK: ret void
; LANES-LABEL: define internal void @own_limit.lanes(
; LANES: [[NEXT:%.*]] = add i32 %{{.*}}, 1
; LANES: [[PASSES:%.*]] = icmp ugt i32 0, [[NEXT]]
; LANES: and i1 true, [[PASSES]]
define void @own_limit(ptr addrspace(1) %a) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %lane
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; LLVM turns such a condition into one of equality. Numbers below their limits are not equal to them.
; CHECK-LABEL: define void @until_equal(
; CHECK: entry:
; CHECK: [[BELOW:%.*]] = icmp ult i32 0, %limit
; CHECK: [[ALL:%.*]] = call i1 @lanecl.whole(i1 [[BELOW]])
; CHECK: br i1 [[ALL]], label %{{.*}}.whole, label %rest
; CHECK: loop.whole:
; CHECK: [[DONE:%.*]] = icmp eq i32 [[NEXT:%.*]], %limit
; CHECK: [[MORE:%.*]] = icmp ult i32 [[NEXT]], %limit
; CHECK: call i1 @lanecl.whole(i1 [[MORE]])
; CHECK: rest:
; CHECK: phi i1 [ %{{.*}}, %entry ], [ %{{.*}}, %loop.whole ]
; CHECK: ret void
define void @until_equal(ptr addrspace(1) %a) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %limit = mul i32 %lane, 3
  %none = icmp eq i32 %limit, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %limit
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Numbers and limits that both differ between lanes are compared lane by lane.
; CHECK-LABEL: define void @both_differ(
; CHECK-NOT: whole
; CHECK: ret void
define void @both_differ(ptr addrspace(1) %a) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %limit = mul i32 %lane, 3
  br label %loop
loop:
  %i = phi i32 [ %lane, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %limit
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Lanes that exchange values stay together.
; CHECK-LABEL: define void @exchange(
; CHECK-NOT: whole
; CHECK: ret void
define void @exchange(i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %i = phi i32 [ %lane, %entry ], [ %next, %loop ]
  call void @_Z22__lanecl_sub_group_barrierj(i32 1)
  %next = add i32 %i, 64
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

!0 = !{i64 16}
!1 = !{}
