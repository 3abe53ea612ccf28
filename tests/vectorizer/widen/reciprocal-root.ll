; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s

declare i32 @_Z16__lanecl_lane_idv()
declare float @llvm.sqrt.f32(float)

; The processor's estimate, one of Newton's steps, and the estimate itself where that has no finite factor.
; CHECK-LABEL: define internal void @permitted.lanes(
; CHECK: [[Y:%.*]] = call <8 x float> @llvm.x86.avx.rsqrt.ps.256(
; CHECK: [[FACTOR:%.*]] = call <8 x float> @llvm.fmuladd.v8f32(
; CHECK: [[STEP:%.*]] = fmul <8 x float> [[Y]], [[FACTOR]]
; CHECK: select <8 x i1> {{.*}}, <8 x float> [[STEP]], <8 x float> [[Y]]
; CHECK-NOT: fdiv
; CHECK: ret void
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
