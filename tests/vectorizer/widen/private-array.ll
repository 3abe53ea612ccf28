; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s
; Each lane has its own private array.

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

; If its address is passed on, whole variables lie one after the other, and each lane's call gets its own.
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
; Each of the following has whole variables, too: lane 1's is 16 bytes behind lane 0's.
; A volatile access is one of each lane.
; CHECK-LABEL: define internal void @volatile.lanes(
; CHECK: %a = alloca [128 x i8], align 4{{$}}
define void @volatile(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %p = getelementptr i32, ptr %a, i64 3
  store i32 %lane, ptr %p
  %x = load volatile i32, ptr %p
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; Its address is stored, and anybody may access it there.
; CHECK-LABEL: define internal void @stored.lanes(
; CHECK: %a = alloca [256 x i8], align 8{{$}}
define void @stored(ptr addrspace(1) %out) {
  %a = alloca [4 x i64]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = zext i32 %lane to i64
  store i64 %wide, ptr %a
  %b = alloca [4 x ptr]
  store ptr %a, ptr %b
  %there = load ptr, ptr %b
  %x = load i64, ptr %there
  store i64 %x, ptr addrspace(1) %out
  ret void
}

; The access is in two cells.
; CHECK-LABEL: define internal void @between.lanes(
; CHECK: %a = alloca [128 x i8], align 4{{$}}
define void @between(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  store i32 %lane, ptr %a
  %p = getelementptr i8, ptr %a, i64 2
  %x = load i32, ptr %p, align 2
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; The cells have two sizes.
; CHECK-LABEL: define internal void @two_sizes.lanes(
; CHECK: %a = alloca [128 x i8], align 4{{$}}
define void @two_sizes(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  store i32 %lane, ptr %a
  %p = getelementptr i8, ptr %a, i64 4
  %x = load i16, ptr %p
  store i16 %x, ptr addrspace(1) %out
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
