; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx512 -p "always-inline,globaldce,widen" %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx2 -p "always-inline,globaldce,widen" %s | FileCheck %s
; What is put together is frozen, so that an undefined component, or lane, leaves the bits of the others as they are.

declare i32 @_Z16__lanecl_lane_idv()
declare i64 @_Z15__lanecl_balloti(i32)
declare i32 @_Z12__lanecl_alli(i32)

; CHECK-LABEL: define internal void @bitcast.lanes(
; CHECK: %[[X:.*]] = freeze <16 x i16>
; CHECK: zext <16 x i16> %[[X]] to <16 x i32>
; CHECK: %[[Y:.*]] = freeze <16 x i16>
; CHECK: %[[WIDE:.*]] = zext <16 x i16> %[[Y]] to <16 x i32>
; CHECK: shl <16 x i32> %[[WIDE]], splat (i32 16)
; CHECK: ret void
define void @bitcast(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %l
  %x = load i16, ptr addrspace(1) %p, align 2
  %y = add nuw i16 %x, 1
  %v = insertelement <2 x i16> poison, i16 %x, i32 0
  %w = insertelement <2 x i16> %v, i16 %y, i32 1
  %word = bitcast <2 x i16> %w to i32
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %l
  store i32 %word, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: define internal void @scattered.lanes(
; CHECK-COUNT-3: freeze <16 x i8>
; CHECK: ret void
define void @scattered(ptr addrspace(1) %a, ptr addrspace(1) %map) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %map, i64 %l
  %x = load i32, ptr addrspace(1) %p, align 4
  %b0 = trunc i32 %x to i8
  %b1 = add nuw i8 %b0, 1
  %b2 = add nuw i8 %b0, 2
  %v0 = insertelement <4 x i8> zeroinitializer, i8 %b0, i32 0
  %v1 = insertelement <4 x i8> %v0, i8 %b1, i32 1
  %v2 = insertelement <4 x i8> %v1, i8 %b2, i32 2
  %q = getelementptr i32, ptr addrspace(1) %a, i32 %x
  store <4 x i8> %v2, ptr addrspace(1) %q, align 4
  ret void
}

; A lane that does not know what it votes for.
; CHECK-LABEL: define internal void @ballot.lanes(
; CHECK: %[[X:.*]] = freeze <16 x i32>
; CHECK: %[[VOTES:.*]] = icmp ne <16 x i32> %[[X]], zeroinitializer
; CHECK: bitcast <16 x i1> %[[VOTES]] to i16
; CHECK: freeze <16 x i32>
; CHECK: ret void
define void @ballot(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %x = load i32, ptr addrspace(1) %p, align 4
  %y = add nuw i32 %x, 1
  %bits = call i64 @_Z15__lanecl_balloti(i32 %y)
  store i64 %bits, ptr addrspace(1) %a, align 8
  %all = call i32 @_Z12__lanecl_alli(i32 %y)
  store i32 %all, ptr addrspace(1) %a, align 8
  ret void
}

; Words of several lanes are loaded from what is stored.
; CHECK-LABEL: define internal void @lane_by_lane.lanes(
; CHECK: %[[X:.*]] = freeze <16 x i16>
; CHECK: store <16 x i16> %[[X]], ptr %temporary
; CHECK: ret void
define void @lane_by_lane(ptr addrspace(1) %a, ptr addrspace(1) %map) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i16, ptr addrspace(1) %map, i64 %l
  %x = load i16, ptr addrspace(1) %p, align 2
  %y = add nuw i16 %x, 1
  %i = zext i16 %x to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %i
  atomicrmw add ptr addrspace(1) %q, i16 %y monotonic, align 2
  ret void
}
