; RUN: lanecl-opt -p half-chains %s | FileCheck %s
; Without half arithmetic, chains that may have excess precision stay in float.

; For operators, each operand is converted once, and the result is rounded once at the end.
; CHECK-LABEL: @operators(
; CHECK-DAG: %[[X:.*]] = fpext half %x to float
; CHECK-DAG: %[[Y:.*]] = fpext half %y to float
; CHECK: %[[P:.*]] = fmul reassoc contract float %[[X]], %[[Y]]
; CHECK-NOT: fptrunc
; CHECK: %[[S:.*]] = fadd reassoc contract float %[[P]],
; CHECK-NEXT: %[[R:.*]] = fptrunc float %[[S]] to half
; CHECK-NEXT: store half %[[R]]
define void @operators(half %x, half %y, ptr %to) {
  %p = fmul reassoc contract half %x, %y
  %s = fadd reassoc contract half %p, %x
  store half %s, ptr %to
  ret void
}

; What may not be relaxed is rounded after every operation.
; CHECK-LABEL: @strict(
; CHECK: fmul contract half
; CHECK: fadd contract half
; CHECK: fptrunc
; CHECK-NEXT: fpext
define float @strict(half %x, half %y, float %z) {
  %p = fmul contract half %x, %y
  %s = fadd contract half %p, %x
  %h = fptrunc reassoc contract float %z to half
  %f = fpext half %h to float
  %t = fpext half %s to float
  %u = fadd float %f, %t
  ret float %u
}

; A loop carries the sum as a float, from its first value on.
; CHECK-LABEL: @loop(
; CHECK: %[[FIRST:.*]] = fpext half %first to float
; CHECK: loop:
; CHECK: %[[SUM:.*]] = phi float [ %[[FIRST]], %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %[[NEXT]] = fadd reassoc contract float %[[SUM]],
; CHECK-NOT: fptrunc
; CHECK: done:
; CHECK: %[[H:.*]] = fptrunc float %{{.*}} to half
; CHECK: ret half
define half @loop(half %first, ptr %from, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %sum = phi half [ %first, %entry ], [ %next, %loop ]
  %at = getelementptr half, ptr %from, i32 %i
  %x = load half, ptr %at
  %next = fadd reassoc contract half %sum, %x
  %more = add i32 %i, 1
  %again = icmp ult i32 %more, %n
  br i1 %again, label %loop, label %done
done:
  %last = phi half [ %next, %loop ]
  %twice = fmul reassoc contract half %last, 2.0
  ret half %twice
}

; A choice carries its value as a float, too.
; CHECK-LABEL: @choice(
; CHECK: %[[C:.*]] = select i1 %c, float %{{.*}}, float 0.000000e+00
; CHECK: fadd reassoc contract float %[[C]]
define half @choice(i1 %c, half %x) {
  %p = fmul reassoc contract half %x, %x
  %q = select i1 %c, half %p, half 0.0
  %r = fadd reassoc contract half %q, %x
  ret half %r
}

; Bits are those of a half.
; CHECK-LABEL: @bits(
; CHECK: %[[H:.*]] = fptrunc float
; CHECK: bitcast half %[[H]] to i16
define i16 @bits(half %x) {
  %p = fmul reassoc contract half %x, %x
  %b = bitcast half %p to i16
  ret i16 %b
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
