; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s
; A private array exists once a lane.

declare i32 @_Z16__lanecl_lane_idv()
declare void @keep(ptr)

; Lane-innermost: a uniform index is one aligned vector, 32 bytes further for each cell.
; CHECK-LABEL: define internal void @uniform_index.lanes(
; CHECK: %a = alloca [128 x i8], align 32
; CHECK: [[CELL:%.*]] = getelementptr i8, ptr %a, i64 96
; CHECK: [[P:%.*]] = getelementptr i8, ptr [[CELL]], i64 0
; CHECK: store <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, ptr [[P]], align 32
define void @uniform_index(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 3
  store i32 %lane, ptr %p
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; A varying index gathers by 32-bit offsets, each lane in its own column.
; CHECK-LABEL: define internal void @varying_index.lanes(
; CHECK: @llvm.x86.avx2.gather.d.d.256({{.*}}, ptr %a, <8 x i32> <i32 0, i32 36, i32 72, i32 108, i32 16, i32 52, i32 88, i32 124>,
define void @varying_index(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = and i32 %lane, 3
  %w = zext nneg i32 %i to i64
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %w
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Its address is given away: whole variables one behind the other, and each lane's call gets its own.
; CHECK-LABEL: define internal void @escaping.lanes(
; CHECK: %a = alloca [128 x i8]
; CHECK: lane.loop:
; CHECK: [[OFFSET:%.*]] = mul i64 {{%.*}}, 16
; CHECK: [[OWN:%.*]] = getelementptr i8, ptr %a, i64 [[OFFSET]]
; CHECK: call void @keep(ptr [[OWN]])
define void @escaping() {
  %a = alloca [4 x i32]
  call void @keep(ptr %a)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
