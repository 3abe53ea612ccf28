; RUN: lanecl-opt -q -w 16 -p "print<shapes>" %s | FileCheck %s
; What flags promise holds for active lanes; under the entry mask lane 0 is one of them, under a smaller one it need not.

declare i32 @_Z16__lanecl_lane_idv()
declare void @lanecl.block.mask(i1)

; CHECK-LABEL: shapes of entry_mask
; CHECK: strided(1, nuw, nsw, nneg): %lane =
; CHECK: strided(1, nsw): %sum =
; CHECK: strided(-1, nsw): %fall =
; CHECK: strided(4, nsw): %times =
; CHECK: strided(1): %wraps =
; CHECK: strided(1, nsw): %wide =
define void @entry_mask(i32 %u, i32 %v) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sum = add nsw i32 %lane, %u
  %fall = sub nsw i32 %u, %lane
  %times = mul nsw i32 %sum, 4
  %wraps = add i32 %sum, %v
  %wide = sext i32 %sum to i64
  ret void
}

; A number that is not negative keeps a sum with it off the least number: lane 0 belongs to the progression.
; CHECK-LABEL: shapes of smaller_mask
; CHECK: strided(1, nsw): %one =
; CHECK: strided(1, active nsw): %two =
; CHECK: strided(-1, nsw): %fall =
; CHECK: strided(-1, active nsw): %far =
; CHECK: strided(4, active nsw): %times =
; CHECK: strided(4, nuw, nsw, nneg): %quarter =
; An extension of 32 bits to 64 has room for lane 0 wherever it lies.
; CHECK: strided(1, nsw): %wide =
define void @smaller_mask(i32 %u, i32 %v, i1 %c) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %masked
masked:
  call void @lanecl.block.mask(i1 %c)
  %one = add nsw i32 %lane, %u
  %two = add nsw i32 %one, %v
  %fall = sub nsw i32 %u, %lane
  %far = sub nsw i32 %v, %one
  %times = shl nsw i32 %two, 2
  %quarter = shl nuw nsw i32 %lane, 2
  %wide = sext i32 %two to i64
  ret void
}

; Bits that a guard knows to be clear make an addition of it, of which nothing but the distances is known in lane 0.
; CHECK-LABEL: shapes of disjoint
; CHECK: strided(1): %x =
; CHECK: strided(1): %next =
; CHECK: uniform: %same =
define void @disjoint(i32 %u, i1 %c) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = sub i32 %lane, %u
  br label %masked
masked:
  call void @lanecl.block.mask(i1 %c)
  %next = or disjoint i32 %x, 1
  %same = sub nuw nsw i32 %next, %lane
  ret void
}

; A truncation that changes the distance of two lanes says nothing of the numbers but that distance.
; CHECK-LABEL: shapes of truncations
; CHECK: strided(200, nuw, nsw, nneg): %far =
; CHECK: strided(-56): %byte =
; CHECK: strided(1, nuw, nsw, nneg): %near =
define void @truncations() {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %far = mul nuw nsw i32 %lane, 200
  %byte = trunc nsw i32 %far to i8
  %near = trunc nuw nsw i32 %lane to i8
  ret void
}

; A frozen number may be any where it was poison: its promises end.
; CHECK-LABEL: shapes of frozen
; CHECK: strided(1): %frozen =
; CHECK: varying: %wide =
define void @frozen(i32 %u) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %sum = add nsw i32 %lane, %u
  %frozen = freeze i32 %sum
  %wide = sext i32 %frozen to i64
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
