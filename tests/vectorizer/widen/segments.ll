; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 32 --local-size 64,1,1 -p widen %s | FileCheck %s
; Lanes are consecutive, or the same, in segments of neighbors.

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z21__lanecl_sub_group_idv()

; Each half is a row of 16, so there are two vector loads and no test.
; CHECK-LABEL: define internal void @row.lanes(
; CHECK-NOT: br
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK-NOT: gather
; CHECK: ret void
define void @row(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = and i32 %lane, 15
  %wide = zext nneg i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; The sub-group's part is a scalar, and so are the elements of the two rows.
; CHECK-LABEL: define internal void @rows.lanes(
; CHECK-NOT: br
; CHECK: load float
; CHECK: load float
; CHECK-NOT: gather
; CHECK: ret void
define void @rows(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 8) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 1
  %half = lshr i32 %lane, 4
  %y = or disjoint i32 %first, %half
  %wide = zext nneg i32 %y to i64
  %p = getelementptr [16 x float], ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Where a row ends is known at the launch: a test chooses between the vector and the gather.
; CHECK-LABEL: define internal void @remainder.lanes(
; CHECK: %[[STARTS:.*]] = sub <32 x i32> %{{.*}}, <i32 0, i32 1, i32 2,
; CHECK: %[[FIRST:.*]] = shufflevector <32 x i32> %[[STARTS]], <32 x i32> poison, <32 x i32> zeroinitializer
; CHECK: icmp eq <32 x i32> %[[STARTS]], %[[FIRST]]
; CHECK: icmp sle <32 x i32> %[[FIRST]], splat (i32 2147483616)
; CHECK: br i1
; CHECK: load <32 x float>
; CHECK: gather
; CHECK: ret void
define void @remainder(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %width) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = urem i32 %lane, %width
  %wide = sext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; An unsigned sum of 32 bits might wrap around between two lanes.
; CHECK-LABEL: define internal void @store_half.lanes(
; CHECK: br i1
; CHECK: store <16 x float>
; CHECK: store <16 x float>
; CHECK: store float
; CHECK: ret void
define void @store_half(ptr addrspace(1) %a, float %v, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = xor i32 %lane, 16
  %i = add i32 %x, %start
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float %v, ptr addrspace(1) %p
  ret void
}

; Nothing is assumed about loaded values.
; CHECK-LABEL: define internal void @loaded.lanes(
; CHECK-NOT: br i1
; CHECK: gather
; CHECK: ret void
define void @loaded(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %map, i32 %lane
  %i = load i32, ptr addrspace(1) %at
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; The lanes of a butterfly lie one behind the other unless its distance is short, which only the launch knows.
; CHECK-LABEL: define internal void @butterfly.lanes(
; CHECK: br i1
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK: gather
; CHECK: ret void
define void @butterfly(ptr addrspace(3) %a, ptr addrspace(1) %b, i32 %distance) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %twice = shl nuw nsw i32 %lane, 1
  %bits = add i32 %distance, -1
  %low = and i32 %lane, %bits
  %i = sub i32 %twice, %low
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) %a, i64 %wide
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %b, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Rows of 64 that a loop fills in steps of 64: that the first lane's number is a multiple of the width follows from where the
; loop begins and how it steps, and each store is one vector.
; CHECK-LABEL: define internal void @tile.lanes(
; CHECK: loop:
; CHECK-NOT: icmp eq
; CHECK: store <32 x float>
; CHECK-NOT: store
; CHECK: ret void
define void @tile(ptr addrspace(3) %tile) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 2) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 5
  %start = or disjoint i32 %first, %lane
  br label %loop

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %y = lshr i32 %i, 6
  %wide.y = zext nneg i32 %y to i64
  %row = getelementptr [64 x float], ptr addrspace(3) %tile, i64 %wide.y
  %x = and i32 %i, 63
  %wide.x = zext nneg i32 %x to i64
  %p = getelementptr float, ptr addrspace(3) %row, i64 %wide.x
  store float 1.0, ptr addrspace(3) %p
  %next = add nuw nsw i32 %i, 64
  %turn.next = add nuw nsw i32 %turn, 1
  %more = icmp ult i32 %turn.next, 16
  br i1 %more, label %loop, label %done

done:
  ret void
}
