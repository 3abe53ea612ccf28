; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 32 --local-size 16,16,1 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 32 --local-size 16,7,1 -p widen %s | FileCheck %s --check-prefix=PARTIAL
; Two rows of a work-group of 16 columns: what is the same for a row is a scalar, whatever it is made of.

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z21__lanecl_sub_group_idv()

; No sum or product wraps around in an active lane: the operands are extended, and nothing is tested.
; CHECK-LABEL: define internal void @signed.lanes(
; CHECK-NOT: br
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK-NOT: gather
; CHECK: ret void
; The first lane of a row need not be active, so no scalar has a flag that only active lanes keep.
; PARTIAL-LABEL: define internal void @signed.lanes.partial(
; PARTIAL-NOT: br
; PARTIAL-NOT: {{mul|add|shl}} n{{[su]}}w i64
; PARTIAL: @llvm.masked.load.v16f32
; PARTIAL: @llvm.masked.load.v16f32
; PARTIAL-NOT: gather
; PARTIAL: ret void
define void @signed(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %row, i32 %width, i32 %column) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 8) i32 @_Z21__lanecl_sub_group_idv()
  %x = and i32 %lane, 15
  %first = shl nuw nsw i32 %sub_group, 1
  %half = lshr i32 %lane, 4
  %y = or disjoint i32 %first, %half
  %line = add nsw i32 %row, %y
  %start = mul nsw i32 %line, %width
  %cell = add nsw i32 %start, %column
  %i = add nsw i32 %cell, %x
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Unsigned numbers may wrap around within a row: two scalars tell.
; CHECK-LABEL: define internal void @unsigned.lanes(
; CHECK-NOT: icmp {{.*}} <32 x
; CHECK: icmp ule i32 %{{.*}}, -16
; CHECK: icmp ule i32 %{{.*}}, -16
; CHECK-NOT: icmp {{.*}} <32 x
; CHECK: br i1
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK: gather
; CHECK: ret void
define void @unsigned(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %row, i32 %width) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = and i32 %lane, 15
  %y = lshr i32 %lane, 4
  %line = add i32 %row, %y
  %start = mul i32 %line, %width
  %i = add i32 %start, %x
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Sums of 64 bits wrap around as addresses do.
; CHECK-LABEL: define internal void @wide.lanes(
; CHECK-NOT: br
; CHECK: store <16 x float>
; CHECK: store <16 x float>
; CHECK-NOT: scatter
; CHECK: ret void
define void @wide(ptr addrspace(1) %a, float %v, i64 %row, i64 %width) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = and i32 %lane, 15
  %y = lshr i32 %lane, 4
  %wide_x = zext nneg i32 %x to i64
  %wide_y = zext nneg i32 %y to i64
  %line = add i64 %row, %wide_y
  %start = mul i64 %line, %width
  %i = add i64 %start, %wide_x
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float %v, ptr addrspace(1) %p
  ret void
}

; The column of a tile: the offsets of the lanes are known.
; CHECK-LABEL: define internal void @column.lanes(
; CHECK: gather{{.*}}<i32 0, i32 17, i32 34, i32 51,
; CHECK: ret void
define void @column(ptr addrspace(3) %tile, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 8) i32 @_Z21__lanecl_sub_group_idv()
  %x = and i32 %lane, 15
  %first = shl nuw nsw i32 %sub_group, 1
  %half = lshr i32 %lane, 4
  %y = or disjoint i32 %first, %half
  %wide_x = zext nneg i32 %x to i64
  %wide_y = zext nneg i32 %y to i64
  %line = getelementptr [17 x float], ptr addrspace(3) %tile, i64 %wide_x
  %p = getelementptr float, ptr addrspace(3) %line, i64 %wide_y
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; A column for each row: x times a number that is not known rises by it.
; CHECK-LABEL: define internal void @rises.lanes(
; CHECK: gather
; CHECK: ret void
define void @rises(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %width) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = and i32 %lane, 15
  %wide = zext nneg i32 %x to i64
  %i = mul i64 %wide, %width
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; The lanes of a loop keep their distances from turn to turn, for as long as all are in it.
; CHECK-LABEL: define internal void @turns.lanes(
; CHECK: loop:
; CHECK: %[[I:.*]] = phi <32 x i32>
; CHECK: extractelement <32 x i32> %[[I]], i64 0
; CHECK: gather{{.*}}<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: ret void
; PARTIAL-LABEL: define internal void @turns.lanes.partial(
; PARTIAL-NOT: extractelement <32 x i32>
; PARTIAL: gather
; PARTIAL: ret void
define void @turns(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = and i32 %lane, 15
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %i = phi i32 [ %x, %entry ], [ %i.next, %loop ]
  %scaled = mul nsw i32 %i, 1
  %wide = sext i32 %scaled to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  %i.next = add nsw i32 %i, 16
  %turn.next = add i32 %turn, 1
  %more = icmp ult i32 %turn.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
