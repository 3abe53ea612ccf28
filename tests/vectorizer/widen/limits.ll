; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 16 --local-size 64,1,1 -p "always-inline,globaldce,widen" %s | FileCheck %s
; A guard on a number that rises from lane to lane is a distance of scalars, compared with the lanes' numbers.

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z21__lanecl_sub_group_idv()

; CHECK-LABEL: define internal void @below.lanes(
; CHECK: %[[DISTANCE:.*]] = sub i64 %n, %[[FIRST:.*]]
; CHECK: %[[FEWER:.*]] = icmp ult i64 %[[DISTANCE]], 16
; CHECK: %[[LANES:.*]] = select i1 %[[FEWER]], i64 %[[DISTANCE]], i64 16
; CHECK: %[[ANY:.*]] = icmp ugt i64 %n, %[[FIRST]]
; CHECK: select i1 %[[ANY]], i64 %[[LANES]], i64 0
; CHECK: icmp sgt <16 x i32> %{{.*}}, <i32 0, i32 1, i32 2,
; CHECK-NOT: icmp {{.*}} <16 x i64>
; CHECK: ret void
define void @below(ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @id()
  %guard = icmp ult i64 %i, %n
  %x = zext i1 %guard to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; n - 1 >= i and i <= n: the limit itself passes.
; CHECK-LABEL: define internal void @up_to.lanes(
; CHECK: sub i64 %n, %[[FIRST:.*]]
; CHECK: icmp ult i64 %{{.*}}, 15
; CHECK: add i64 %{{.*}}, 1
; CHECK: icmp uge i64 %n, %[[FIRST]]
; CHECK: icmp sgt <16 x i32> %{{.*}}, <i32 0, i32 1, i32 2,
; CHECK: ret void
define void @up_to(ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @id()
  %guard = icmp uge i64 %n, %i
  %x = zext i1 %guard to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; Where the sum might wrap around between two lanes, each lane is compared.
; CHECK-LABEL: define internal void @wrapping.lanes(
; CHECK: icmp ult <16 x i32>
; CHECK: ret void
define void @wrapping(ptr addrspace(1) %out, i32 %n, i32 %start) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %i = add i32 %lane, %start
  %guard = icmp ult i32 %i, %n
  %x = zext i1 %guard to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %x, ptr addrspace(1) %p
  ret void
}

define internal i64 @id() alwaysinline {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 4) i32 @_Z21__lanecl_sub_group_idv()
  %first = mul nuw nsw i32 %sub_group, 16
  %sum = add nuw nsw i32 %first, %lane
  %wide = zext nneg i32 %sum to i64
  ret i64 %wide
}
