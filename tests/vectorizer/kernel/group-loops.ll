; RUN: lanecl-opt %s -p group-loops -w 16 --local-size=256,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p group-loops -w 16 --local-size=16,1,1 | FileCheck %s --check-prefix=ALONE
; RUN: lanecl-opt %s -p group-loops -w 16 --local-size=250,1,1 | FileCheck %s --check-prefix=ALONE
; RUN: lanecl-opt %s -p group-loops -w 16 --local-size=64,4,1 | FileCheck %s --check-prefix=ALONE
; RUN: lanecl-opt %s -p group-loops -w 16 --local-size=0,1,1 | FileCheck %s --check-prefix=ALONE
; The loop is left alone if somebody reads the results of its updates, or if there are volatile reads beside them.
; RUN: sed '/^  %%old = /s/$/\n  store i32 %%old, ptr addrspace(3) %%q/' %s | lanecl-opt - -p group-loops -w 16 --local-size=256,1,1 | FileCheck %s --check-prefix=APART
; RUN: sed '/^  %%v = load i8/s/load i8/load volatile i8/' %s | lanecl-opt - -p group-loops -w 16 --local-size=256,1,1 | FileCheck %s --check-prefix=APART
; APART-LABEL: define void @histogram(
; APART-NOT: group.first
; APART: ret void
; The first sub-group of a work-group takes the turns of a loop that writes in steps of the work-group's size.
; ALONE-NOT: group.first
; ALONE: ret void

declare i32 @_Z16__lanecl_lane_idv() nounwind willreturn speculatable memory(none)
declare i32 @_Z21__lanecl_sub_group_idv() nounwind willreturn speculatable memory(none)
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind

; What stands before the barrier does not matter, nor does a load that no store of the loop reaches. The numbers of a
; whole turn are known not to wrap around, from the first lane of the first sub-group to the last one of the last.
; CHECK-LABEL: define void @scale(
; CHECK: call void @_Z27__lanecl_work_group_barrierj
; CHECK: %factor = load float
; CHECK: [[FIRST:%.*]] = icmp eq i32 %{{.*}}, 0
; CHECK: br i1 [[FIRST]], label %group.first, label %end
; CHECK: group.first:
; CHECK: add i32 %{{.*}}, 255
; CHECK: br i1 %row.goes.on{{.*}}, label %row.turn, label %row.rest
; CHECK: row.sub_group:
; CHECK: [[S:%.*]] = phi i32 [ 0, %row.turn ]
; CHECK: [[OWN:%.*]] = mul nuw nsw i32 [[S]], 16
; CHECK: [[START:%.*]] = add nsw i32 %row.start, [[OWN]]
; CHECK: add nsw i32 [[START]], %{{.*}}
; CHECK: br label %loop.row
; CHECK: row.next:
; CHECK: icmp ult i32 %{{.*}}, 16
; CHECK: row.rest.sub_group:
; CHECK: br i1 %{{.*}}, label %preheader, label %row.next
; CHECK: br i1 %{{.*}}, label %loop, label %exit, !llvm.loop [[FEW:!.*]]
define void @scale(ptr addrspace(3) %sums, ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  store float 1.0, ptr addrspace(1) %y
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %factor = load float, ptr addrspace(3) %sums
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %x, i32 %i
  %v = load float, ptr addrspace(1) %p
  %product = fmul float %v, %factor
  %q = getelementptr float, ptr addrspace(1) %y, i32 %i
  store float %product, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; The loop updates in steps of the size of the NDRange, and nobody reads the results.
; CHECK-LABEL: define void @histogram(
; CHECK: br i1 %{{.*}}, label %group.first, label %end
; CHECK: row.sub_group:
; CHECK: ret void
define void @histogram(ptr addrspace(3) %counts, ptr addrspace(1) %x, i32 %n, i32 %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %enters = icmp ult i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %x, i32 %i
  %v = load i8, ptr addrspace(1) %p
  %place = zext i8 %v to i64
  %q = getelementptr i32, ptr addrspace(3) %counts, i64 %place
  %old = atomicrmw volatile add ptr addrspace(3) %q, i32 1 monotonic
  %next = add i32 %i, %step
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; The updates order other accesses, so each work-item does its own.
; CHECK-LABEL: define void @ordered(
; CHECK-NOT: group.first
; CHECK: ret void
define void @ordered(ptr addrspace(3) %counts, ptr addrspace(1) %x, i32 %n, i32 %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %enters = icmp ult i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %x, i32 %i
  %v = load i8, ptr addrspace(1) %p
  %place = zext i8 %v to i64
  %q = getelementptr i32, ptr addrspace(3) %counts, i64 %place
  %old = atomicrmw volatile add ptr addrspace(3) %q, i32 1 acq_rel
  %next = add i32 %i, %step
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; The turns of the loop could overtake a store of their work-item.
; CHECK-LABEL: define void @stored_before(
; CHECK-NOT: group.first
; CHECK: ret void
define void @stored_before(ptr addrspace(1) %y, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %o = getelementptr i32, ptr addrspace(1) %y, i32 %id
  store i32 1, ptr addrspace(1) %o
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i32 %i
  %v = load i32, ptr addrspace(1) %q
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; The stores of the loop may reach the load.
; CHECK-LABEL: define void @loaded_before(
; CHECK-NOT: group.first
; CHECK: ret void
define void @loaded_before(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %factor = load i32, ptr addrspace(1) %x
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i32 %i
  store i32 %factor, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; Some work-items do not come to the loop.
; CHECK-LABEL: define void @some(
; CHECK-NOT: group.first
; CHECK: ret void
define void @some(ptr addrspace(1) %y, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %stays = icmp sgt i32 %id, 40
  br i1 %stays, label %guard, label %end
guard:
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; A loop is in another loop, also with a barrier in each turn.
; CHECK-LABEL: define void @in_loop(
; CHECK-NOT: group.first
; CHECK: ret void
define void @in_loop(ptr addrspace(1) %y, i32 %n, i32 %times) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  br label %guard
guard:
  %time = phi i32 [ 0, %entry ], [ %time.next, %end ]
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  %time.next = add nuw i32 %time, 1
  %more = icmp ult i32 %time.next, %times
  br i1 %more, label %guard, label %done
done:
  ret void
}

; Each work-item carries a sum from turn to turn.
; CHECK-LABEL: define void @sum(
; CHECK-NOT: group.first
; CHECK: ret void
define void @sum(ptr addrspace(1) %y, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 16) i32 @_Z21__lanecl_sub_group_idv()
  %before = shl nuw nsw i32 %sub_group, 4
  %id = or disjoint i32 %before, %lane
  %enters = icmp slt i32 %id, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ %id, %preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %preheader ], [ %more, %loop ]
  %more = add i32 %sum, %i
  %q = getelementptr i32, ptr addrspace(1) %y, i32 %i
  store i32 %more, ptr addrspace(1) %q
  %next = add nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; CHECK: [[FEW]] = distinct !{[[FEW]], {{.*}}}
; CHECK: !{!"lanecl.loop.few.turns", i32 1}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
