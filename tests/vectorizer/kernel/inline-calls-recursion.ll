; RUN: not lanecl-opt %s -p inline-calls --kernel=k > %t 2>&1
; RUN: FileCheck %s < %t
; CHECK: error: {{.*}}recursion in kernel 'k': 'f' calls itself
define internal void @f(i32 %n) {
  call void @f(i32 %n)
  ret void
}
define spir_kernel void @k() {
  call void @f(i32 3)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
