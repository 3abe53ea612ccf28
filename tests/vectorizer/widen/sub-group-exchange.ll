; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s
; Constant distances are immediate permutes, numbers that differ are register permutes; nothing goes through memory.

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z14__lanecl_widthv()
declare float @_Z16__lanecl_shufflefj(float, i32)
declare float @_Z17__lanecl_shuffle2ffj(float, float, i32)
declare <4 x i16> @_Z24__lanecl_block_read_us4PU3AS1Kt(ptr addrspace(1))

; Two sources, three lanes up: lanes 5, 6 and 7 of the first come before the second.
; CHECK-LABEL: define internal void @shuffle_up.lanes(
; CHECK: shufflevector <8 x float> {{%.*}}, <8 x float> {{%.*}}, <8 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12>
; CHECK-NOT: alloca
; CHECK: ret void
define void @shuffle_up(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %q = getelementptr float, ptr addrspace(1) %b, i64 %l
  %x = load float, ptr addrspace(1) %p
  %y = load float, ptr addrspace(1) %q
  %from = add i32 %lane, 5
  %z = call float @_Z17__lanecl_shuffle2ffj(float %x, float %y, i32 %from)
  store float %z, ptr addrspace(1) %p
  ret void
}

; A lane number from memory: a permute by the registers of numbers, no loop over lanes and no gather.
; CHECK-LABEL: define internal void @varying.lanes(
; CHECK: call <8 x {{i32|float}}> @llvm.x86.{{avx512.permvar.s[if].256|avx2.perm[ds]}}(
; CHECK-NOT: {{alloca|gather|br i1}}
; CHECK: ret void
define void @varying(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %l
  %x = load float, ptr addrspace(1) %p
  %from = load i32, ptr addrspace(1) %q
  %y = call float @_Z16__lanecl_shufflefj(float %x, i32 %from)
  store float %y, ptr addrspace(1) %p
  ret void
}

; Eight lanes of four 16-bit components are contiguous: as few loads as registers, not one per component.
; CHECK-LABEL: define internal void @narrow_block.lanes(
; CHECK: [[WIDE:%.*]] = load <{{16|32}} x i16>, ptr addrspace(1) %a, align 2
; CHECK: shufflevector <{{16|32}} x i16> [[WIDE]], <{{16|32}} x i16> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: shufflevector <{{16|32}} x i16> [[WIDE]], <{{16|32}} x i16> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NOT: load <8 x i16>
; CHECK: ret void
define void @narrow_block(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %v = call <4 x i16> @_Z24__lanecl_block_read_us4PU3AS1Kt(ptr addrspace(1) %a)
  %x = extractelement <4 x i16> %v, i64 0
  %y = extractelement <4 x i16> %v, i64 3
  %s = add i16 %x, %y
  store i16 %s, ptr addrspace(1) %b
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
