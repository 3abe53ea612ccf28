; RUN: lanecl-opt -p bit-vectors %s | FileCheck %s
; RUN: lanecl-opt -p scalar-optimize %s | FileCheck %s --check-prefix=OPTIMIZED
; Vectors of bits lie in memory side by side; lanes access them as whole bytes.

; The elements become as wide as the alignment permits.
; CHECK-LABEL: define i1 @loaded(
; CHECK: %[[X:.*]] = load <8 x i32>, ptr addrspace(1) %p, align 4
; CHECK: bitcast <8 x i32> %[[X]] to <256 x i1>
define i1 @loaded(ptr addrspace(1) %p) {
  %bits = load <256 x i1>, ptr addrspace(1) %p, align 4
  %bit = extractelement <256 x i1> %bits, i64 128
  ret i1 %bit
}

; CHECK-LABEL: define void @stored(
; CHECK: %[[V:.*]] = freeze <12 x i4> %v
; CHECK: %[[X:.*]] = bitcast <12 x i4> %[[V]] to <3 x i16>
; CHECK: store <3 x i16> %[[X]], ptr addrspace(1) %p, align 2
define void @stored(<12 x i4> %v, ptr addrspace(1) %p) {
  store <12 x i4> %v, ptr addrspace(1) %p, align 2
  ret void
}

; One element is no vector.
; CHECK-LABEL: define i1 @byte(
; CHECK: %[[X:.*]] = load i8, ptr addrspace(1) %p, align 1
; CHECK: bitcast i8 %[[X]] to <8 x i1>
define i1 @byte(ptr addrspace(1) %p) {
  %bits = load <8 x i1>, ptr addrspace(1) %p, align 1
  %bit = extractelement <8 x i1> %bits, i64 3
  ret i1 %bit
}

; Whole bytes stay what they are.
; CHECK-LABEL: define <3 x i8> @bytes(
; CHECK: load <3 x i8>, ptr addrspace(1) %p, align 4
define <3 x i8> @bytes(ptr addrspace(1) %p) {
  %v = load <3 x i8>, ptr addrspace(1) %p, align 4
  ret <3 x i8> %v
}

; LLVM makes a vector of bits of this; none is left behind its passes.
; OPTIMIZED-LABEL: define i1 @lowest(
; OPTIMIZED: load <8 x i32>, ptr addrspace(1) %p, align 4
define i1 @lowest(ptr addrspace(1) %p) {
  %v = load <8 x i32>, ptr addrspace(1) %p, align 4
  %x = extractelement <8 x i32> %v, i64 4
  %bit = trunc i32 %x to i1
  ret i1 %bit
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
