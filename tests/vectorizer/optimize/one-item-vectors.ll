; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt %s -p scalar-optimize -w 16 --local-size=1,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p scalar-optimize -w 16 --local-size=64,1,1 | FileCheck --check-prefix=LANES %s
; The vectors of a work-item alone stay; beside others their components are values of their own.

; CHECK-LABEL: @k(
; CHECK: add <16 x i32>
; LANES-LABEL: @k(
; LANES-NOT: add <16 x i32>
; LANES: add i32
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = load <16 x i32>, ptr addrspace(1) %a
  %y = mul <16 x i32> %x, %x
  %z = add <16 x i32> %x, %y
  store <16 x i32> %z, ptr addrspace(1) %b
  ret void
}
