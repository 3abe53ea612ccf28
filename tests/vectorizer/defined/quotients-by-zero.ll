; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; What is divided by zero has a quotient with all bits set, or of 0, where it is shown to be always 0.
; RUN: lanecl-opt %s -p safe-division,quotients-by-zero | FileCheck %s

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare void @use(ptr)

; CHECK-LABEL: @unknown(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @unknown(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  ret i32 %q
}

; CHECK-LABEL: @zero(
; CHECK: select i1 {{%.*}}, i32 0, i32
define i32 @zero(i32 %y) {
  %q = udiv i32 0, %y
  ret i32 %q
}

; CHECK-LABEL: @vector(
; CHECK: select <2 x i1> {{%.*}}, <2 x i32> zeroinitializer, <2 x i32>
define <2 x i32> @vector(<2 x i32> %y) {
  %q = sdiv <2 x i32> zeroinitializer, %y
  ret <2 x i32> %q
}

; CHECK-LABEL: @some_components(
; CHECK: select <2 x i1> {{%.*}}, <2 x i32> splat (i32 -1), <2 x i32>
define <2 x i32> @some_components(<2 x i32> %y) {
  %q = sdiv <2 x i32> <i32 0, i32 1>, %y
  ret <2 x i32> %q
}

; These are variables of unoptimized code: row = 0; row = (row % h) / y.
; CHECK-LABEL: @variables(
; CHECK: select i1 {{%.*}}, i32 0, i32
define i32 @variables(i32 %h, i32 %y) {
  %row = alloca i32
  %column = alloca i32
  call void @llvm.lifetime.start.p0(ptr %row)
  store i32 0, ptr %row
  %of_row = load i32, ptr %row
  %r = srem i32 %of_row, %h
  store i32 %r, ptr %column
  %of_column = load i32, ptr %column
  %q = sdiv i32 %of_column, %y
  ret i32 %q
}

; The program also stores another value.
; CHECK-LABEL: @changed_variable(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @changed_variable(i32 %x, i32 %y) {
  %row = alloca i32
  store i32 0, ptr %row
  %of_row = load i32, ptr %row
  %q = udiv i32 %of_row, %y
  store i32 %x, ptr %row
  ret i32 %q
}

; Others may write the variable.
; CHECK-LABEL: @handed_over(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @handed_over(i32 %y) {
  %row = alloca i32
  store i32 0, ptr %row
  call void @use(ptr %row)
  %of_row = load i32, ptr %row
  %q = udiv i32 %of_row, %y
  ret i32 %q
}

; The address goes to memory, by which others may write it.
; CHECK-LABEL: @stored_address(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @stored_address(ptr %p, i32 %y) {
  %row = alloca i32
  store i32 0, ptr %row
  store ptr %row, ptr %p
  %of_row = load i32, ptr %row
  %q = udiv i32 %of_row, %y
  ret i32 %q
}

; The value is one of two that are both 0, or is computed from 0 and constants: max(0, 0), 0 > 3.
; CHECK-LABEL: @chosen(
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 -1, i32
define void @chosen(i32 %x, i32 %y, i1 %c, ptr %p) {
entry:
  %row = alloca i32
  store i32 0, ptr %row
  br i1 %c, label %left, label %right
left:
  %of_row = load i32, ptr %row
  br label %right
right:
  %either = phi i32 [ 0, %entry ], [ %of_row, %left ]
  %other = phi i32 [ 1, %entry ], [ %of_row, %left ]
  %a = udiv i32 %either, %y
  store volatile i32 %a, ptr %p
  %most = call i32 @llvm.smax.i32(i32 %either, i32 0)
  %b = udiv i32 %most, %y
  store volatile i32 %b, ptr %p
  %is_more = icmp sgt i32 %either, 3
  %bit = zext i1 %is_more to i32
  %d = udiv i32 %bit, %y
  store volatile i32 %d, ptr %p
  %e = udiv i32 %other, %y
  store volatile i32 %e, ptr %p
  ret void
}

; A counter begins at 0, too.
; CHECK-LABEL: @counter(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define void @counter(i32 %n, i32 %y, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %i, %y
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A structure is filled with zeros, and one of its members is stored.
; CHECK-LABEL: @members(
; CHECK: select i1 {{%.*}}, i32 0, i32
define i32 @members(i32 %y) {
  %pair = alloca { i32, i32 }
  call void @llvm.memset.p0.i64(ptr %pair, i8 0, i64 8, i1 false)
  %second = getelementptr { i32, i32 }, ptr %pair, i32 0, i32 1
  store i32 0, ptr %second
  %of_second = load i32, ptr %second
  %q = udiv i32 %of_second, %y
  ret i32 %q
}

; The part that is written is reached by more steps than the one that is read.
; CHECK-LABEL: @far_part(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @far_part(i32 %x, i32 %y) {
  %rows = alloca [16 x i32]
  %a = getelementptr i32, ptr %rows, i32 1
  %b = getelementptr i32, ptr %a, i32 1
  %c = getelementptr i32, ptr %b, i32 1
  %d = getelementptr i32, ptr %c, i32 1
  %e = getelementptr i32, ptr %d, i32 1
  %f = getelementptr i32, ptr %e, i32 1
  %g = getelementptr i32, ptr %f, i32 1
  %h = getelementptr i32, ptr %g, i32 1
  %first = load i32, ptr %rows
  %q = udiv i32 %first, %y
  store i32 %x, ptr %h
  ret i32 %q
}

; In code that is never executed a pointer may be computed from itself.
; CHECK-LABEL: @never_executed(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @never_executed(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  ret i32 %q
never:
  %p = getelementptr i32, ptr %p, i32 1
  store i32 %x, ptr %p
  br label %never
}

; Another element is not 0.
; CHECK-LABEL: @element(
; CHECK: select i1 {{%.*}}, i32 -1, i32
define i32 @element(i32 %x, i32 %y) {
  %rows = alloca [2 x i32]
  %second = getelementptr [2 x i32], ptr %rows, i32 0, i32 1
  store i32 %x, ptr %second
  store i32 0, ptr %rows
  %first = load i32, ptr %rows
  %q = udiv i32 %first, %y
  ret i32 %q
}

; What is 0 stays 0: in a product one factor is enough, in a sum both have to be, and so has what a select takes.
; CHECK-LABEL: @computed(
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 -1, i32
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 -1, i32
; CHECK: select i1 {{%.*}}, i32 -1, i32
define void @computed(i32 %x, i32 %y, i1 %c, ptr %p) {
  %zero = alloca i32
  store i32 0, ptr %zero
  %z = load i32, ptr %zero
  %product = mul i32 %x, %z
  %a = udiv i32 %product, %y
  store volatile i32 %a, ptr %p
  %sum = add i32 %z, %product
  %b = udiv i32 %sum, %y
  store volatile i32 %b, ptr %p
  %other_sum = add i32 %x, %z
  %d = udiv i32 %other_sum, %y
  store volatile i32 %d, ptr %p
  %either = select i1 %c, i32 %z, i32 %product
  %e = udiv i32 %either, %y
  store volatile i32 %e, ptr %p
  %other = select i1 %c, i32 %z, i32 %x
  %f = udiv i32 %other, %y
  store volatile i32 %f, ptr %p
  %amount = shl i32 1, %z
  %g = udiv i32 %amount, %y
  store volatile i32 %g, ptr %p
  ret void
}

; The quotient of 0 by 0 also has all bits set.
; CHECK-LABEL: @of_quotient(
; CHECK: select i1 {{%.*}}, i32 0, i32
; CHECK: select i1 {{%.*}}, i32 0, i32
define i32 @of_quotient(i32 %x, i32 %y) {
  %q = udiv i32 0, %x
  %r = udiv i32 %q, %y
  ret i32 %r
}
