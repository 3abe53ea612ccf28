; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -w 16 --local-size 12,1,1 --isa avx2 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 12,1,1 --isa avx512 -p widen %s | FileCheck %s
; Integers of other sizes than 8, 16, 32 and 64 bits.

; CHECK: @lanecl.zeros = private constant [2 x i64] zeroinitializer

declare i32 @_Z16__lanecl_lane_idv()

; A vector packs integers of 24 bits more tightly than an array does, so each lane loads and stores its own.
; CHECK-LABEL: define internal void @three_bytes.lanes.partial(
; CHECK-NOT: <16 x i24>, ptr
; CHECK: load i24, ptr addrspace(1)
; CHECK-NOT: <16 x i24>, ptr
; CHECK: store i24 {{.*}}, ptr addrspace(1)
; CHECK: ret void
define void @three_bytes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = zext nneg i32 %lane to i64
  %six = mul i64 %i, 6
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %six
  %x = load i24, ptr addrspace(1) %p, align 1
  %q = getelementptr i24, ptr addrspace(1) %out, i64 %i
  store i24 %x, ptr addrspace(1) %q, align 1
  ret void
}

; The lanes of such a value are in memory as integers of 32 bits.
; CHECK-LABEL: define internal void @operand.lanes.partial(
; CHECK: %[[WIDE:.*]] = zext <16 x i24> {{.*}} to <16 x i32>
; CHECK: store <16 x i32> %[[WIDE]], ptr
; CHECK: getelementptr inbounds i32, ptr
; CHECK: store i24 {{.*}}, ptr addrspace(1)
; CHECK: ret void
define void @operand(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %low = trunc i32 %x to i24
  %q = getelementptr i24, ptr addrspace(1) %out, i64 %i
  store i24 %low, ptr addrspace(1) %q, align 1
  ret void
}

; A private variable of such integers is laid out as the program declares it.
; CHECK-LABEL: define internal void @private.lanes.partial(
; CHECK: alloca [512 x i8]
; CHECK: ret void
define void @private(ptr addrspace(1) %out, i64 %k) {
  %a = alloca [8 x i24]
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %p = getelementptr i24, ptr %a, i64 %k
  %low = trunc i32 %lane to i24
  store i24 %low, ptr %p
  %x = load i24, ptr %p
  %y = zext i24 %x to i32
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %y, ptr addrspace(1) %q
  ret void
}

; Sixteen lanes need a limit of five bits, so numbers of four bits are compared lane by lane.
; CHECK-LABEL: define internal void @four_bits.lanes.partial(
; CHECK: icmp ult <16 x i4>
; CHECK: ret void
define void @four_bits(ptr addrspace(1) %out, i4 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %number = trunc nuw i32 %lane to i4
  %guard = icmp ult i4 %number, %n
  %x = zext i1 %guard to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; Inactive lanes load zeros, of which there are as many bytes as an element has.
; CHECK-LABEL: define internal void @sixteen_bytes.lanes.partial(
; CHECK: select <16 x i1> {{.*}} addrspacecast (ptr @lanecl.zeros to ptr addrspace(1))
; CHECK: load i128, ptr addrspace(1)
; CHECK: ret void
define void @sixteen_bytes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = zext nneg i32 %lane to i64
  %far = mul i64 %i, 48
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %far
  %x = load i128, ptr addrspace(1) %p, align 16
  %q = getelementptr i128, ptr addrspace(1) %out, i64 %i
  store i128 %x, ptr addrspace(1) %q
  ret void
}
