; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; Reductions and scans take log2 W steps of shuffle and operation, in the order that docs/sub-groups.md promises.

declare i32 @_Z16__lanecl_lane_idv()
declare float @_Z19__lanecl_reduce_addf(float)
declare float @_Z27__lanecl_scan_inclusive_addf(float)
declare i32 @_Z28__lanecl_scan_exclusive_smini(i32)
declare i32 @_Z30__lanecl_clustered_reduce_umaxjj(i32, i32)

; Halves are added until one lane is left; below 128 bits only the low elements matter.
; CHECK-LABEL: define internal void @reduce.lanes(
; CHECK: [[L8:%.*]] = shufflevector <16 x float> [[X:%.*]], <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: [[H8:%.*]] = shufflevector <16 x float> [[X]], <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK: fadd <8 x float> [[L8]], [[H8]]
; CHECK: fadd <4 x float>
; CHECK: shufflevector <4 x float> {{%.*}}, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 poison, i32 poison>
; CHECK: fadd <4 x float>
; CHECK: shufflevector <4 x float> {{%.*}}, <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
; CHECK: [[SUM:%.*]] = fadd <4 x float>
; CHECK: extractelement <4 x float> [[SUM]], i64 0
; CHECK-NOT: fadd
; CHECK: ret void
define void @reduce(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %sum = call float @_Z19__lanecl_reduce_addf(float %x)
  store float %sum, ptr addrspace(1) %a
  ret void
}

; Lanes move up by 1, 2, 4 and 8; -0.0 comes in from below, as it leaves every number what it is.
; CHECK-LABEL: define internal void @scan.lanes(
; CHECK: [[UP1:%.*]] = shufflevector <16 x float> [[X:%.*]], <16 x float> splat (float -0.000000e+00), <16 x i32> <i32 16, i32 0, i32 1, i32 2,
; CHECK: [[S1:%.*]] = fadd <16 x float> [[UP1]], [[X]]
; CHECK: [[UP2:%.*]] = shufflevector <16 x float> [[S1]], <16 x float> splat (float -0.000000e+00), <16 x i32> <i32 16, i32 17, i32 0, i32 1,
; CHECK: fadd <16 x float> [[UP2]], [[S1]]
; CHECK-COUNT-2: fadd <16 x float>
; CHECK-NOT: fadd
; CHECK: ret void
define void @scan(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %sum = call float @_Z27__lanecl_scan_inclusive_addf(float %x)
  store float %sum, ptr addrspace(1) %p
  ret void
}

; An exclusive scan is the inclusive one of what lies a lane below.
; CHECK-LABEL: define internal void @exclusive.lanes(
; CHECK: shufflevector <16 x i32> {{%.*}}, <16 x i32> splat (i32 2147483647), <16 x i32> <i32 16, i32 0, i32 1,
; CHECK-COUNT-4: call <16 x i32> @llvm.smin.v16i32
; CHECK-NOT: llvm.smin
; CHECK: ret void
define void @exclusive(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %x = load i32, ptr addrspace(1) %p
  %least = call i32 @_Z28__lanecl_scan_exclusive_smini(i32 %x)
  store i32 %least, ptr addrspace(1) %p
  ret void
}

; Clusters of four exchange with their neighbors twice.
; CHECK-LABEL: define internal void @clusters.lanes(
; CHECK: shufflevector <16 x i32> {{%.*}}, <16 x i32> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK: call <16 x i32> @llvm.umax.v16i32
; CHECK: shufflevector <16 x i32> {{%.*}}, <16 x i32> poison, <16 x i32> <i32 2, i32 3, i32 0, i32 1,
; CHECK: call <16 x i32> @llvm.umax.v16i32
; CHECK-NOT: llvm.umax
; CHECK: ret void
define void @clusters(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %x = load i32, ptr addrspace(1) %p
  %most = call i32 @_Z30__lanecl_clustered_reduce_umaxjj(i32 %x, i32 4)
  store i32 %most, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
