; RUN: lanecl-opt -p known-lanes %s | FileCheck %s
; A masked access of known neighboring lanes becomes a plain one of their own size.

; CHECK-LABEL: define void @third(
; CHECK: %[[P:.*]] = getelementptr i16, ptr %p, i64 2
; CHECK: %[[X:.*]] = extractelement <4 x i16> %v, i64 2
; CHECK: store i16 %[[X]], ptr %[[P]], align 4
; CHECK-NOT: masked.store
define void @third(<4 x i16> %v, ptr %p) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 8 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  ret void
}

; No pass has folded the mask.
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
; CHECK: %[[P:.*]] = getelementptr i16, ptr %p, i64 1
; CHECK: %[[X:.*]] = shufflevector <4 x i16> %v, <4 x i16> poison, <2 x i32> <i32 1, i32 2>
; CHECK: store <2 x i16> %[[X]], ptr %[[P]], align 2
; CHECK-NOT: masked.store
define void @two(<4 x i16> %v, ptr %p) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 4 %p, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  ret void
}

; No plain access has three elements, or two that are not neighbors; all lanes are left to LLVM.
; CHECK-LABEL: define void @other_lanes(
; CHECK-COUNT-3: masked.store
define void @other_lanes(<4 x i16> %v, ptr %p) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> splat (i1 true))
  ret void
}

; The lanes that are not loaded keep the values of the last operand.
; CHECK-LABEL: define <4 x float> @loaded(
; CHECK: %[[P:.*]] = getelementptr float, ptr %p, i64 2
; CHECK: %[[X:.*]] = load <2 x float>, ptr %[[P]], align 8
; CHECK: %[[WIDE:.*]] = shufflevector <2 x float> %[[X]], <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
; CHECK: %[[R:.*]] = shufflevector <4 x float> %others, <4 x float> %[[WIDE]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: ret <4 x float> %[[R]]
define <4 x float> @loaded(<4 x float> %others, ptr %p) {
  %r = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 true>, <4 x float> %others)
  ret <4 x float> %r
}

; CHECK-LABEL: define <4 x float> @one_loaded(
; CHECK: %[[X:.*]] = load float, ptr %{{.*}}, align 4
; CHECK: insertelement <4 x float> %others, float %[[X]], i64 1
define <4 x float> @one_loaded(<4 x float> %others, ptr %p) {
  %r = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %p, <4 x i1> <i1 false, i1 true, i1 false, i1 false>, <4 x float> %others)
  ret <4 x float> %r
}

; CHECK-LABEL: define void @unknown(
; CHECK: call void @llvm.masked.store
define void @unknown(<4 x i16> %v, ptr %p, <4 x i1> %mask) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p, <4 x i1> %mask)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Elements that are no whole bytes have no addresses of their own.
; CHECK-LABEL: define void @bits(
; CHECK: call void @llvm.masked.store
define void @bits(<4 x i4> %v, ptr %p) {
  call void @llvm.masked.store.v4i4.p0(<4 x i4> %v, ptr align 2 %p, <4 x i1> <i1 false, i1 true, i1 false, i1 false>)
  ret void
}
