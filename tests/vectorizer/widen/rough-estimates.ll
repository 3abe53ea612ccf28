; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -w 8 --local-size 8,1,1 --isa avx512 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx2 -p widen %s | FileCheck %s --check-prefix AVX2
; RUN: lanecl-opt -w 8 --local-size 8,1,1 --isa sse4.2 -p widen %s | FileCheck %s --check-prefix SSE42

declare i32 @_Z16__lanecl_lane_idv()
declare float @_Z25__lanecl_rough_reciprocalf(float) #0
declare float @_Z30__lanecl_rough_reciprocal_rootf(float) #0

; Rough estimates are instructions everywhere.
; CHECK-LABEL: define internal void @rough.lanes(
; CHECK: call <8 x float> @llvm.x86.avx512.rcp14.ps.256(
; CHECK: call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(
; AVX2-LABEL: define internal void @rough.lanes(
; AVX2-COUNT-2: call <8 x float> @llvm.x86.avx.rcp.ps.256(
; AVX2-COUNT-2: call <8 x float> @llvm.x86.avx.rsqrt.ps.256(
; SSE42-LABEL: define internal void @rough.lanes(
; SSE42-COUNT-2: call <4 x float> @llvm.x86.sse.rcp.ps(
; SSE42-COUNT-2: call <4 x float> @llvm.x86.sse.rsqrt.ps(
define void @rough(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %reciprocal = call float @_Z25__lanecl_rough_reciprocalf(float %x)
  %root = call float @_Z30__lanecl_rough_reciprocal_rootf(float %reciprocal)
  store float %root, ptr addrspace(1) %p
  ret void
}

; AVX2-LABEL: define internal void @uniform_rough.lanes(
; AVX2: [[X:%.*]] = insertelement <4 x float> zeroinitializer, float %x, i64 0
; AVX2: call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> [[X]])
define void @uniform_rough(ptr addrspace(1) %a, float %x) {
  %reciprocal = call float @_Z25__lanecl_rough_reciprocalf(float %x)
  store float %reciprocal, ptr addrspace(1) %a
  ret void
}

attributes #0 = { nounwind willreturn memory(none) }
