; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p branch-selects %s | FileCheck %s

; A branch of a loop that decides cheap values becomes selects, however many there are.
; CHECK-LABEL: define void @cheap(
; CHECK: loop:
; CHECK-NOT: br i1 %c
; CHECK: %a1 = add i32 %a, 1
; CHECK: %b1 = add i32 %b, 1
; CHECK: select i1 %c, i32 %a1, i32 %a
; CHECK: select i1 %c, i32 %b, i32 %b1
; CHECK: select i1 %c, i32 %a, i32 %b
; CHECK: select i1 %c, i32 1, i32 2
; CHECK: br label %end
define void @cheap(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 0, %entry ], [ %a2, %end ]
  %b = phi i32 [ 0, %entry ], [ %b2, %end ]
  %x = load i32, ptr addrspace(1) %p
  %c = icmp ult i32 %x, %a
  br i1 %c, label %then, label %else
then:
  %a1 = add i32 %a, 1
  br label %end
else:
  %b1 = add i32 %b, 1
  br label %end
end:
  %a2 = phi i32 [ %a1, %then ], [ %a, %else ]
  %b2 = phi i32 [ %b, %then ], [ %b1, %else ]
  %from = phi i32 [ %a, %then ], [ %b, %else ]
  %step = phi i32 [ 1, %then ], [ 2, %else ]
  %sum = add i32 %from, %step
  store i32 %sum, ptr addrspace(1) %p
  %more = icmp ult i32 %sum, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not one that keeps the processor from memory, from a division that might trap, or from much work; and none outside of
; loops, which decides once.
; CHECK-LABEL: define void @others(
; CHECK: br i1 %once
; CHECK: br i1 %c
; CHECK: br i1 %d
define void @others(ptr addrspace(1) %p, i32 %n, i1 %once) {
entry:
  br i1 %once, label %one, label %two
one:
  br label %start
two:
  br label %start
start:
  %begin = phi i32 [ 1, %one ], [ %n, %two ]
  br label %loop
loop:
  %i = phi i32 [ %begin, %start ], [ %next, %last ]
  %c = icmp ult i32 %i, 5
  br i1 %c, label %then, label %else
then:
  %x = load i32, ptr addrspace(1) %p
  br label %end
else:
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 0, %else ]
  %d = icmp ult i32 %y, 7
  br i1 %d, label %divide, label %keep
divide:
  %q = udiv i32 %n, %y
  br label %last
keep:
  br label %last
last:
  %z = phi i32 [ %q, %divide ], [ %y, %keep ]
  store i32 %z, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
