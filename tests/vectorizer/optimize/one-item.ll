; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt %s -p specialize-launch -w 8 --local-size=1,1,1 | FileCheck %s --check-prefix=IDS
; RUN: lanecl-opt %s -p vector-optimize -w 8 --local-size=1,1,1 | FileCheck %s --check-prefix=VECTORS
; RUN: lanecl-opt %s -p vector-optimize -w 8 --local-size=2,1,1 | FileCheck %s --check-prefix=APART
; A work-item alone is lane 0. Components of its vectors, which were taken apart, come together again.

declare i32 @_Z16__lanecl_lane_idv()
declare i64 @_Z17__lanecl_local_idj(i32)

; IDS-LABEL: define i64 @ids(
; IDS-NOT: call
; IDS: ret i64
define i64 @ids() {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %local = call i64 @_Z17__lanecl_local_idj(i32 0)
  %wide = zext i32 %lane to i64
  %sum = add i64 %local, %wide
  ret i64 %sum
}

; VECTORS-LABEL: define void @double(
; VECTORS: shl <4 x i32>
; APART-LABEL: define void @double(
; APART-NOT: <4 x i32>
; APART: ret void
define void @double(ptr addrspace(1) %p) {
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i64 2
  %p3 = getelementptr i32, ptr addrspace(1) %p, i64 3
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %p1
  %c = load i32, ptr addrspace(1) %p2
  %d = load i32, ptr addrspace(1) %p3
  %a2 = shl i32 %a, 1
  %b2 = shl i32 %b, 1
  %c2 = shl i32 %c, 1
  %d2 = shl i32 %d, 1
  store i32 %a2, ptr addrspace(1) %p
  store i32 %b2, ptr addrspace(1) %p1
  store i32 %c2, ptr addrspace(1) %p2
  store i32 %d2, ptr addrspace(1) %p3
  ret void
}
