; RUN: lanecl-opt -p "inline-calls,half-chains" %s | FileCheck %s
; The rounding that a function of halves ends with may be left out where its call is relaxed.

; CHECK-LABEL: define spir_kernel void @relaxed(
; CHECK: %[[FIRST:.*]] = call float @llvm.fmuladd.f32(
; CHECK-NOT: fptrunc
; CHECK: call float @llvm.fmuladd.f32({{.*}}, float %[[FIRST]])
; CHECK: fptrunc
define spir_kernel void @relaxed(half %x, half %y, ptr %to) {
  %a = call reassoc contract half @multiply_add(half %x, half %y, half %x)
  %b = call reassoc contract half @multiply_add(half %x, half %y, half %a)
  store half %b, ptr %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @strict(
; CHECK-COUNT-2: fptrunc
define spir_kernel void @strict(half %x, half %y, ptr %to) {
  %a = call contract half @multiply_add(half %x, half %y, half %x)
  %b = call contract half @multiply_add(half %x, half %y, half %a)
  store half %b, ptr %to
  ret void
}

; A conversion is written in order to round.
; CHECK-LABEL: define spir_kernel void @conversion(
; CHECK: fptrunc
; CHECK-NEXT: fpext
define spir_kernel void @conversion(float %x, ptr %to) {
  %h = call reassoc contract half @convert(float %x)
  %f = fpext half %h to float
  store float %f, ptr %to
  ret void
}

define internal half @multiply_add(half %x, half %y, half %z) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %c = fpext half %z to float
  %d = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  %e = fptrunc float %d to half
  ret half %e
}

define internal half @convert(float %x) {
  %h = fptrunc float %x to half
  ret half %h
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
