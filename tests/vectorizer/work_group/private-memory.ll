; The biggest private variables leave the stack until the rest is small.
; RUN: lanecl-opt %s -p private-memory | FileCheck %s

; CHECK-LABEL: @k.lanes(
; CHECK-NOT: alloca [8192
; CHECK: %small = alloca [16 x i32]
; CHECK: %big = getelementptr inbounds{{.*}} i8, ptr %scratch, i64 0
; CHECK-NOT: lifetime
; CHECK: store i32 1, ptr %big
define void @k.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx, i64 %gy,
                     i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %small = alloca [16 x i32], align 64
  %big = alloca [8192 x i32], align 64
  call void @llvm.lifetime.start.p0(ptr %big)
  store i32 1, ptr %big
  store i32 2, ptr %small
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)

; A kept function may have the same parameters, but the scratch memory is the kernel's: its variables stay on the stack.
; CHECK-LABEL: @f.all(
; CHECK: alloca [8192 x i32]
define internal void @f.all(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx, i64 %gy,
                            i64 %gz, i32 %sg, i32 %active, ptr %scratch) "lanecl-kept" {
  %big = alloca [8192 x i32], align 64
  store i32 1, ptr %big
  ret void
}
; CHECK: attributes {{.*}}"lanecl-private-bytes"="32768"
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
