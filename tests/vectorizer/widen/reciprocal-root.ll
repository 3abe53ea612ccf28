; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 8 --local-size 8,1,1 --isa avx512 -p widen %s | FileCheck %s --check-prefix AVX512

declare i32 @_Z16__lanecl_lane_idv()
declare float @llvm.sqrt.f32(float)

; The processor's estimate and one of Newton's steps, and a quotient where that has no finite factor, behind a branch.
; CHECK-LABEL: define internal void @permitted.lanes(
; CHECK: [[Y:%.*]] = call <8 x float> @llvm.x86.avx.rsqrt.ps.256(
; CHECK: [[FACTOR:%.*]] = call <8 x float> @llvm.fmuladd.v8f32(
; CHECK: [[STEP:%.*]] = fmul <8 x float> [[Y]], [[FACTOR]]
; CHECK: br i1 %all, label %reciprocal.done, label %reciprocal.divided
; CHECK: reciprocal.divided:
; CHECK: [[QUOTIENT:%.*]] = fdiv <8 x float>
; CHECK: select <8 x i1> {{.*}}, <8 x float> [[STEP]], <8 x float> [[QUOTIENT]]
; CHECK: reciprocal.done:
; CHECK-NOT: fdiv
; CHECK: ret void

; The estimate of AVX-512 needs no such step.
; AVX512-LABEL: define internal void @permitted.lanes(
; AVX512: [[Y:%.*]] = call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(
; AVX512: [[FACTOR:%.*]] = call <8 x float> @llvm.fmuladd.v8f32(
; AVX512: [[STEP:%.*]] = fmul <8 x float> [[Y]], [[FACTOR]]
; AVX512: select <8 x i1> {{.*}}, <8 x float> [[STEP]], <8 x float> [[Y]]
; AVX512-NOT: fdiv
; AVX512: ret void
define void @permitted(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv arcp float 1.0, %root
  store float %y, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @exact.lanes(
; CHECK: [[ROOT:%.*]] = call <8 x float> @llvm.sqrt.v8f32(
; CHECK: fdiv <8 x float> {{.*}}, [[ROOT]]
define void @exact(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv float 1.0, %root
  store float %y, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
