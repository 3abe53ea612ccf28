; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-arithmetic" %s | FileCheck %s

; A quotient of signed numbers has two rules, one of unsigned numbers one.
; CHECK-LABEL: define void @quotients(
; CHECK: [[ZERO:%.*]] = icmp eq i32 %y, 0
; CHECK: br i1 [[ZERO]]
; CHECK: call void @lanecl.check.report(i32 11,
; CHECK: [[LEAST:%.*]] = icmp eq i32 %x, -2147483648
; CHECK: [[MINUS:%.*]] = icmp eq i32 %y, -1
; CHECK: [[BOTH:%.*]] = and i1 [[LEAST]], [[MINUS]]
; CHECK: br i1 [[BOTH]]
; CHECK: call void @lanecl.check.report(i32 12,
; CHECK: sdiv i32 %x, %y
; CHECK: call void @lanecl.check.report(i32 11,
; CHECK-NOT: call void @lanecl.check.report(i32 12,
; CHECK: udiv i32 %x, %y
define void @quotients(i32 %x, i32 %y) !dbg !4 {
  %a = sdiv i32 %x, %y, !dbg !6
  %b = udiv i32 %x, %y, !dbg !6
  ret void
}

; A divisor that is known needs no test.
; CHECK-LABEL: define void @known(
; CHECK-NOT: br
; CHECK: urem i32 %x, 5
; CHECK-NEXT: ret void
define void @known(i32 %x) !dbg !7 {
  %a = urem i32 %x, 5, !dbg !8
  ret void
}

; Clang's mask has the place of its shift; before it the program's amount is tested. A mask of another place is the
; program's own.
; CHECK-LABEL: define void @shifts(
; CHECK: icmp uge i32 %n, 32
; CHECK: call void @lanecl.check.report(i32 13,
; CHECK: shl i32 %x, %shl.mask
; CHECK-NEXT: %own = and i32 %n, 31
; CHECK-NEXT: lshr i32 %x, %own
define void @shifts(i32 %x, i32 %n) !dbg !9 {
  %shl.mask = and i32 %n, 31, !dbg !10
  %a = shl i32 %x, %shl.mask, !dbg !10
  %own = and i32 %n, 31, !dbg !11
  %b = lshr i32 %x, %own, !dbg !10
  ret void
}

; The limits are the least number and the first number beyond the type. A half has no number as great.
; CHECK-LABEL: define void @conversions(
; CHECK: [[WHOLE:%.*]] = call float @llvm.trunc.f32(float %x)
; CHECK: fcmp olt float [[WHOLE]], 0x41E0000000000000
; CHECK: fcmp oge float [[WHOLE]], 0xC1E0000000000000
; CHECK: call void @lanecl.check.report(i32 14,
; CHECK: fcmp olt half {{%.*}}, 0xH7C00
; CHECK: fcmp ogt half {{%.*}}, 0xHFC00
define void @conversions(float %x, half %h) !dbg !12 {
  %a = fptosi float %x to i32, !dbg !13
  %b = fptosi half %h to i32, !dbg !13
  ret void
}

; The test comes after the operation. Each component has its own.
; CHECK-LABEL: define void @nan(
; CHECK: [[SUM:%.*]] = fadd <2 x float> %x, %y
; CHECK: [[SECOND:%.*]] = extractelement <2 x float> [[SUM]], i64 1
; CHECK: fcmp uno float [[SECOND]], 0.000000e+00
; CHECK: call void @lanecl.check.report(i32 15,
define void @nan(<2 x float> %x, <2 x float> %y) !dbg !14 {
  %a = fadd <2 x float> %x, %y, !dbg !15
  ret void
}

; Instructions without a debug location belong to the built-in library and are not checked.
; CHECK-LABEL: define void @library(
; CHECK-NEXT: fdiv float %x, %x
; CHECK-NEXT: ret void
define void @library(float %x) {
  %a = fdiv float %x, %x
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "quotients", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "known", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
!9 = distinct !DISubprogram(name: "shifts", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 9, scope: !9)
!11 = !DILocation(line: 3, column: 14, scope: !9)
!12 = distinct !DISubprogram(name: "conversions", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!13 = !DILocation(line: 3, column: 9, scope: !12)
!14 = distinct !DISubprogram(name: "nan", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 3, column: 9, scope: !14)
