; A function for one sub-group size is refused in kernels of another, and costs nothing in its own.
; RUN: lanecl-opt %s -p specialize-launch -w 16 | FileCheck %s
; RUN: not lanecl-opt %s -p specialize-launch -w 8 > %t 2>&1
; RUN: FileCheck %s --check-prefix=ERROR < %t

declare void @_Z22__lanecl_require_widthj(i32)

; CHECK-LABEL: @k(
; CHECK-NEXT: ret void
; ERROR: error: {{.*}}this function is for sub-groups of 16 work-items, but the kernel's have 8; the kernel needs __attribute__((intel_reqd_sub_group_size(16)))
define void @k() {
  call void @_Z22__lanecl_require_widthj(i32 16)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
