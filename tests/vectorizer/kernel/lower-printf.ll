; RUN: lanecl-opt -p lower-printf %s | FileCheck %s
; Each argument is a tag (component size, count, floating point, pointer) and its components, in units of 8 bytes.

@format = private addrspace(2) constant [1 x i8] zeroinitializer
declare i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define i32 @every_kind(
; CHECK: %printf.arguments = alloca [72 x i8], align 8
; An int is 4 | 1 << 8.
; CHECK: store i32 260, ptr %{{.*}}, align 8
; CHECK: store i32 %i, ptr %{{.*}}, align 8
; Four floats are 4 | 4 << 8 | 1 << 16, and 16 bytes.
; CHECK: store i32 66564,
; CHECK: store <4 x float> %v,
; A pointer is 8 | 1 << 8 | 1 << 17.
; CHECK: store i32 131336,
; CHECK: store ptr addrspace(1) %p,
; A half is 2 | 1 << 8 | 1 << 16.
; CHECK: store i32 65794,
; CHECK: store half %h,
; CHECK: call i32 @__lanecl_printf(ptr addrspace(2) @format, ptr %printf.arguments, i32 72)
define i32 @every_kind(i32 %i, <4 x float> %v, ptr addrspace(1) %p, half %h) {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, <4 x float> %v, ptr addrspace(1) %p, half %h)
  ret i32 %r
}

; CHECK-LABEL: define void @nothing_to_print(
; CHECK: call i32 @__lanecl_printf(ptr addrspace(2) @format, ptr %printf.arguments, i32 0)
define void @nothing_to_print() {
  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
