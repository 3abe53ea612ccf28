; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx512 -p "always-inline,globaldce,widen" %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 16,1,1 --isa avx2 -p "always-inline,globaldce,widen" %s | FileCheck %s
; What is put together is frozen, so that an undefined component, or lane, leaves the bits of the others as they are.

declare i32 @_Z16__lanecl_lane_idv()
declare i64 @_Z15__lanecl_balloti(i32)
declare i32 @_Z12__lanecl_alli(i32)

; The second half is poison if it is NaN, the first one comes from memory.
; CHECK-LABEL: define internal void @bitcast.lanes(
; CHECK: %[[X:.*]] = load <16 x half>
; CHECK: %[[Y:.*]] = fadd nnan <16 x half>
; CHECK: %[[BITS:.*]] = bitcast <16 x half> %[[X]] to <16 x i16>
; CHECK: zext <16 x i16> %[[BITS]] to <16 x i32>
; CHECK: %[[FROZEN:.*]] = freeze <16 x half> %[[Y]]
; CHECK: %[[UPPER:.*]] = bitcast <16 x half> %[[FROZEN]] to <16 x i16>
; CHECK: %[[WIDE:.*]] = zext <16 x i16> %[[UPPER]] to <16 x i32>
; CHECK: shl <16 x i32> %[[WIDE]], splat (i32 16)
; CHECK: ret void
define void @bitcast(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr half, ptr addrspace(1) %a, i64 %l
  %x = load half, ptr addrspace(1) %p, align 2
  %y = fadd nnan half %x, %x
  %v = insertelement <2 x half> poison, half %x, i32 0
  %w = insertelement <2 x half> %v, half %y, i32 1
  %word = bitcast <2 x half> %w to i32
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %l
  store i32 %word, ptr addrspace(1) %q, align 4
  ret void
}

; The third component is undefined, and so may be the second one.
; CHECK-LABEL: define internal void @scattered.lanes(
; CHECK: %[[Y:.*]] = fadd nnan <16 x half>
; CHECK: %[[FROZEN:.*]] = freeze <16 x half> %[[Y]]
; CHECK: bitcast <16 x half> %[[FROZEN]] to <16 x i16>
; CHECK: %[[ANY:.*]] = freeze <16 x half> poison
; CHECK: bitcast <16 x half> %[[ANY]] to <16 x i16>
; CHECK-NOT: freeze
; CHECK: ret void
define void @scattered(ptr addrspace(1) %a, ptr addrspace(1) %map) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %map, i64 %l
  %i = load i32, ptr addrspace(1) %p, align 4
  %h = trunc i32 %i to i16
  %x = bitcast i16 %h to half
  %y = fadd nnan half %x, %x
  %v0 = insertelement <4 x half> poison, half %x, i32 0
  %v1 = insertelement <4 x half> %v0, half %y, i32 1
  %v3 = insertelement <4 x half> %v1, half %x, i32 3
  %q = getelementptr i64, ptr addrspace(1) %a, i32 %i
  store <4 x half> %v3, ptr addrspace(1) %q, align 8
  ret void
}

; The vote of a lane is undefined.
; CHECK-LABEL: define internal void @votes.lanes(
; CHECK: %[[X:.*]] = freeze <16 x i32>
; CHECK: %[[VOTES:.*]] = icmp ne <16 x i32> %[[X]], zeroinitializer
; CHECK: bitcast <16 x i1> %[[VOTES]] to i16
; CHECK: freeze <16 x i32>
; CHECK: ret void
define void @votes(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %l
  %x = load float, ptr addrspace(1) %p, align 4
  %y = fadd nnan float %x, 1.0
  %bits = bitcast float %y to i32
  %all_bits = call i64 @_Z15__lanecl_balloti(i32 %bits)
  store i64 %all_bits, ptr addrspace(1) %a, align 8
  %all = call i32 @_Z12__lanecl_alli(i32 %bits)
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
  %p = getelementptr half, ptr addrspace(1) %map, i64 %l
  %x = load half, ptr addrspace(1) %p, align 2
  %y = fadd nnan half %x, %x
  %bits = bitcast half %y to i16
  %h = bitcast half %x to i16
  %i = zext i16 %h to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %i
  atomicrmw add ptr addrspace(1) %q, i16 %bits monotonic, align 2
  ret void
}
