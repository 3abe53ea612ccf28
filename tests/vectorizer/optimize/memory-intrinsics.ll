; Copies become loads and stores of the private variable's elements: unrolled when short, a loop when not.
; RUN: lanecl-opt %s -p memory-intrinsics | FileCheck %s

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: @doubles(
; CHECK-COUNT-3: load i64, ptr addrspace(1) {{.*}}, align 8
; CHECK-COUNT-3: store i64 {{.*}}, align 8
; CHECK-NOT: call
define void @doubles(ptr addrspace(1) %p) {
  %array = alloca [3 x double], align 8
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %array, ptr addrspace(1) align 8 %p, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: @long(
; CHECK: copy:
; CHECK: load i32
; CHECK: store i32
; CHECK: icmp eq i64 {{.*}}, 1000
define void @long(ptr addrspace(1) %p) {
  %array = alloca [1000 x i32], align 4
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %array, ptr addrspace(1) align 4 %p, i64 4000, i1 false)
  ret void
}

; Overlapping memory is copied by words, all of which are read before any is written.
; CHECK-LABEL: @move(
; CHECK: load i32, {{.*}}, align 2
; CHECK: load i32, {{.*}}, align 2
; CHECK: store i32 {{.*}}, align 1
; CHECK: store i32 {{.*}}, align 1
define void @move(ptr addrspace(1) %p) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 1
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 1 %q, ptr addrspace(1) align 2 %p, i64 8, i1 false)
  ret void
}

; A loop copies overlapping memory from its end if it moves up.
; CHECK-LABEL: @move_long(
; CHECK: %[[FROM:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(1) %q to i64
; CHECK: %[[UP:.*]] = icmp ult i64 %[[FROM]], %[[TO]]
; CHECK: br i1 %[[UP]], label %[[BACKWARDS:.*]], label %[[FORWARDS:.*]]
; CHECK: [[BACKWARDS]]:
; CHECK: %[[NEXT:.*]] = add nuw nsw i64 %{{.*}}, 1
; CHECK-NEXT: %[[INDEX:.*]] = sub i64 1000, %[[NEXT]]
; CHECK-NEXT: getelementptr inbounds i32, ptr addrspace(1) %p, i64 %[[INDEX]]
; CHECK: [[FORWARDS]]:
; CHECK: %[[STEP:.*]] = phi i64
; CHECK-NEXT: add nuw nsw i64 %[[STEP]], 1
; CHECK-NEXT: getelementptr inbounds i32, ptr addrspace(1) %p, i64 %[[STEP]]
define void @move_long(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %q, ptr addrspace(1) align 4 %p, i64 4000, i1 false)
  ret void
}

; A private variable is copied by what both sides are aligned to.
; CHECK-LABEL: @unaligned(
; CHECK-COUNT-4: load i8, ptr addrspace(1)
; CHECK-COUNT-4: store i8
define void @unaligned(ptr addrspace(1) %p) {
  %array = alloca { i8, i16 }, align 2
  call void @llvm.memcpy.p0.p1.i64(ptr align 2 %array, ptr addrspace(1) align 1 %p, i64 4, i1 false)
  ret void
}

; CHECK-LABEL: @fill(
; CHECK: mul i32 {{.*}}, 16843009
; CHECK-COUNT-2: store i32
define void @fill(i8 %byte) {
  %array = alloca [2 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 %byte, i64 8, i1 false)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; CHECK-LABEL: @volatile(
; CHECK-COUNT-2: load volatile i32
; CHECK-COUNT-2: store volatile i32
; CHECK: load volatile i32
; CHECK: store volatile i32
define void @volatile(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %p, ptr addrspace(1) align 4 %q, i64 8, i1 true)
  %array = alloca [1000 x i32], align 4
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %array, ptr addrspace(1) align 4 %p, i64 4000, i1 true)
  ret void
}
