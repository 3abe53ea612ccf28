; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function of more than 4,000 instructions gets one version for all calls with arguments that vary, because each
; version takes long to compile. A call whose arguments are all uniform still gets a version of its own.
; RUN: awk '{ print } /^  ; stores/ { for (i = 0; i < 3998; ++i) print "  store i32 %%y, ptr addrspace(1) %%p" }' %s > %t.small.ll
; RUN: awk '{ print } /^  ; stores/ { for (i = 0; i < 3999; ++i) print "  store i32 %%y, ptr addrspace(1) %%p" }' %s > %t.large.ll
; RUN: lanecl-opt %t.small.ll -p kernel-arguments,function-parameters,specialize-launch,function-versions --kernel=k --width 8 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=SMALL
; RUN: lanecl-opt %t.large.ll -p kernel-arguments,function-parameters,specialize-launch,function-versions --kernel=k --width 8 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=LARGE

; SMALL-LABEL: define void @k(
; SMALL: call void @f.vus4(
; SMALL: call void @f.uvs8(
; SMALL: call void @f.uuu(

; Lanes pass values of their own for both numbers, and variables of two sizes.
; LARGE-LABEL: define void @k(
; LARGE: call void @f.vvv(
; LARGE: call void @f.vvv(
; LARGE: call void @f.uuu(
define internal void @f(i32 %x, i32 %y, ptr %variable) "lanecl-kept" {
  %p = inttoptr i32 %x to ptr addrspace(1)
  ; stores
  ret void
}

define spir_kernel void @k(i32 %n) {
  %one = alloca i32
  %two = alloca i64
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  %x = trunc i64 %id to i32
  call void @f(i32 %x, i32 %n, ptr %one)
  call void @f(i32 %n, i32 %x, ptr %two)
  call void @f(i32 %n, i32 %n, ptr null)
  ret void
}

declare i64 @_Z18__lanecl_global_idj(i32)
