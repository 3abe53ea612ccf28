; RUN: lanecl-opt -p vector-rotates --isa avx2 %s | FileCheck %s --check-prefixes=CHECK,AVX2
; RUN: lanecl-opt -p vector-rotates --isa avx512 %s | FileCheck %s --check-prefixes=CHECK,AVX512
; RUN: lanecl-opt -p vector-rotates --isa sse4.2 %s | FileCheck %s --check-prefixes=CHECK,SSE
; Where there are variable shifts and no rotates, the shift to the right is the instruction, which knows amounts from
; the width on.

; CHECK-LABEL: define <16 x i32> @left(
; AVX2: %[[L:.*]] = and <16 x i32> %n, splat (i32 31)
; AVX2: %[[R:.*]] = sub <16 x i32> splat (i32 32), %[[L]]
; AVX2: shl <16 x i32> %x, %[[L]]
; AVX2-COUNT-2: call <8 x i32> @llvm.x86.avx2.psrlv.d.256(
; AVX2-NOT: llvm.fshl
; AVX512: call <16 x i32> @llvm.fshl.v16i32(
; SSE: call <16 x i32> @llvm.fshl.v16i32(
; CHECK: ret
define <16 x i32> @left(<16 x i32> %x, <16 x i32> %n) {
  %r = call <16 x i32> @llvm.fshl.v16i32(<16 x i32> %x, <16 x i32> %x, <16 x i32> %n)
  ret <16 x i32> %r
}

; CHECK-LABEL: define <4 x i64> @right(
; AVX2: sub <4 x i64> zeroinitializer, %n
; AVX2: call <4 x i64> @llvm.x86.avx2.psrlv.q.256(
; AVX512: call <4 x i64> @llvm.fshr.v4i64(
define <4 x i64> @right(<4 x i64> %x, <4 x i64> %n) {
  %r = call <4 x i64> @llvm.fshr.v4i64(<4 x i64> %x, <4 x i64> %x, <4 x i64> %n)
  ret <4 x i64> %r
}

; A known amount has been reduced, and two values make no rotate.
; CHECK-LABEL: define <8 x i32> @others(
; CHECK-COUNT-2: call <8 x i32> @llvm.fshl.v8i32(
define <8 x i32> @others(<8 x i32> %x, <8 x i32> %y, <8 x i32> %n) {
  %r = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %x, <8 x i32> %x, <8 x i32> splat (i32 7))
  %s = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %r, <8 x i32> %y, <8 x i32> %n)
  ret <8 x i32> %s
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
