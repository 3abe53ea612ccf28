; RUN: lanecl-opt -p single-lane-stores %s | FileCheck %s
; A masked store of one lane that is known becomes a plain one, of the element's own size.

; CHECK-LABEL: define void @third(
; CHECK: %[[X:.*]] = extractelement <4 x i16> %v, i64 2
; CHECK: %[[P:.*]] = getelementptr i16, ptr %p, i64 2
; CHECK: store i16 %[[X]], ptr %[[P]], align 4
; CHECK-NOT: masked.store
define void @third(<4 x i16> %v, ptr %p) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 8 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  ret void
}

; Nothing has folded the mask.
; CHECK-LABEL: define void @unfolded(
; CHECK: extractelement <4 x i16> %v, i64 0
; CHECK: store i16
; CHECK-NOT: masked.store
define void @unfolded(<4 x i16> %v, ptr %p) {
  %one = insertelement <4 x i32> poison, i32 1, i64 0
  %splat = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %mask = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %splat
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> %mask)
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: masked.store
define void @two(<4 x i16> %v, ptr %p) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK: masked.store
define void @unknown(<4 x i16> %v, ptr %p, <4 x i1> %mask) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> %mask)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
