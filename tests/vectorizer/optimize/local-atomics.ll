; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p local-atomics %s | FileCheck %s
; One thread sees local memory: updates of it need no lock. Those of other memory do.

; CHECK-LABEL: define i32 @add(
; CHECK: %[[OLD:.*]] = load i32, ptr addrspace(3) %local, align 4
; CHECK: %[[NEW:.*]] = add i32 %[[OLD]], %x
; CHECK: store i32 %[[NEW]], ptr addrspace(3) %local, align 4
; CHECK: atomicrmw volatile add ptr addrspace(1) %global
; CHECK: atomicrmw volatile add ptr addrspace(4) %any
; CHECK: ret i32 %[[OLD]]
define i32 @add(ptr addrspace(3) %local, ptr addrspace(1) %global, ptr addrspace(4) %any, i32 %x) {
  %old = atomicrmw volatile add ptr addrspace(3) %local, i32 %x seq_cst
  %a = atomicrmw volatile add ptr addrspace(1) %global, i32 %x seq_cst
  %b = atomicrmw volatile add ptr addrspace(4) %any, i32 %x seq_cst
  ret i32 %old
}

; CHECK-LABEL: define { i64, i1 } @exchange(
; CHECK-NOT: cmpxchg
; CHECK: %[[OLD:.*]] = load i64, ptr addrspace(3) %local, align 8
; CHECK: icmp eq i64 %[[OLD]], %expected
; CHECK: store i64
; CHECK: cmpxchg ptr addrspace(1) %global
; CHECK: cmpxchg ptr addrspace(4) %any
define { i64, i1 } @exchange(ptr addrspace(3) %local, ptr addrspace(1) %global, ptr addrspace(4) %any, i64 %expected, i64 %desired) {
  %result = cmpxchg ptr addrspace(3) %local, i64 %expected, i64 %desired acq_rel monotonic
  %a = cmpxchg ptr addrspace(1) %global, i64 %expected, i64 %desired acq_rel monotonic
  %b = cmpxchg ptr addrspace(4) %any, i64 %expected, i64 %desired acq_rel monotonic
  ret { i64, i1 } %result
}

; CHECK-LABEL: define float @minimum(
; CHECK-NOT: atomicrmw
; CHECK: ret float
define float @minimum(ptr addrspace(3) %local, float %x) {
  %old = atomicrmw fmin ptr addrspace(3) %local, float %x monotonic
  ret float %old
}
