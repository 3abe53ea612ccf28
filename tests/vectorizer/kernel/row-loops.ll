; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt %s -p row-loops -w 16 --local-size=0,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p row-loops -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=GROUP
; The pass does nothing if accesses are volatile or atomic, lanes exchange values, or the loop comes after a write.
; RUN: sed '/^ /s/= load float/= load volatile float/' %s | lanecl-opt - -p row-loops -w 16 --local-size=0,1,1 | FileCheck %s --check-prefix=APART
; RUN: sed '/^ /s/= load float, ptr addrspace(1) %%p/= load atomic float, ptr addrspace(1) %%p monotonic, align 4/' %s | lanecl-opt - -p row-loops -w 16 --local-size=0,1,1 | FileCheck %s --check-prefix=APART
; RUN: sed '/^ /s/= load float, ptr addrspace(1) %%p/= call float @exchanged(float 1.0)/' %s | lanecl-opt - -p row-loops -w 16 --local-size=0,1,1 | FileCheck %s --check-prefix=APART
; RUN: sed '/^ /s/%%enters = icmp ult i64 %%i0, %%n/store float 1.0, ptr addrspace(1) %%y\n  %%enters = icmp ult i64 %%i0, %%n/' %s | lanecl-opt - -p row-loops -w 16 --local-size=0,1,1 | FileCheck %s --check-prefix=APART
; APART-LABEL: define void @stream(
; APART-NOT: row.turn
; APART: ret void
; Sub-groups of a free row take the turns of a kernel's only loop together.
; GROUP-NOT: lanecl.takes.whole.row

declare i32 @_Z16__lanecl_lane_idv() nounwind willreturn speculatable memory(none)
declare i32 @_Z21__lanecl_sub_group_idv() nounwind willreturn speculatable memory(none)
declare i64 @_Z17__lanecl_group_idj(i32) nounwind willreturn speculatable memory(none)
declare i64 @_Z28__lanecl_enqueued_local_sizej(i32) nounwind willreturn speculatable memory(none)
declare i64 @_Z20__lanecl_global_sizej(i32) nounwind willreturn speculatable memory(none)

; The whole row has to go on: that numbers do not wrap around, the first sub-group, the last one.
; CHECK-LABEL: define void @stream(
; CHECK: [[SIZE:%.*]] = udiv i32 {{%.*}}, 16
; CHECK: call i32 @llvm.umax.i32(i32 [[SIZE]], i32 1)
; CHECK-COUNT-3: call i1 @lanecl.whole(
; CHECK: br i1 %row.goes.on{{.*}}, label %row.turn, label %row.rest
; CHECK: row.turn.end:
; CHECK-COUNT-3: call i1 @lanecl.whole(
; CHECK: br i1 %row.goes.on{{.*}}, label %row.turn, label %row.rest
; CHECK: row.sub_group:
; CHECK: [[S:%.*]] = phi i64
; CHECK: mul nuw nsw i64 [[S]], 16
; CHECK: br label %loop.row
; Each sub-group does the rest for itself.
; CHECK: row.rest.sub_group:
; CHECK: br i1 %{{.*}}, label %preheader, label %row.next
; CHECK: loop:
; CHECK: store float
; CHECK: loop.row:
; CHECK: store float
define void @stream(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !0) ; of a `restrict` parameter
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 1024) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 4
  %group = call range(i64 0, 65536) i64 @_Z17__lanecl_group_idj(i32 0)
  %length = call range(i64 1, 32768) i64 @_Z28__lanecl_enqueued_local_sizej(i32 0)
  %group32 = trunc nuw nsw i64 %group to i32
  %length32 = trunc nuw nsw i64 %length to i32
  %before = mul nuw nsw i32 %group32, %length32
  %row = and i32 %before, 2147483616
  %start = add nuw nsw i32 %row, %first
  %id = or disjoint i32 %start, %lane
  %i0 = zext nneg i32 %id to i64
  %step = call i64 @_Z20__lanecl_global_sizej(i32 0)
  %enters = icmp ult i64 %i0, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i64 [ %i0, %preheader ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float %v, ptr addrspace(1) %q
  %next = add i64 %i, %step
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; A sub-group's own number counts in the loop.
; CHECK-LABEL: define void @own_number(
; CHECK-NOT: row.turn
; CHECK: ret void
define void @own_number(ptr addrspace(1) %y, i64 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 1024) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 4
  %group = call range(i64 0, 65536) i64 @_Z17__lanecl_group_idj(i32 0)
  %length = call range(i64 1, 32768) i64 @_Z28__lanecl_enqueued_local_sizej(i32 0)
  %group32 = trunc nuw nsw i64 %group to i32
  %length32 = trunc nuw nsw i64 %length to i32
  %before = mul nuw nsw i32 %group32, %length32
  %row = and i32 %before, 2147483616
  %start = add nuw nsw i32 %row, %first
  %id = or disjoint i32 %start, %lane
  %i0 = zext nneg i32 %id to i64
  %step = call i64 @_Z20__lanecl_global_sizej(i32 0)
  %enters = icmp ult i64 %i0, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i64 [ %i0, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i64 %i
  store i32 %id, ptr addrspace(1) %q
  %next = add i64 %i, %step
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; So does a sum that each work-item carries from turn to turn.
; CHECK-LABEL: define void @sum(
; CHECK-NOT: row.turn
; CHECK: ret void
define void @sum(ptr addrspace(1) %y, i64 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 1024) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 4
  %group = call range(i64 0, 65536) i64 @_Z17__lanecl_group_idj(i32 0)
  %length = call range(i64 1, 32768) i64 @_Z28__lanecl_enqueued_local_sizej(i32 0)
  %group32 = trunc nuw nsw i64 %group to i32
  %length32 = trunc nuw nsw i64 %length to i32
  %before = mul nuw nsw i32 %group32, %length32
  %row = and i32 %before, 2147483616
  %start = add nuw nsw i32 %row, %first
  %id = or disjoint i32 %start, %lane
  %i0 = zext nneg i32 %id to i64
  %step = call i64 @_Z20__lanecl_global_sizej(i32 0)
  %enters = icmp ult i64 %i0, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i64 [ %i0, %preheader ], [ %next, %loop ]
  %s = phi i32 [ 0, %preheader ], [ %s1, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i64 %i
  %v = load i32, ptr addrspace(1) %q
  %s1 = add i32 %s, %v
  store i32 %s1, ptr addrspace(1) %q
  %next = add i64 %i, %step
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; Rows that are further apart than they are long do not follow on each other.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: row.turn
; CHECK: ret void
define void @apart(ptr addrspace(1) %y, i64 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 1024) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 4
  %group = call range(i64 0, 65536) i64 @_Z17__lanecl_group_idj(i32 0)
  %length = call range(i64 1, 32768) i64 @_Z28__lanecl_enqueued_local_sizej(i32 0)
  %group32 = trunc nuw nsw i64 %group to i32
  %length32 = trunc nuw nsw i64 %length to i32
  %before = mul nuw nsw i32 %group32, %length32
  %row = and i32 %before, 2147483616
  %twice = shl nuw nsw i32 %row, 1
  %start = add nuw nsw i32 %twice, %first
  %id = or disjoint i32 %start, %lane
  %i0 = zext nneg i32 %id to i64
  %step = call i64 @_Z20__lanecl_global_sizej(i32 0)
  %enters = icmp ult i64 %i0, %n
  br i1 %enters, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i64 [ %i0, %preheader ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %q
  %next = add i64 %i, %step
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}

; CHECK: attributes #{{.*}}"lanecl.takes.whole.row"

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}

declare float @exchanged(float) convergent nounwind willreturn memory(none)
