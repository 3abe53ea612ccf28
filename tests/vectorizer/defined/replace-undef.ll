; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; What nothing wrote becomes some value, the same for all uses.
; RUN: lanecl-opt %s -p replace-undef | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: @operands(
; CHECK-NEXT: [[SUM:%.*]] = add i32 %x, 0
; CHECK-NEXT: call void @use(i32 0)
; CHECK-NEXT: [[VECTOR:%.*]] = add <2 x i32> %v, <i32 7, i32 0>
; CHECK-NEXT: br i1 false,
define i32 @operands(i32 %x, <2 x i32> %v) {
  %sum = add i32 %x, undef
  call void @use(i32 poison)
  %w = add <2 x i32> %v, <i32 7, i32 poison>
  br i1 undef, label %a, label %b
a:
  ret i32 %sum
b:
  ret i32 1
}

; Memory keeps its value where nothing wrote what is stored. Poison is what Clang made of constants.
; CHECK-LABEL: @store(
; CHECK-NEXT: store ptr undef
; CHECK-NEXT: store volatile i32 0
; CHECK-NEXT: store i32 0
; CHECK-NEXT: ret void
define void @store(ptr %p) {
  store i32 undef, ptr %p
  store ptr undef, ptr %p
  store volatile i32 undef, ptr %p
  store i32 poison, ptr %p
  ret void
}

; CHECK-LABEL: @variable(
; CHECK: [[ANY:%.*]] = phi i32 [ poison, %entry ], [ %y, %then ]
; CHECK-NEXT: [[OTHER:%.*]] = phi i32 [ 1, %entry ], [ 2, %then ]
; CHECK-NEXT: [[VALUE:%.*]] = freeze i32 [[ANY]]
; CHECK-NEXT: icmp eq i32 [[VALUE]], [[VALUE]]
define i1 @variable(i1 %c, i32 %x) {
entry:
  br i1 %c, label %then, label %end
then:
  %y = mul i32 %x, 3
  br label %end
end:
  %v = phi i32 [ undef, %entry ], [ %y, %then ]
  %o = phi i32 [ 1, %entry ], [ 2, %then ]
  %same = icmp eq i32 %v, %v
  ret i1 %same
}

; A vector that is written component by component begins as it did.
; CHECK-LABEL: @whole(
; CHECK-NEXT: [[A:%.*]] = insertelement <2 x i32> poison, i32 %x, i32 0
; CHECK-NEXT: insertelement <2 x i32> [[A]], i32 %x, i32 1
; CHECK-NEXT: [[ONE:%.*]] = insertelement <4 x i32> poison, i32 %x, i64 0
; CHECK-NEXT: shufflevector <4 x i32> [[ONE]], <4 x i32> poison, <4 x i32> zeroinitializer
define <2 x i32> @whole(i32 %x) {
  %a = insertelement <2 x i32> poison, i32 %x, i32 0
  %b = insertelement <2 x i32> %a, i32 %x, i32 1
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  ret <2 x i32> %b
}

; CHECK-LABEL: @gap(
; CHECK-NEXT: insertelement <2 x i32> zeroinitializer, i32 %x, i32 0
define <2 x i32> @gap(i32 %x) {
  %a = insertelement <2 x i32> poison, i32 %x, i32 0
  ret <2 x i32> %a
}

; This is the fourth component of a vector of three.
; CHECK-LABEL: @fourth(
; CHECK-NEXT: shufflevector <3 x i8> %v, <3 x i8> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
define <4 x i8> @fourth(<3 x i8> %v) {
  %w = shufflevector <3 x i8> %v, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  ret <4 x i8> %w
}

; InstCombine would make undef of what is loaded.
; CHECK-LABEL: @unwritten(
; CHECK: icmp eq i32 0, 0
; CHECK: load i32, ptr %written
define i1 @unwritten(i64 %i) {
  %a = alloca [4 x i32]
  %written = alloca i32
  store i32 1, ptr %written
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %x = load i32, ptr %p
  %y = load i32, ptr %p
  %same = icmp eq i32 %x, %y
  %z = load i32, ptr %written
  ret i1 %same
}
