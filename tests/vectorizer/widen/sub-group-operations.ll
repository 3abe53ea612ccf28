; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; Sub-group operations are register operations.

declare i32 @_Z16__lanecl_lane_idv()
declare float @_Z16__lanecl_shufflefj(float, i32)
declare float @_Z18__lanecl_broadcastfj(float, i32)
declare i32 @_Z12__lanecl_anyi(i32)
declare <2 x i32> @_Z24__lanecl_block_read_ui2PU3AS1Kj(ptr addrspace(1))

; lane ^ 1 is a constant vector: an immediate permute.
; CHECK-LABEL: define internal void @xor_shuffle.lanes(
; CHECK: shufflevector <16 x float> {{%.*}}, <16 x float> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
define void @xor_shuffle(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %other = xor i32 %lane, 1
  %y = call float @_Z16__lanecl_shufflefj(float %x, i32 %other)
  store float %y, ptr addrspace(1) %p
  ret void
}

; A broadcast is one scalar: what follows from it is computed once.
; CHECK-LABEL: define internal void @broadcast.lanes(
; CHECK: [[S:%.*]] = extractelement <16 x float> {{%.*}}, i64 5
; CHECK: [[T:%.*]] = fadd float [[S]], 1.000000e+00
; CHECK: store float [[T]]
define void @broadcast(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %y = call float @_Z18__lanecl_broadcastfj(float %x, i32 5)
  %z = fadd float %y, 1.0
  store float %z, ptr addrspace(1) %a
  ret void
}

; Component k of lane l is element l + 16 k.
; CHECK-LABEL: define internal void @block_read.lanes(
; CHECK: load <16 x i32>, ptr addrspace(1) %a, align 4
; CHECK: [[NEXT:%.*]] = getelementptr {{.*}} %a, i64 {{16|64}}
; CHECK: load <16 x i32>, ptr addrspace(1) [[NEXT]]
define void @block_read(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %v = call <2 x i32> @_Z24__lanecl_block_read_ui2PU3AS1Kj(ptr addrspace(1) %a)
  %x = extractelement <2 x i32> %v, i64 0
  %y = extractelement <2 x i32> %v, i64 1
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %b
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
