; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; A volatile access of lanes keeps its place: fences for the compiler stand around vectors, gathers and scatters.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define internal void @vector.lanes(
; CHECK: fence syncscope("singlethread") seq_cst{{$}}
; CHECK-NEXT: load <16 x float>
; CHECK-NEXT: fence syncscope("singlethread") seq_cst{{$}}
; CHECK: fence syncscope("singlethread") seq_cst{{$}}
; CHECK-NEXT: store <16 x float> {{.*}} !noalias
; CHECK-NEXT: fence syncscope("singlethread") seq_cst{{$}}
; CHECK-NEXT: ret void
define void @vector(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = zext i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load volatile float, ptr addrspace(1) %p
  store volatile float %x, ptr addrspace(1) %p, !noalias !0
  ret void
}

; CHECK-LABEL: define internal void @varying.lanes(
; CHECK: fence
; CHECK: call <8 x i32> @llvm.x86.avx2.gather
; CHECK: fence
; CHECK: fence
; CHECK-COUNT-16: store i32
; CHECK: fence
define void @varying(ptr addrspace(4) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %square = mul i32 %lane, %lane
  %wide = zext i32 %square to i64
  %p = getelementptr i32, ptr addrspace(4) %a, i64 %wide
  %x = load volatile i32, ptr addrspace(4) %p
  %y = add i32 %x, 1
  store volatile i32 %y, ptr addrspace(4) %p
  ret void
}

; One access for all lanes stays volatile.
; CHECK-LABEL: define internal void @uniform.lanes(
; CHECK-NOT: fence
; CHECK: load volatile i32
; CHECK: store volatile i32
; CHECK: ret void
define void @uniform(ptr addrspace(1) %a) {
  %x = load volatile i32, ptr addrspace(1) %a
  %y = add i32 %x, 1
  store volatile i32 %y, ptr addrspace(1) %a
  ret void
}

; No other thread sees local memory.
; CHECK-LABEL: define internal void @local.lanes(
; CHECK-NOT: fence
; CHECK: ret void
define void @local(ptr addrspace(3) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = zext i32 %lane to i64
  %p = getelementptr float, ptr addrspace(3) %a, i64 %wide
  %x = load volatile float, ptr addrspace(3) %p
  store volatile float %x, ptr addrspace(3) %a
  ret void
}

; A store also stays in the order of the others.
; CHECK-LABEL: define internal void @nontemporal.lanes(
; CHECK: store i32 1, ptr addrspace(1) %a, align 4{{$}}
; CHECK: store i32 15, ptr addrspace(1) %a, align 4{{$}}
define void @nontemporal(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a, align 4, !nontemporal !3
  %lane = call i32 @_Z16__lanecl_lane_idv()
  store i32 %lane, ptr addrspace(1) %a, align 4, !nontemporal !3
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = !{i32 1}
