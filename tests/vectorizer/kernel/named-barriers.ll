; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Each call gets local memory of its own, one in a loop 32 places that take turns.
; RUN: lanecl-opt %s -p named-barriers | FileCheck %s

declare ptr addrspace(3) @_Z29__lanecl_named_barrier_memoryj(i32)
declare void @use(ptr addrspace(3))

; CHECK-DAG: [[FIRST:@.*]] = internal addrspace(3) global [1 x [12 x i8]] undef, align 8
; CHECK-DAG: [[SECOND:@.*]] = internal addrspace(3) global [1 x [12 x i8]] undef, align 8
; CHECK-DAG: [[LOOP:@.*]] = internal addrspace(3) global [32 x [12 x i8]] undef, align 8

; CHECK-LABEL: @k(
; CHECK: [[COUNTER:%.*]] = alloca i32
; CHECK: store i32 0, ptr [[COUNTER]]
; CHECK: call void @use(ptr addrspace(3) @{{.*}})
; CHECK: call void @use(ptr addrspace(3) @{{.*}})
; CHECK: loop:
; CHECK: [[TURN:%.*]] = load i32, ptr [[COUNTER]]
; CHECK: [[NEXT:%.*]] = add i32 [[TURN]], 1
; CHECK: store i32 [[NEXT]], ptr [[COUNTER]]
; CHECK: [[PLACE:%.*]] = urem i32 [[TURN]], 32
; CHECK: getelementptr inbounds [32 x [12 x i8]], ptr addrspace(3) [[LOOP]], i32 0, i32 [[PLACE]]
define spir_kernel void @k(i1 %again) {
entry:
  %a = call ptr addrspace(3) @_Z29__lanecl_named_barrier_memoryj(i32 12)
  call void @use(ptr addrspace(3) %a)
  %b = call ptr addrspace(3) @_Z29__lanecl_named_barrier_memoryj(i32 12)
  call void @use(ptr addrspace(3) %b)
  br label %loop

loop:
  %c = call ptr addrspace(3) @_Z29__lanecl_named_barrier_memoryj(i32 12)
  call void @use(ptr addrspace(3) %c)
  br i1 %again, label %loop, label %end

end:
  ret void
}
