; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lane 0 need not be among the lanes that call a function: the promise that a sum does not wrap around is not about it,
; so its own extension is not the base of the others'.
; RUN: lanecl-opt %s -p inline-calls,kernel-arguments,function-parameters,specialize-launch,function-versions,canonicalize,linearize,widen --kernel=k --keep-functions --width 8 --local-size 8,1,1 -o - | FileCheck %s

; CHECK-LABEL: define internal void @k.lanes(
; CHECK: [[SUM:%.*]] = add i32 %least{{.*}}, 
; CHECK-NEXT: sext i32 [[SUM]] to i64

; CHECK-LABEL: define internal <8 x i64> @number.u.masked(
; CHECK: [[SUM:%.*]] = add i32 %least, 
; CHECK-NOT: sext i32 [[SUM]] to i64
; CHECK: call i32 @llvm.cttz.i32
define internal i64 @number(i32 %least) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %below = add nsw i32 %lane, -3
  %sum = add nsw i32 %least, %below
  %long = sext i32 %sum to i64
  ret i64 %long
}

define spir_kernel void @k(ptr addrspace(1) %out, i32 %least, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %below = add nsw i32 %lane, -3
  %sum = add nsw i32 %least, %below
  %long = sext i32 %sum to i64
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %long
  store i64 %long, ptr addrspace(1) %p
  %is_called = icmp sgt i32 %lane, %n
  br i1 %is_called, label %then, label %end
then:
  %called = call i64 @number(i32 %least)
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %called
  store i64 %called, ptr addrspace(1) %q
  br label %end
end:
  ret void
}

declare i32 @_Z16__lanecl_lane_idv()
