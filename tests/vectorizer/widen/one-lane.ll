; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -w 8 --local-size 1,1,1 -p linearize,widen %s | FileCheck %s
; RUN: lanecl-opt -w 1 --local-size 0,1,1 -p linearize,widen %s | FileCheck %s --check-prefix=ROW
; With one lane nothing differs between lanes: branches stay, and every value is a scalar.

declare i32 @_Z27__lanecl_scan_inclusive_addi(i32)

; ROW-LABEL: define internal void @alone.lanes(
; CHECK-LABEL: define internal void @alone.lanes.partial(
; CHECK: %a = alloca [16 x i8]
; CHECK: %entry.mask = {{.*}}
; CHECK-NOT: <8 x
; CHECK: br i1 %odd, label %then, label %end
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
; CHECK: load i32, ptr %cell
; ROW: %a = alloca [16 x i8]
; ROW: br i1 %odd, label %then, label %end
define void @alone(ptr addrspace(1) %p) {
entry:
  %a = alloca [4 x i32]
  %v = load i32, ptr addrspace(1) %p
  %i = and i32 %v, 3
  %cell = getelementptr [4 x i32], ptr %a, i64 0, i32 %i
  store i32 %v, ptr %cell
  %odd = trunc i32 %v to i1
  br i1 %odd, label %then, label %end
then:
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  store i32 %old, ptr %a
  br label %end
end:
  %w = load i32, ptr %cell
  store i32 %w, ptr addrspace(1) %p
  ret void
}

; A sub-group function is computed in lanes, of which the only one counts.
; CHECK-LABEL: define internal void @scan.lanes.partial(
; CHECK: extractelement <8 x i32>
; CHECK: store i32 {{.*}}, ptr addrspace(1) %p
define void @scan(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p
  %s = call i32 @_Z27__lanecl_scan_inclusive_addi(i32 %v)
  store i32 %s, ptr addrspace(1) %p
  ret void
}
