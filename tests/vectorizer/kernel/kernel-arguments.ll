; Arguments come from the packed block at their offsets; local memory from the worker.
; RUN: lanecl-opt %s -p kernel-arguments | FileCheck %s

%struct.S = type { float, i32 }
@k.t = internal addrspace(3) global [5 x i8] undef, align 1
@k.u = internal addrspace(3) global [4 x float] undef, align 16

; CHECK: define void @k(ptr addrspace(2) {{.*}} %launch, ptr addrspace(2) {{.*}} %worker,
; CHECK: %arguments = load ptr addrspace(2), ptr addrspace(2) {{.*}}, align 8, !invariant.load {{.*}}, !lanecl.bytes.of.arguments [[BYTES:![0-9]+]]
; CHECK: %p = load ptr addrspace(1), ptr addrspace(2) {{.*}}, align 8, !invariant.load {{.*}}, !align [[ALIGN:![0-9]+]]
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %arguments, i64 8
; CHECK: %c = load i8
; A vector of three has the size and alignment of four.
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %arguments, i64 16
; CHECK: %v = load <3 x float>, {{.*}}, align 16
; A structure that is only read is read in place.
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %arguments, i64 32
; CHECK-NEXT: addrspacecast ptr addrspace(2) {{.*}} to ptr
; A structure that is written is copied.
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %arguments, i64 40
; CHECK: call void @llvm.memcpy
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %arguments, i64 48
; CHECK: %l.offset = load i64
; CHECK: %l = getelementptr inbounds i8, ptr addrspace(3) %local.memory{{.*}}, i64 %l.offset
; `restrict` leaves its scope on the access.
; CHECK: store float {{.*}}, ptr addrspace(1) %p, align 4, {{.*}}!alias.scope
; CHECK-DAG: [[BYTES]] = !{i64 56}
; CHECK-DAG: [[ALIGN]] = !{i64 4}
define spir_kernel void @k(ptr addrspace(1) noalias noundef align 4 %p, i8 %c, <3 x float> %v,
                           ptr byval(%struct.S) align 4 %s, ptr byval(%struct.S) align 4 %w, ptr addrspace(3) %l) {
  %f = load float, ptr %s
  store float %f, ptr %w
  store float %f, ptr addrspace(1) %p
  store i8 %c, ptr addrspace(3) @k.t
  store <3 x float> %v, ptr addrspace(3) @k.u
  store float %f, ptr addrspace(3) %l
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
