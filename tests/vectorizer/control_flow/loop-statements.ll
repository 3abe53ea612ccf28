; RUN: lanecl-opt -p inline-calls --kernel k %s | FileCheck %s
; RUN: lanecl-opt -p inline-calls,canonicalize,linearize --kernel k %s | FileCheck %s --check-prefix=MASKED

; A call on the way out of a loop belongs to the loop's iteration, though it cannot get back to it: known by its place
; between the loop's blocks, or by its line.

declare i32 @_Z16__lanecl_lane_idv()
declare i64 @_Z15__lanecl_balloti(i32) convergent

define internal i64 @vote(i32 %x) {
  %v = call i64 @_Z15__lanecl_balloti(i32 %x)
  ret i64 %v
}

; CHECK-LABEL: define void @k(
; CHECK: found:
; CHECK-NEXT: call i64 @_Z15__lanecl_balloti(i32 1)
; CHECK: %leave = call i1 @lanecl.leave()
; CHECK-NEXT: br i1 %leave, label %{{.*}}, label %loop
; CHECK: behind:
; CHECK-NEXT: call i64 @_Z15__lanecl_balloti(i32 2)
; CHECK-NOT: lanecl.leave()
; CHECK: ret void

; MASKED-LABEL: define void @k(
; MASKED-NOT: lanecl.leave
; MASKED: loop:
; MASKED: call i64 @_Z15__lanecl_balloti(i32 1)
; MASKED: br i1 %{{.*}}, label %loop
; MASKED: call i64 @_Z15__lanecl_balloti(i32 2)
; MASKED-NOT: lanecl.leave
; MASKED: ret void
define void @k(ptr addrspace(1) %p, i32 %n) "lanecl-source-order" {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %continue ]
  %finds = icmp eq i32 %i, %lane
  br i1 %finds, label %found, label %continue
found:
  %v = call i64 @vote(i32 1)
  store i64 %v, ptr addrspace(1) %p
  br label %behind
continue:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %behind
behind:
  %all = call i64 @_Z15__lanecl_balloti(i32 2)
  store i64 %all, ptr addrspace(1) %p
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
