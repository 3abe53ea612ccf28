; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -p replace-undef %s | FileCheck %s
; RUN: lanecl-opt -p replace-undef,scalar-optimize %s | FileCheck %s --check-prefix=OPTIMIZED
; An undefined component gets a value, so that its neighbors keep theirs.

declare i8 @function(<4 x i8>)

; This is as_uchar4 of a vector of three.
; CHECK-LABEL: define i32 @fourth(
; CHECK: %[[V:.*]] = shufflevector <3 x i8> %v, <3 x i8> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: bitcast <4 x i8> %[[V]] to i32
; OPTIMIZED-LABEL: define i32 @fourth(
; OPTIMIZED: %[[V:.*]] = insertelement <4 x i8> %{{.*}}, i8 0, i64 3
; OPTIMIZED: bitcast <4 x i8> %[[V]] to i32
define i32 @fourth(<3 x i8> %v) {
  %four = shufflevector <3 x i8> %v, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %word = bitcast <4 x i8> %four to i32
  %xyz = and i32 %word, 16777215
  ret i32 %xyz
}

; The branch is taken or not, and the store behind it is done.
; OPTIMIZED-LABEL: define void @decides_nothing(
; OPTIMIZED: store i32 42, ptr addrspace(1) %p
define void @decides_nothing(<3 x i8> %v, ptr addrspace(1) %p) {
  %four = shufflevector <3 x i8> %v, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %w = extractelement <4 x i8> %four, i32 3
  %is_great = icmp ugt i8 %w, 3
  br i1 %is_great, label %great, label %end
great:
  store i32 7, ptr addrspace(1) %p, align 4
  br label %end
end:
  store i32 42, ptr addrspace(1) %p, align 4
  ret void
}

; The fourth component is written as a part of the word.
; OPTIMIZED-LABEL: define i32 @through_memory(
; OPTIMIZED: %[[V:.*]] = insertelement <4 x i8> %{{.*}}, i8 0, i64 3
; OPTIMIZED: bitcast <4 x i8> %[[V]] to i32
define i32 @through_memory(<3 x i8> %v) {
  %variable = alloca <4 x i8>
  %four = shufflevector <3 x i8> %v, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store <4 x i8> %four, ptr %variable, align 4
  %word = load i32, ptr %variable, align 4
  ret i32 %word
}

; No operand has an element to spare: the second one's first is taken.
; CHECK-LABEL: define <4 x i8> @of_two(
; CHECK: shufflevector <2 x i8> %x, <2 x i8> %y, <4 x i32> <i32 0, i32 3, i32 2, i32 1>
define <4 x i8> @of_two(<2 x i8> %x, <2 x i8> %y) {
  %v = shufflevector <2 x i8> %x, <2 x i8> %y, <4 x i32> <i32 0, i32 3, i32 poison, i32 1>
  ret <4 x i8> %v
}

; undef and poison are in one constant, as Clang makes them of vectors of three in structures.
; CHECK-LABEL: define <4 x i8> @undef_and_poison(
; CHECK: shufflevector <3 x i8> %v, <3 x i8> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
define <4 x i8> @undef_and_poison(<3 x i8> %v) {
  %four = shufflevector <3 x i8> %v, <3 x i8> <i8 undef, i8 poison, i8 poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  ret <4 x i8> %four
}

; This is SPIR-V's OpCompositeInsert into OpUndef.
; CHECK-LABEL: define void @in_part(
; CHECK: insertelement <4 x i8> zeroinitializer, i8 %x, i32 0
define void @in_part(i8 %x, i8 %y, ptr addrspace(1) %p) {
  %a = insertelement <4 x i8> undef, i8 %x, i32 0
  %b = insertelement <4 x i8> %a, i8 %y, i32 2
  store <4 x i8> %b, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: define void @member(
; CHECK: insertvalue { i16, i16 } zeroinitializer, i16 %x, 0
define void @member(i16 %x, ptr addrspace(1) %p) {
  %a = insertvalue { i16, i16 } poison, i16 %x, 0
  store { i16, i16 } %a, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: define void @constants(
; CHECK: store <4 x i8> <i8 1, i8 0, i8 3, i8 0>, ptr addrspace(1) %p
; CHECK: call i8 @function(<4 x i8> <i8 1, i8 2, i8 3, i8 0>)
define void @constants(ptr addrspace(1) %p) {
  store <4 x i8> <i8 1, i8 undef, i8 3, i8 poison>, ptr addrspace(1) %p, align 4
  call i8 @function(<4 x i8> <i8 1, i8 2, i8 3, i8 poison>)
  ret void
}

; Clang pads a stored vector of three.
; CHECK-LABEL: define void @padding(
; CHECK: shufflevector <3 x i8> %v, <3 x i8> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: store <4 x i8> <i8 1, i8 2, i8 3, i8 0>, ptr addrspace(1) %p
define void @padding(<3 x i8> %v, ptr addrspace(1) %p) {
  %four = shufflevector <3 x i8> %v, <3 x i8> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i8> %four, ptr addrspace(1) %p, align 4
  store <4 x i8> <i8 1, i8 2, i8 3, i8 undef>, ptr addrspace(1) %p, align 4
  ret void
}

; A structure's members have a value, although one of them is a pointer.
; CHECK-LABEL: define { ptr, i32 } @pointer_member(
; CHECK: insertvalue { ptr, i32 } zeroinitializer, ptr %p, 0
define { ptr, i32 } @pointer_member(ptr %p) {
  %a = insertvalue { ptr, i32 } poison, ptr %p, 0
  ret { ptr, i32 } %a
}

; What is undefined as a whole is zero as a whole.
; CHECK-LABEL: define void @whole(
; CHECK: call i8 @function(<4 x i8> zeroinitializer)
define void @whole() {
  call i8 @function(<4 x i8> undef)
  ret void
}
