; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; The address pattern decides the access: one vector, wide loads and shuffles, or a gather.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define internal void @consecutive.lanes(
; CHECK: load <16 x float>, ptr addrspace(1) {{%.*}}, align 4
; CHECK: store <16 x float> {{%.*}}, ptr addrspace(1) {{%.*}}, align 4
; CHECK-NOT: gather
; CHECK: ret void
define void @consecutive(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = add nsw i32 %start, %lane
  %wide = sext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %wide
  store float %x, ptr addrspace(1) %pb
  ret void
}

; Without `nsw` the sum may wrap between two lanes, and the extended indices are consecutive only when it does not.
; CHECK-LABEL: define internal void @wrapping.lanes(
; CHECK: %[[LAST:.*]] = add i32 %[[FIRST:.*]], 15
; CHECK: %[[RISES:.*]] = icmp sge i32 %[[LAST]], %[[FIRST]]
; CHECK: br i1 %[[RISES]], label %likely, label %unlikely
; CHECK: likely:
; CHECK-NOT: gather
; CHECK: load <16 x float>
; CHECK: unlikely:
; CHECK-NOT: load <16 x float>
; CHECK: @llvm.x86.avx2.gather
; CHECK: joined:
; CHECK: phi <16 x float>
define void @wrapping(ptr addrspace(1) %a, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = add i32 %start, %lane
  %wide = sext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %pa
  store float %x, ptr addrspace(1) %a
  ret void
}

; Unsigned numbers that rise without wrapping stay consecutive when extended, whatever their sign bit. Lane 0, active or
; not, is the least of them: its extension is the base.
; CHECK-LABEL: define internal void @unsigned_rising.lanes(
; CHECK: %[[FIRST:.*]] = add i32 %start, 0{{$}}
; CHECK: %[[BASE:.*]] = zext i32 %[[FIRST]] to i64
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %[[BASE]]
; CHECK: load <16 x float>
; CHECK-NOT: gather
; CHECK: ret void
define void @unsigned_rising(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = add nuw i32 %start, %lane
  %wide = zext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %pa
  store float %x, ptr addrspace(1) %b
  ret void
}

; Lane 0 may be inactive and below zero, though no active lane wraps: its zero extension is no base then.
; CHECK-LABEL: define internal void @unsigned_difference.lanes(
; CHECK: icmp uge i32
; CHECK: label %likely, label %unlikely
; CHECK: unlikely:
; CHECK: @llvm.x86.avx2.gather
define void @unsigned_difference(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = sub nuw i32 %lane, %start
  %wide = zext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %pa
  store float %x, ptr addrspace(1) %b
  ret void
}

; Descending addresses are one vector, which is reversed.
; CHECK-LABEL: define internal void @reversed.lanes(
; CHECK: load <16 x float>
; CHECK: shufflevector {{.*}} <i32 15, i32 14,
define void @reversed(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %i = sub i64 %start, %l
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %l
  store float %x, ptr addrspace(1) %pb
  ret void
}

; With a float4 for each lane, the vectors of sixteen lanes are contiguous.
; CHECK-LABEL: define internal void @float4.lanes(
; CHECK: load <64 x float>
; CHECK-NOT: gather
; CHECK: store <64 x float>
define void @float4(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %pa = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %l
  %x = load <4 x float>, ptr addrspace(1) %pa
  %pb = getelementptr <4 x float>, ptr addrspace(1) %b, i64 %l
  store <4 x float> %x, ptr addrspace(1) %pb
  ret void
}

; Three components in the room of four: nothing is read behind the last lane's third one.
; CHECK-LABEL: define internal void @float3.lanes(
; CHECK: load <48 x float>, ptr addrspace(1) [[P:%.*]], align 16
; CHECK: [[LAST:%.*]] = getelementptr i8, ptr addrspace(1) [[P]], i64 188
; CHECK: load <16 x float>, ptr addrspace(1) [[LAST]], align 4
; CHECK-NOT: load
; CHECK: ret void
define void @float3(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %pa = getelementptr <3 x float>, ptr addrspace(1) %a, i64 %l
  %x = load <3 x float>, ptr addrspace(1) %pa
  %third = extractelement <3 x float> %x, i32 2
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %l
  store float %third, ptr addrspace(1) %pb
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
