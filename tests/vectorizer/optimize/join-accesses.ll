; RUN: lanecl-opt %s -p join-accesses | FileCheck %s

declare i32 @_Z16__lanecl_lane_idv()
declare void @extern()

; Members of neighbouring structures, in any order: loads at the first one's place, stores at the last one's.
; CHECK-LABEL: @whole(
; CHECK: [[IN:%.*]] = getelementptr i32, ptr addrspace(1) %y.in, i64 -1
; CHECK: [[LOADED:%.*]] = load <2 x float>, ptr addrspace(1) [[IN]], align 8, !tbaa
; CHECK-DAG: [[Y:%.*]] = extractelement <2 x float> [[LOADED]], i64 1
; CHECK-DAG: [[X:%.*]] = extractelement <2 x float> [[LOADED]], i64 0
; CHECK: fadd float [[X]], [[Y]]
; CHECK: [[OUT:%.*]] = getelementptr i32, ptr addrspace(1) %x.out, i64 0
; CHECK: [[FIRST:%.*]] = insertelement <2 x float> poison, float %sum, i64 0
; CHECK: [[BOTH:%.*]] = insertelement <2 x float> [[FIRST]], float %product, i64 1
; CHECK: store <2 x float> [[BOTH]], ptr addrspace(1) [[OUT]], align 8
; CHECK-NOT: {{load|store}}
define void @whole(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %x.in = getelementptr inbounds {float, float}, ptr addrspace(1) %in, i64 %l
  %y.in = getelementptr inbounds i8, ptr addrspace(1) %x.in, i64 4
  %y = load float, ptr addrspace(1) %y.in, align 4, !tbaa !0
  %x = load float, ptr addrspace(1) %x.in, align 8, !tbaa !0
  %sum = fadd float %x, %y
  %product = fmul float %x, %y
  %x.out = getelementptr inbounds {float, float}, ptr addrspace(1) %out, i64 %l
  %y.out = getelementptr inbounds i8, ptr addrspace(1) %x.out, i64 4
  store float %product, ptr addrspace(1) %y.out, align 4
  store float %sum, ptr addrspace(1) %x.out, align 8
  ret void
}

; Members of several types have one type in the vector.
; CHECK-LABEL: @mixed(
; CHECK: [[BITS:%.*]] = bitcast float %x to i32
; CHECK: store <2 x i32> {{.*}}, align 4
define void @mixed(ptr addrspace(1) %out, float %x, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %first = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %l
  %second = getelementptr inbounds i8, ptr addrspace(1) %first, i64 4
  store i32 %n, ptr addrspace(1) %first, align 4
  store float %x, ptr addrspace(1) %second, align 4
  ret void
}

; Not with a gap, not where neighbouring lanes would overlap, and not across what may use the memory.
; CHECK-LABEL: @apart(
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret void
define void @apart(ptr addrspace(1) %out, ptr addrspace(1) %other, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %first = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %l
  %second = getelementptr inbounds i8, ptr addrspace(1) %first, i64 4
  store i32 %n, ptr addrspace(1) %first, align 4
  call void @extern()
  store i32 %n, ptr addrspace(1) %second, align 4
  %read = load i32, ptr addrspace(1) %first, align 4
  store i32 %read, ptr addrspace(1) %other, align 4
  %more = load i32, ptr addrspace(1) %second, align 4
  %a = getelementptr inbounds [3 x i32], ptr addrspace(1) %out, i64 %l
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  store i32 %more, ptr addrspace(1) %a, align 4
  store i32 %n, ptr addrspace(1) %b, align 4
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %l
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  store i32 %more, ptr addrspace(1) %p, align 4
  store i32 %n, ptr addrspace(1) %q, align 4
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"bytes"}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
