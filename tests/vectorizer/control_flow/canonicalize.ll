; RUN: lanecl-opt -p canonicalize %s | FileCheck %s
; canonicalize makes the control flow that linearize expects.

; A switch becomes branches, two returns and an unreachable end become one return.
; CHECK-LABEL: define i32 @ends(
; CHECK-NOT: switch
; CHECK-NOT: unreachable
; CHECK: ret i32 %result
; CHECK-NOT: ret
; CHECK: }
define i32 @ends(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 1, label %one
                                i32 5, label %never ]
one:
  ret i32 10
other:
  ret i32 20
never:
  unreachable
}

; A loop left at two places has one exit block; the constant that says where it came from is named inside the loop.
; CHECK-LABEL: define void @two_exits(
; CHECK: header:
; CHECK: freeze i1 true, !lanecl.exit
; CHECK: label %loop.exit.guard
; CHECK: body:
; CHECK: label %loop.exit.guard
; CHECK: loop.exit.guard:
; CHECK-NEXT: phi i1
define void @two_exits(i1 %a, i1 %b, ptr addrspace(1) %p) {
entry:
  br label %header
header:
  br i1 %a, label %first, label %body
body:
  br i1 %b, label %second, label %header
first:
  store i32 1, ptr addrspace(1) %p
  br label %done
second:
  store i32 2, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; An endless loop gets an exit that is never taken, behind what others do before they return.
; CHECK-LABEL: define i32 @endless_for_some(
; CHECK: work:
; CHECK-NEXT: %sum = add i32 %x, 1
; CHECK-NEXT: br label %return
; CHECK: return:
; CHECK-NEXT: phi i32 [ %sum, %work ], [ poison,
; CHECK: br i1 true, label %loop, label %{{.*}}
define i32 @endless_for_some(i1 %c, i32 %x) {
entry:
  br i1 %c, label %loop, label %work
work:
  %sum = add i32 %x, 1
  ret i32 %sum
loop:
  br label %loop
}

; An endless loop gets an exit that is never taken.
; CHECK-LABEL: define void @endless(
; CHECK: br i1 true, label %loop
; CHECK: ret void
define void @endless(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
}

; A loop with two entries gets one, without memory being left behind.
; CHECK-LABEL: define i32 @two_entries(
; CHECK-NOT: {{alloca|reg2mem alloca point}}
; CHECK: irr.guard:
; CHECK-NOT: {{alloca|reg2mem alloca point}}
; CHECK: ret i32
define i32 @two_entries(i1 %c, i32 %n) {
entry:
  br i1 %c, label %left, label %right
left:
  %i = phi i32 [ 0, %entry ], [ %k, %right ]
  %j = add i32 %i, 1
  br label %right
right:
  %k = phi i32 [ 5, %entry ], [ %j, %left ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %left, label %exit
exit:
  ret i32 %k
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; 63 - id is no exclusive or; that of more bits stays one, and so does a complement.
; CHECK-LABEL: define i32 @difference(
; CHECK: sub nuw nsw i32 63, %x
; CHECK: xor i32 %{{.*}}, 7
; CHECK: xor i32 %{{.*}}, -1
define i32 @difference(i32 %y) {
  %x = and i32 %y, 31
  %back = xor i32 %x, 63
  %flipped = xor i32 %x, 7
  %complement = xor i32 %y, -1
  %sum = add i32 %back, %flipped
  %all = add i32 %sum, %complement
  ret i32 %all
}
