; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A loop that `goto` enters in the middle gets one entry before its effects are marked, at the place where it begins.
; RUN: lanecl-opt -p inline-calls %s | FileCheck %s

target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define spir_kernel void @waits(
; CHECK: entry:
; CHECK: irr.guard:
; CHECK: again:
; CHECK: cmpxchg
; CHECK: call void @lanecl.effects()
; CHECK-NOT: irr.guard:
; CHECK: ret void
define spir_kernel void @waits(ptr addrspace(1) %lock, ptr addrspace(1) %sum, i1 %enters_behind) {
entry:
  br i1 %enters_behind, label %middle, label %again
again:
  store volatile i32 0, ptr addrspace(1) %sum
  br label %middle
middle:
  %result = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %result, 1
  br i1 %got, label %take, label %else
take:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %end
else:
  br label %again
end:
  ret void
}

; Nobody can wait in this one. It keeps its entries until later.
; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-NOT: irr.guard
; CHECK: ret void
define spir_kernel void @counts(ptr addrspace(1) %sum, i1 %enters_behind, i32 %n) {
entry:
  br i1 %enters_behind, label %middle, label %again
again:
  %i = phi i32 [ 0, %entry ], [ %i.next, %middle ]
  store i32 %i, ptr addrspace(1) %sum
  br label %middle
middle:
  %k = phi i32 [ 0, %entry ], [ %i, %again ]
  %i.next = add i32 %k, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %again, label %end
end:
  ret void
}

; To give the loop one entry, the switch becomes branches. Its default is unreachable, so the call is erased before it is
; inlined.
; CHECK-LABEL: define spir_kernel void @calls_nothing(
; CHECK-NOT: call spir_func
; CHECK: irr.guard:
; CHECK: ret void
define spir_kernel void @calls_nothing(ptr addrspace(1) %lock, ptr addrspace(1) %sum, i32 %way) {
entry:
  %side = and i32 %way, 1
  switch i32 %side, label %neither [ i32 0, label %again
                                     i32 1, label %middle ]
neither:
  call spir_func void @helper(ptr addrspace(1) %sum)
  br label %again
again:
  store volatile i32 0, ptr addrspace(1) %sum
  br label %middle
middle:
  %result = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %result, 1
  br i1 %got, label %end, label %again
end:
  ret void
}

define internal spir_func void @helper(ptr addrspace(1) %sum) {
  store volatile i32 7, ptr addrspace(1) %sum
  ret void
}
