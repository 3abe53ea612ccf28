; RUN: lanecl-opt -p private-memory %s | FileCheck %s

declare i64 @_Z23__lanecl_private_memoryv()
declare i64 @_Z22__lanecl_private_bytesv()

; A kernel that asks where private memory lies has none on the stack, however small it is.
; CHECK-LABEL: define void @asks(
; CHECK-NOT: alloca
; CHECK: %variable = getelementptr inbounds i8, ptr %scratch, i64 0
; CHECK: getelementptr inbounds {{.*}}i8, ptr addrspace(2) %worker, i64 8
; CHECK-NEXT: %memory = load i64, {{.*}}!invariant.load
; CHECK: getelementptr inbounds {{.*}}i8, ptr addrspace(2) %worker, i64 24
; CHECK-NEXT: %bytes = load i64, {{.*}}!invariant.load
; CHECK-NOT: call i64
; CHECK: ret void
define void @asks(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %x, i64 %y, i64 %z, i32 %sub_group, i32 %active, ptr %scratch) {
  %variable = alloca [64 x i8], align 4
  %memory = call i64 @_Z23__lanecl_private_memoryv()
  %bytes = call i64 @_Z22__lanecl_private_bytesv()
  %sum = add i64 %memory, %bytes
  store i64 %sum, ptr %variable
  ret void
}

; Without such a question the stack is the better place.
; CHECK-LABEL: define void @silent(
; CHECK: %variable = alloca [64 x i8]
define void @silent(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %x, i64 %y, i64 %z, i32 %sub_group, i32 %active, ptr %scratch) {
  %variable = alloca [64 x i8], align 4
  store i64 %x, ptr %variable
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
