; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 16 --local-size 8,8,1 --isa avx512 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 8,8,1 --isa avx2 -p widen %s | FileCheck %s --check-prefix=AVX2

declare i32 @_Z16__lanecl_lane_idv()

; Four neighboring lanes want one element, so a register four such elements. Those that one register spans are loaded
; together, without what is between them, and permuted.
; CHECK-LABEL: define internal void @near.lanes(
; CHECK: @llvm.masked.load.v16f32{{.*}}<16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false
; CHECK: load <16 x i32>, ptr @lane.indices,
; CHECK: @llvm.x86.avx512.permvar
; CHECK-NOT: load float
; CHECK: ret void
; AVX2-LABEL: define internal void @near.lanes(
; AVX2-NOT: masked.load
; AVX2-COUNT-4: load float
; AVX2: ret void
define void @near(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %column) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %y = lshr i32 %lane, 2
  %row = shl nuw nsw i32 %y, 2
  %i = add nuw nsw i32 %row, %column
  %p = getelementptr float, ptr addrspace(3) %tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Elements that are farther apart are loaded one by one.
; CHECK-LABEL: define internal void @far.lanes(
; CHECK-NOT: masked.load
; CHECK-COUNT-4: load float
; CHECK: ret void
define void @far(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %column) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %y = lshr i32 %lane, 2
  %row = shl nuw nsw i32 %y, 4
  %i = add nuw nsw i32 %row, %column
  %p = getelementptr float, ptr addrspace(3) %tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}

; Two elements for a register are loaded one by one: a wide load would wait for the stores of both to leave the
; processor's queue, if they have just been written, and cross a cache line in most places.
; CHECK-LABEL: define internal void @two.lanes(
; CHECK-NOT: masked.load
; CHECK-COUNT-2: load float
; CHECK: ret void
define void @two(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %column) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %y = lshr i32 %lane, 3
  %row = shl nuw nsw i32 %y, 3
  %i = add nuw nsw i32 %row, %column
  %p = getelementptr float, ptr addrspace(3) %tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %v, ptr addrspace(1) %q
  ret void
}
