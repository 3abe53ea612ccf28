; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx2 -p specialize-launch,widen %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx512 -p specialize-launch,widen %s | FileCheck --check-prefix=SPLAT %s

declare i64 @_Z18__lanecl_global_idj(i32)
declare i32 @_Z19__lanecl_reduce_addi(i32)
declare float @_Z19__lanecl_reduce_addf(float)

; With AVX2 the lanes of a reduction of integers are used as they are; one of them is the scalar.
; CHECK-LABEL: define internal void @integers.lanes(
; CHECK: [[HALVED:%.*]] = add <8 x i32>
; CHECK: [[ALL:%.*]] = shufflevector <8 x i32> {{.*}} <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0,
; CHECK: [[SCALAR:%.*]] = extractelement <16 x i32> [[ALL]], i64 0
; CHECK: sub <16 x i32> {{%.*}}, [[ALL]]
; SPLAT-LABEL: define internal void @integers.lanes(
; SPLAT: insertelement <16 x i32> poison, i32 {{.*}}, i64 0
define void @integers(ptr addrspace(1) %a) {
  %i = call i64 @_Z18__lanecl_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %sum = call i32 @_Z19__lanecl_reduce_addi(i32 %x)
  %rest = sub i32 %x, %sum
  store i32 %rest, ptr addrspace(1) %p
  ret void
}

; Which NaN a sum is depends on the order of its operands.
; CHECK-LABEL: define internal void @floats.lanes(
; CHECK: insertelement <16 x float> poison, float {{.*}}, i64 0
define void @floats(ptr addrspace(1) %a) {
  %i = call i64 @_Z18__lanecl_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %sum = call float @_Z19__lanecl_reduce_addf(float %x)
  %rest = fsub float %x, %sum
  store float %rest, ptr addrspace(1) %p
  ret void
}
