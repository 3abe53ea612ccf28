; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; What is the same in all lanes is computed once; a vector of it appears only where lanes need one.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define internal void @uniform.lanes(
; CHECK: [[SUM:%.*]] = add i32 %n, 7
; CHECK: [[V:%.*]] = load i32, ptr addrspace(1) %in
; CHECK: store i32 [[SUM]], ptr addrspace(1) %out
; CHECK-NOT: <16 x
; CHECK: ret void
define void @uniform(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %sum = add i32 %n, 7
  %v = load i32, ptr addrspace(1) %in
  store i32 %sum, ptr addrspace(1) %out
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; All lanes write one place: the last one stays.
; CHECK-LABEL: define internal void @one_place.lanes(
; CHECK: [[LAST:%.*]] = extractelement <16 x i32> {{.*}}, i64 15
; CHECK: store i32 [[LAST]], ptr addrspace(1) %out
define void @one_place(ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %v = xor i32 %lane, %n
  store i32 %v, ptr addrspace(1) %out
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
