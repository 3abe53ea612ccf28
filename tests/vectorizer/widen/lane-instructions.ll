; RUN: lanecl-opt -w 8 --local-size 8,1,1 --isa avx512 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 32 --local-size 32,1,1 --isa avx512 -p widen %s | FileCheck %s --check-prefix WIDE

declare i32 @_Z16__lanecl_lane_idv()
declare float @_Z14__lanecl_scaleffi(float, float, i32) #0
declare double @_Z14__lanecl_scaleddm(double, double, i64) #0
declare float @_Z17__lanecl_mantissaf(float) #0
declare float @_Z17__lanecl_exponentf(float) #0
declare float @_Z21__lanecl_nearest_restf(float) #0
declare float @_Z19__lanecl_floor_restf(float) #0
declare float @_Z28__lanecl_reciprocal_estimatef(float) #0
declare double @_Z33__lanecl_reciprocal_root_estimated(double) #0
declare double @_Z23__lanecl_floor_exponentd(double) #0
declare double @_Z15__lanecl_lookupPU3AS2Kdm(ptr addrspace(2), i64) #0

@table = internal addrspace(2) constant [16 x double] zeroinitializer

; There is one instruction for each register.
; CHECK-LABEL: define internal void @floats.lanes(
; CHECK: call <8 x float> @llvm.x86.avx512.mask.scalef.ps.256(<8 x float> {{.*}}, <8 x float> {{.*}}, <8 x float> poison, i8 -1)
; CHECK: [[EXPONENT:%.*]] = call <8 x float> @llvm.x86.avx512.mask.getexp.ps.256(
; CHECK: [[MANTISSA:%.*]] = call <8 x float> @llvm.x86.avx512.mask.getmant.ps.256(<8 x float> {{.*}}, i32 15,
; CHECK: [[OWN:%.*]] = call <8 x float> @llvm.x86.avx512.mask.getexp.ps.256(<8 x float> [[MANTISSA]],
; CHECK: fsub <8 x float> [[EXPONENT]], [[OWN]]
; CHECK: call <8 x float> @llvm.x86.avx512.mask.getmant.ps.256(<8 x float> {{.*}}, i32 15,
; CHECK: call <8 x float> @llvm.x86.avx512.mask.reduce.ps.256(<8 x float> {{.*}}, i32 8,
; CHECK: call <8 x float> @llvm.x86.avx512.mask.reduce.ps.256(<8 x float> {{.*}}, i32 9,
; CHECK: call <8 x float> @llvm.x86.avx512.rcp14.ps.256(
; WIDE-LABEL: define internal void @floats.lanes(
; WIDE-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
; WIDE-NOT: @llvm.x86.avx512.mask.scalef.ps
; WIDE: ret void
define void @floats(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p
  %scaled = call float @_Z14__lanecl_scaleffi(float %x, float %x, i32 0)
  %exponent = call float @_Z17__lanecl_exponentf(float %scaled)
  %mantissa = call float @_Z17__lanecl_mantissaf(float %exponent)
  %nearest = call float @_Z21__lanecl_nearest_restf(float %mantissa)
  %floor = call float @_Z19__lanecl_floor_restf(float %nearest)
  %reciprocal = call float @_Z28__lanecl_reciprocal_estimatef(float %floor)
  store float %reciprocal, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @doubles.lanes(
; CHECK: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(
; CHECK: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(
; WIDE-LABEL: define internal void @doubles.lanes(
; WIDE-COUNT-4: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(
define void @doubles(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr double, ptr addrspace(1) %a, i64 %l
  %x = load double, ptr addrspace(1) %p
  %scaled = call double @_Z14__lanecl_scaleddm(double %x, double %x, i64 0)
  %root = call double @_Z33__lanecl_reciprocal_root_estimated(double %scaled)
  store double %root, ptr addrspace(1) %p
  ret void
}

; A uniform value is computed once for all lanes.
; CHECK-LABEL: define internal void @uniform.lanes(
; CHECK: [[VECTOR:%.*]] = insertelement <4 x float> zeroinitializer, float %x, i64 0
; CHECK: [[ESTIMATE:%.*]] = call <4 x float> @llvm.x86.avx512.rcp14.ps.128(<4 x float> [[VECTOR]],
; CHECK: extractelement <4 x float> [[ESTIMATE]], i64 0
define void @uniform(ptr addrspace(1) %a, float %x) {
  %reciprocal = call float @_Z28__lanecl_reciprocal_estimatef(float %x)
  store float %reciprocal, ptr addrspace(1) %a
  ret void
}

; A table is two registers, from which each register of indices chooses.
; CHECK-LABEL: define internal void @lookup.lanes(
; CHECK: [[INDEX:%.*]] = load <8 x i64>
; CHECK: [[LOW:%.*]] = load <8 x double>, ptr addrspace(2) @table, align 8
; CHECK: [[HIGH:%.*]] = load <8 x double>, ptr addrspace(2) getelementptr (<8 x double>, ptr addrspace(2) @table, i32 1), align 8
; CHECK: [[PART:%.*]] = shufflevector <8 x i64> [[INDEX]],
; CHECK: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double> [[LOW]], <8 x i64> [[PART]], <8 x double> [[HIGH]])
; CHECK: call <8 x double> @llvm.x86.avx512.mask.getexp.pd.512(
; CHECK-NOT: getmant
; CHECK: ret void
; WIDE-LABEL: define internal void @lookup.lanes(
; WIDE-COUNT-4: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(
define void @lookup(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %l
  %index = load i64, ptr addrspace(1) %p
  %entry = call double @_Z15__lanecl_lookupPU3AS2Kdm(ptr addrspace(2) @table, i64 %index)
  %exponent = call double @_Z23__lanecl_floor_exponentd(double %entry)
  store double %exponent, ptr addrspace(1) %p
  ret void
}

; A uniform index makes it a load.
; CHECK-LABEL: define internal void @uniform_lookup.lanes(
; CHECK: [[OFFSET:%.*]] = and i64 %index, 15
; CHECK: [[ENTRY:%.*]] = getelementptr double, ptr addrspace(2) @table, i64 [[OFFSET]]
; CHECK: load double, ptr addrspace(2) [[ENTRY]], align 8
define void @uniform_lookup(ptr addrspace(1) %a, i64 %index) {
  %entry = call double @_Z15__lanecl_lookupPU3AS2Kdm(ptr addrspace(2) @table, i64 %index)
  store double %entry, ptr addrspace(1) %a
  ret void
}

attributes #0 = { nounwind willreturn memory(none) }
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
