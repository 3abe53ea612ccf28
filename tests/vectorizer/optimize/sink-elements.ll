; RUN: lanecl-opt -p sink-elements %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

declare void @use(i64)

; Each byte of a word, and each word of a vector, is taken where it is used.
; CHECK-LABEL: define void @bytes(
; CHECK: %first = extractelement <2 x i64> %words, i64 0
; CHECK-NEXT: %a = and i64 %first, 255
; CHECK-NEXT: call void @use(i64 %a)
; CHECK-NEXT: %first.8 = lshr i64 %first, 8
; CHECK-NEXT: %b = and i64 %first.8, 255
; CHECK-NEXT: call void @use(i64 %b)
; CHECK-NEXT: %first.56 = lshr i64 %first, 56
; CHECK-NEXT: call void @use(i64 %first.56)
; CHECK-NEXT: %second = extractelement <2 x i64> %words, i64 1
; CHECK-NEXT: call void @use(i64 %second)
define void @bytes(<2 x i64> %words) {
  %first = extractelement <2 x i64> %words, i64 0
  %second = extractelement <2 x i64> %words, i64 1
  %first.8 = lshr i64 %first, 8
  %first.56 = lshr i64 %first, 56
  %a = and i64 %first, 255
  %b = and i64 %first.8, 255
  call void @use(i64 %a)
  call void @use(i64 %b)
  call void @use(i64 %first.56)
  call void @use(i64 %second)
  ret void
}

; To keep one register instead of another one would be no gain.
; CHECK-LABEL: define void @last(
; CHECK-NEXT: %sum = add i64 %x, %y
; CHECK-NEXT: %half = lshr i64 %sum, 1
; CHECK-NEXT: call void @use(i64 %x)
; CHECK-NEXT: call void @use(i64 %half)
define void @last(i64 %x, i64 %y) {
  %sum = add i64 %x, %y
  %half = lshr i64 %sum, 1
  call void @use(i64 %x)
  call void @use(i64 %half)
  ret void
}

; An element is not moved into another block, which might be in a loop, nor before a phi.
; CHECK-LABEL: define void @blocks(
; CHECK: entry:
; CHECK-NEXT: %half = lshr i64 %x, 1
; CHECK-NEXT: call void @use(i64 %x)
; CHECK: loop:
; CHECK: %quarter = lshr i64 %x, 2
; CHECK-NEXT: call void @use(i64 %half)
define void @blocks(i64 %x, i1 %c) {
entry:
  %half = lshr i64 %x, 1
  call void @use(i64 %x)
  br label %loop

loop:
  %carried = phi i64 [ 0, %entry ], [ %quarter, %loop ]
  %quarter = lshr i64 %x, 2
  call void @use(i64 %half)
  call void @use(i64 %carried)
  br i1 %c, label %loop, label %end

end:
  ret void
}
