; RUN: lanecl-opt -p mask-registers %s | FileCheck %s
; Masks that go round loops or are combined become vectors as wide as what they select from.

; The mask of a divergent loop: carried in 32-bit elements, tested by one instruction over both halves.
; CHECK-LABEL: @loop
; CHECK: %live = phi <16 x i32> [ splat (i32 -1), %entry ], [ %active, %body ]
; CHECK: [[IN:%.*]] = sext <16 x i1> %in to <16 x i32>
; CHECK: %active = and <16 x i32> %live, [[IN]]
; CHECK: [[BOTH:%.*]] = or <8 x i32>
; CHECK: [[SIGNS:%.*]] = icmp slt <8 x i32> [[BOTH]], zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[SIGNS]] to i8
; CHECK: icmp ne i8 [[BITS]], 0
; CHECK: [[BLEND:%.*]] = icmp slt <16 x i32> %active, zeroinitializer
; CHECK: select <16 x i1> [[BLEND]], <16 x float>
define void @loop(<16 x float> %start, ptr %out) {
entry:
  br label %header
header:
  %x = phi <16 x float> [ %start, %entry ], [ %next, %body ]
  %live = phi <16 x i1> [ splat (i1 true), %entry ], [ %active, %body ]
  %in = fcmp ole <16 x float> %x, splat (float 4.0)
  %active = and <16 x i1> %live, %in
  %bits = bitcast <16 x i1> %active to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %body, label %exit
body:
  %more = fmul <16 x float> %x, splat (float 2.0)
  %next = select <16 x i1> %active, <16 x float> %more, <16 x float> %x
  br label %header
exit:
  store <16 x float> %x, ptr %out
  ret void
}

; What is counted in the lanes of a mask is reduced by -1.
; CHECK-LABEL: @count
; CHECK: %stays = and <8 x i32>
; CHECK: [[COUNT:%.*]] = sub <8 x i32> %count, %stays
; CHECK-NOT: lshr
; CHECK: ret <8 x i32>
define <8 x i32> @count(<8 x float> %x) {
entry:
  br label %loop
loop:
  %count = phi <8 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %live = phi <8 x i1> [ splat (i1 true), %entry ], [ %stays, %loop ]
  %y = phi <8 x float> [ %x, %entry ], [ %twice, %loop ]
  %twice = fadd <8 x float> %y, %y
  %in = fcmp ole <8 x float> %twice, splat (float 4.0)
  %stays = and <8 x i1> %live, %in
  %one = zext <8 x i1> %stays to <8 x i32>
  %more = add <8 x i32> %count, %one
  %bits = bitcast <8 x i1> %stays to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  ret <8 x i32> %more
}

; Doubles need 64 bits.
; CHECK-LABEL: @doubles
; CHECK: and <8 x i64>
; CHECK: icmp slt <8 x i64>
define <8 x double> @doubles(<8 x double> %x, <8 x double> %y) {
  %a = fcmp olt <8 x double> %x, %y
  %b = fcmp ogt <8 x double> %x, zeroinitializer
  %both = and <8 x i1> %a, %b
  %r = select <8 x i1> %both, <8 x double> %x, <8 x double> %y
  ret <8 x double> %r
}

; A comparison used where it is made stays what it is.
; CHECK-LABEL: @plain
; CHECK-NEXT: %a = fcmp olt <8 x float> %x, %y
; CHECK-NEXT: %r = select <8 x i1> %a, <8 x float> %x, <8 x float> %y
define <8 x float> @plain(<8 x float> %x, <8 x float> %y) {
  %a = fcmp olt <8 x float> %x, %y
  %r = select <8 x i1> %a, <8 x float> %x, <8 x float> %y
  ret <8 x float> %r
}

; Lanes without the mask did not compute this condition, so any bits of theirs will do.
; CHECK-LABEL: @guarded
; CHECK: [[C:%.*]] = sext <8 x i1> %c to <8 x i32>
; CHECK: [[ANY:%.*]] = freeze <8 x i32> [[C]]
; CHECK: and <8 x i32> {{%.*}}, [[ANY]]
; CHECK: [[D:%.*]] = sext <8 x i1> %d to <8 x i32>
; CHECK: [[ANY:%.*]] = freeze <8 x i32> [[D]]
; CHECK: or <8 x i32> {{%.*}}, [[ANY]]
define <8 x float> @guarded(<8 x float> %x, <8 x float> %y) {
  %m = fcmp olt <8 x float> %x, %y
  %c = fcmp ogt <8 x float> %x, zeroinitializer
  %d = fcmp ogt <8 x float> %y, zeroinitializer
  %both = select <8 x i1> %m, <8 x i1> %c, <8 x i1> zeroinitializer
  %any = select <8 x i1> %both, <8 x i1> splat (i1 true), <8 x i1> %d
  %r = select <8 x i1> %any, <8 x float> %x, <8 x float> %y
  ret <8 x float> %r
}

; A condition that all lanes share is extended as one value.
; CHECK-LABEL: @shared
; CHECK: [[WIDE:%.*]] = sext i1 %c to i32
; CHECK: [[FIRST:%.*]] = insertelement <8 x i32> poison, i32 [[WIDE]], i64 0
; CHECK: [[LANES:%.*]] = shufflevector <8 x i32> [[FIRST]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: and <8 x i32> {{%.*}}, [[LANES]]
define <8 x float> @shared(<8 x float> %x, <8 x float> %y, i1 %c) {
  %m = fcmp olt <8 x float> %x, %y
  %one = insertelement <8 x i1> poison, i1 %c, i64 0
  %all = shufflevector <8 x i1> %one, <8 x i1> poison, <8 x i32> zeroinitializer
  %both = and <8 x i1> %m, %all
  %r = select <8 x i1> %both, <8 x float> %x, <8 x float> %y
  ret <8 x float> %r
}

; "All lanes" combines the halves by and.
; CHECK-LABEL: @all
; CHECK: and <8 x i32>
; CHECK: icmp eq i8 %{{.*}}, -1
define i1 @all(<16 x float> %x, <16 x float> %y) {
  %a = fcmp olt <16 x float> %x, %y
  %b = fcmp ogt <16 x float> %x, zeroinitializer
  %both = or <16 x i1> %a, %b
  %bits = bitcast <16 x i1> %both to i16
  %all = icmp eq i16 %bits, -1
  ret i1 %all
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
