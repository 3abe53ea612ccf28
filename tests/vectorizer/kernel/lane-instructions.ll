; RUN: lanecl-opt --isa avx512 -p inline-calls %s | FileCheck %s --check-prefix AVX512
; RUN: lanecl-opt --isa avx2 -p inline-calls %s | FileCheck %s --check-prefix AVX2

; With the instructions, calls stay and the library's bodies go; without, they are functions like any other, but
; for the rough estimates.
; AVX512-LABEL: define spir_kernel void @k(
; AVX512: call float @_Z28__lanecl_reciprocal_estimatef(
; AVX512: call float @_Z25__lanecl_rough_reciprocalf(
; AVX512: store i32 1,
; AVX512: declare {{.*}}float @_Z28__lanecl_reciprocal_estimatef(float) [[PURE:#[0-9]+]]
; AVX512: attributes [[PURE]] = { {{.*}}memory(none)
; AVX2-LABEL: define spir_kernel void @k(
; AVX2: fdiv float 1.0
; AVX2: call float @_Z25__lanecl_rough_reciprocalf(
; AVX2: store i32 0,
; AVX2-NOT: __lanecl_reciprocal
; AVX2: declare {{.*}}float @_Z25__lanecl_rough_reciprocalf(float)
; AVX2-NOT: __lanecl
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = load float, ptr addrspace(1) %a
  %y = call float @_Z28__lanecl_reciprocal_estimatef(float %x)
  %z = call float @_Z25__lanecl_rough_reciprocalf(float %y)
  store float %z, ptr addrspace(1) %a
  %has = call i32 @_Z30__lanecl_has_lane_instructionsv()
  store i32 %has, ptr addrspace(1) %b
  ret void
}

define internal float @_Z28__lanecl_reciprocal_estimatef(float %x) {
  %y = fdiv float 1.0, %x
  ret float %y
}

define internal float @_Z25__lanecl_rough_reciprocalf(float %x) {
  %y = fdiv float 2.0, %x
  ret float %y
}

define internal i32 @_Z30__lanecl_has_lane_instructionsv() {
  ret i32 0
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
