; __local variables lie one behind the other in the worker's local memory, each at its alignment.
; RUN: lanecl-opt %s -p kernel-arguments,instcombine | FileCheck %s

@a = internal addrspace(3) global [5 x i8] undef, align 1
@b = internal addrspace(3) global [4 x float] undef, align 16

; CHECK-NOT: addrspace(3) global
; CHECK-LABEL: @k(
; CHECK: [[LOCAL:%.*]] = load ptr addrspace(3), ptr addrspace(2) %worker, align 8, !invariant.load
; CHECK: [[B:%.*]] = getelementptr inbounds nuw i8, ptr addrspace(3) [[LOCAL]], i64 16
; CHECK: store i8 1, ptr addrspace(3) [[LOCAL]]
; CHECK: store float 2.000000e+00, ptr addrspace(3) [[B]], align 16
; CHECK: getelementptr i8, ptr addrspace(3) [[LOCAL]], i64 24
define spir_kernel void @k() {
  store i8 1, ptr addrspace(3) @a
  store float 2.0, ptr addrspace(3) @b, align 16
  store float 3.0, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @b, i64 2)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
