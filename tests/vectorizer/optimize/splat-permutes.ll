; RUN: lanecl-opt -p splat-permutes %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The index of a broadcast is copied to all lanes, not its result.

; CHECK-LABEL: @broadcast(
; CHECK: %[[INDEX:.*]] = insertelement <8 x i32> poison, i32 %lane, i64 0
; CHECK: %[[SPLAT:.*]] = shufflevector <8 x i32> %[[INDEX]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: %[[ALL:.*]] = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %[[SPLAT]])
; CHECK: ret <8 x i32> %[[ALL]]
define <8 x i32> @broadcast(<8 x i32> %v, i32 %lane) {
  %masked = and i32 %lane, 7
  %index = insertelement <8 x i32> poison, i32 %masked, i64 0
  %one = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %index)
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  ret <8 x i32> %all
}

; A mask that takes bits away which the permute reads stays, and floats are no different.
; CHECK-LABEL: @half_of_them(
; CHECK: %masked = and i32 %lane, 3
; CHECK: insertelement <8 x i32> poison, i32 %masked, i64 0
; CHECK: %[[ALL:.*]] = call <8 x i32> @llvm.x86.avx2.permd(
; CHECK: %[[FLOATS:.*]] = bitcast <8 x i32> %[[ALL]] to <8 x float>
; CHECK: ret <8 x float> %[[FLOATS]]
define <8 x float> @half_of_them(<8 x i32> %v, i32 %lane) {
  %masked = and i32 %lane, 3
  %index = insertelement <8 x i32> poison, i32 %masked, i64 0
  %one = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %index)
  %float = bitcast <8 x i32> %one to <8 x float>
  %all = shufflevector <8 x float> %float, <8 x float> poison, <8 x i32> zeroinitializer
  ret <8 x float> %all
}

; The index into two tables has a bit more. They read four bits.
; CHECK-LABEL: @two_tables(
; CHECK: and i32 %lane, 15
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK-NOT: shufflevector
; CHECK: ret <16 x i32>
define <16 x i32> @two_tables(<16 x i32> %low, <16 x i32> %high, i32 %lane) {
  %masked = and i32 %lane, 15
  %index = insertelement <16 x i32> poison, i32 %masked, i64 0
  %one = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %low, <16 x i32> %index, <16 x i32> %high)
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  ret <16 x i32> %all
}

; Sixteen lanes of AVX2: the registers of the result are the same one, and one is chosen before the permute.
; CHECK-LABEL: @wider(
; CHECK: %[[TABLE:.*]] = select <8 x i1> %{{.*}}, <8 x i32> %low, <8 x i32> %high
; CHECK: %[[ONE:.*]] = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %[[TABLE]], <8 x i32> %splat)
; CHECK-NOT: permd
; CHECK: shufflevector <8 x i32> %[[ONE]], <8 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0,
define <16 x i32> @wider(<8 x i32> %low, <8 x i32> %high, i32 %lane) {
  %index = insertelement <8 x i32> poison, i32 %lane, i64 0
  %splat = shufflevector <8 x i32> %index, <8 x i32> poison, <8 x i32> zeroinitializer
  %a = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %low, <8 x i32> %splat)
  %b = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %high, <8 x i32> %splat)
  %bit = and <8 x i32> %splat, splat (i32 8)
  %below = icmp eq <8 x i32> %bit, zeroinitializer
  %one = select <8 x i1> %below, <8 x i32> %a, <8 x i32> %b
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <16 x i32> zeroinitializer
  ret <16 x i32> %all
}

; Only the first element of the index vector matters, but its other elements differ.
; CHECK-LABEL: @varying(
; CHECK: shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
define <8 x i32> @varying(<8 x i32> %v, <8 x i32> %index) {
  %one = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %index)
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  ret <8 x i32> %all
}

; pshufb reads the same bytes of each 16, not of the register.
; CHECK-LABEL: @bytes(
; CHECK: shufflevector <32 x i8> %one, <32 x i8> poison, <32 x i32> zeroinitializer
define <32 x i8> @bytes(<32 x i8> %v, i8 %lane) {
  %index = insertelement <32 x i8> poison, i8 %lane, i64 0
  %one = call <32 x i8> @llvm.x86.avx2.pshuf.b(<32 x i8> %v, <32 x i8> %index)
  %all = shufflevector <32 x i8> %one, <32 x i8> poison, <32 x i32> zeroinitializer
  ret <32 x i8> %all
}

; Indices that are a constant apart are computed from one copy.
; CHECK-LABEL: @neighbors(
; CHECK: %[[ONE:.*]] = insertelement <8 x i32> poison, i32 %lane, i64 0
; CHECK: %[[SPLAT:.*]] = shufflevector <8 x i32> %[[ONE]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %[[SPLAT]])
; CHECK: %[[NEXT:.*]] = add <8 x i32> %[[SPLAT]], splat (i32 1)
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %[[NEXT]])
define <8 x i32> @neighbors(<8 x i32> %v, i32 %lane) {
  %masked0 = and i32 %lane, 7
  %index0 = insertelement <8 x i32> poison, i32 %masked0, i64 0
  %one0 = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %index0)
  %all0 = shufflevector <8 x i32> %one0, <8 x i32> poison, <8 x i32> zeroinitializer
  %next = add i32 %lane, 1
  %masked1 = and i32 %next, 7
  %index1 = insertelement <8 x i32> poison, i32 %masked1, i64 0
  %one1 = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %v, <8 x i32> %index1)
  %all1 = shufflevector <8 x i32> %one1, <8 x i32> poison, <8 x i32> zeroinitializer
  %sum = add <8 x i32> %all0, %all1
  ret <8 x i32> %sum
}
