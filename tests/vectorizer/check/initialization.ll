; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-initialization" %s | FileCheck %s

declare void @lanecl.check.decides.i1(i1)
declare i32 @lanecl.check.unwritten.i32(i64)
declare i32 @_Z16__lanecl_shuffleij(i32, i32)

; A value that is read takes its shadow along: at the same distance for all that is computed from one pointer, so that
; neighbors stay neighbors. Nothing is reported, because nothing is decided.
; CHECK-LABEL: define void @copy(
; CHECK: [[BASE:%.*]] = call i64 @lanecl.check.shadow()
; CHECK: [[UPPER:%.*]] = and i64 {{%.*}}, -17592186044416
; CHECK: [[DISTANCE:%.*]] = sub i64 [[BASE]], [[UPPER]]
; CHECK: [[PLACE:%.*]] = add i64 {{%.*}}, [[DISTANCE]]
; CHECK: [[FROM:%.*]] = inttoptr i64 [[PLACE]] to ptr addrspace(1)
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1) [[FROM]], align 4
; CHECK: [[PLACE:%.*]] = add i64 {{%.*}}, [[DISTANCE]]
; CHECK: [[INTO:%.*]] = inttoptr i64 [[PLACE]] to ptr addrspace(1)
; CHECK: store i32 [[SHADOW]], ptr addrspace(1) [[INTO]], align 4
; CHECK-NOT: report
; CHECK: ret void
define void @copy(ptr addrspace(1) %p, i64 %i) !dbg !4 {
  %from = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %value = load float, ptr addrspace(1) %from, align 4, !dbg !6
  store float %value, ptr addrspace(1) %p, align 4, !dbg !6
  ret void
}

; A conjunction has the shadow bits that the other operand leaves.
; CHECK-LABEL: define void @mask(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[LEFT:%.*]] = and i32 [[SHADOW]], 255
; CHECK: [[ANY:%.*]] = icmp ne i32 [[LEFT]], 0
; CHECK: br i1 [[ANY]]
; CHECK: call void @lanecl.check.report(i32 16,
; CHECK-NOT: decides
; CHECK: ret void
define void @mask(ptr addrspace(1) %p) !dbg !7 {
  %value = load i32, ptr addrspace(1) %p, align 4, !dbg !8
  %byte = and i32 %value, 255
  %is = icmp eq i32 %byte, 7
  call void @lanecl.check.decides.i1(i1 %is), !dbg !8
  ret void
}

; A carry takes uninitialized bits upwards: as far as the smallest and the largest possible sum differ.
; CHECK-LABEL: define void @carry(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[INVERSE:%.*]] = xor i32 [[SHADOW]], -1
; CHECK: [[LEAST:%.*]] = and i32 %value, [[INVERSE]]
; CHECK: [[MOST:%.*]] = or i32 %value, [[SHADOW]]
; CHECK: [[LOW:%.*]] = add i32 [[LEAST]], %y
; CHECK: [[HIGH:%.*]] = add i32 [[MOST]], %y
; CHECK: [[DIFFERENT:%.*]] = xor i32 [[LOW]], [[HIGH]]
; CHECK: [[OF_SUM:%.*]] = or i32 [[SHADOW]], [[DIFFERENT]]
; CHECK: and i32 [[OF_SUM]], 256
define void @carry(ptr addrspace(1) %p, i32 %y) !dbg !19 {
  %value = load i32, ptr addrspace(1) %p, align 4, !dbg !20
  %sum = add i32 %value, %y
  %bit = and i32 %sum, 256
  %is = icmp ne i32 %bit, 0
  call void @lanecl.check.decides.i1(i1 %is), !dbg !20
  ret void
}

; The difference is smallest where the first operand is small and the second is large.
; CHECK-LABEL: define void @borrow(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[LEAST:%.*]] = and i32 %value, {{%.*}}
; CHECK: [[MOST:%.*]] = or i32 %value, [[SHADOW]]
; CHECK: [[LOW:%.*]] = sub i32 %y, [[MOST]]
; CHECK: [[HIGH:%.*]] = sub i32 %y, [[LEAST]]
; CHECK: xor i32 [[LOW]], [[HIGH]]
define void @borrow(ptr addrspace(1) %p, i32 %y) !dbg !21 {
  %value = load i32, ptr addrspace(1) %p, align 4, !dbg !22
  %difference = sub i32 %y, %value
  %is = icmp eq i32 %difference, 5
  call void @lanecl.check.decides.i1(i1 %is), !dbg !22
  ret void
}

; Each bit of a sum of floating-point numbers depends on each bit of the operands.
; CHECK-LABEL: define void @float_sum(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[ANY:%.*]] = icmp ne i32 [[SHADOW]], 0
; CHECK: [[ALL:%.*]] = sext i1 [[ANY]] to i32
; CHECK: and i32 [[ALL]], -65536
define void @float_sum(ptr addrspace(1) %p, float %y) !dbg !23 {
  %value = load float, ptr addrspace(1) %p, align 4, !dbg !24
  %sum = fadd float %value, %y
  %bits = bitcast float %sum to i32
  %upper = and i32 %bits, -65536
  %is = icmp eq i32 %upper, 0
  call void @lanecl.check.decides.i1(i1 %is), !dbg !24
  ret void
}

; fneg, fabs and copysign change only the sign.
; CHECK-LABEL: define void @signs(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: %negative = fneg float %value
; CHECK-NEXT: [[MAGNITUDE:%.*]] = and i32 [[SHADOW]], 2147483647
; CHECK-NEXT: %magnitude = call float @llvm.fabs.f32(float %negative)
; CHECK-NEXT: [[SIGN:%.*]] = and i32 [[SHADOW]], -2147483648
; CHECK-NEXT: %signed = call float @llvm.copysign.f32(float %y, float %value)
; CHECK: icmp ne i32 [[MAGNITUDE]], 0
; CHECK: icmp ne i32 [[SIGN]], 0
define void @signs(ptr addrspace(1) %p, float %y) !dbg !25 {
  %value = load float, ptr addrspace(1) %p, align 4, !dbg !26
  %negative = fneg float %value
  %magnitude = call float @llvm.fabs.f32(float %negative)
  %signed = call float @llvm.copysign.f32(float %y, float %value)
  %above = fcmp ogt float %magnitude, 1.0
  %below = fcmp olt float %signed, 1.0
  call void @lanecl.check.decides.i1(i1 %above), !dbg !26
  call void @lanecl.check.decides.i1(i1 %below), !dbg !26
  ret void
}

; Only the upper bits decide.
; CHECK-LABEL: define void @below(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: and i32 [[SHADOW]], -16
define void @below(ptr addrspace(1) %p) !dbg !9 {
  %value = load i32, ptr addrspace(1) %p, align 4, !dbg !10
  %is = icmp ult i32 %value, 16
  call void @lanecl.check.decides.i1(i1 %is), !dbg !10
  ret void
}

; The value of a variable is 0 in the end, its shadow is full. An address is decided upon.
; CHECK-LABEL: define void @address(
; CHECK: [[CHOSEN:%.*]] = select i1 %c, i32 -1, i32 0
; CHECK: [[VALUE:%.*]] = select i1 %c, i32 0, i32 %i
; CHECK: call void @lanecl.check.report(i32 16,
; CHECK: store i32 1,
define void @address(ptr addrspace(1) %p, i1 %c, i32 %i) !dbg !11 {
  %unknown = call i32 @lanecl.check.unwritten.i32(i64 1)
  %index = select i1 %c, i32 %unknown, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %index
  store i32 1, ptr addrspace(1) %to, align 4, !dbg !12
  ret void
}

; A private array has a variable beside it, with the same steps.
; CHECK-LABEL: define i32 @array(
; CHECK: [[BESIDE:%.*]] = alloca [5 x i32]
; CHECK: %a = alloca [5 x i32]
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 [[BESIDE]], i8 0, i64 20, i1 false)
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i32, ptr [[BESIDE]], i64 %i
; CHECK: store i32 0, ptr [[PLACE]]
define i32 @array(i64 %i) !dbg !13 {
  %a = alloca [5 x i32], align 4
  %place = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 3, ptr %place, align 4, !dbg !14
  %value = load i32, ptr %a, align 4, !dbg !14
  ret i32 %value
}

; Shadows go from lane to lane as values do.
; CHECK-LABEL: define void @lanes(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[MOVED:%.*]] = call i32 @_Z16__lanecl_shuffleij.unwritten.i32.i32(i32 [[SHADOW]], i32 %i)
; CHECK: icmp ne i32 [[MOVED]], 0
define void @lanes(ptr addrspace(1) %p, i32 %i) !dbg !15 {
  %value = load i32, ptr addrspace(1) %p, align 4, !dbg !16
  %other = call i32 @_Z16__lanecl_shuffleij(i32 %value, i32 %i), !dbg !16
  %is = icmp eq i32 %other, 7
  call void @lanecl.check.decides.i1(i1 %is), !dbg !16
  ret void
}

; An atomic operation needs what it finds, but for an exchange.
; CHECK-LABEL: define void @atomics(
; CHECK: [[SHADOW:%.*]] = load i32, ptr addrspace(1)
; CHECK: icmp ne i32 [[SHADOW]], 0
; CHECK: call void @lanecl.check.report(i32 16,
; CHECK: atomicrmw add
; CHECK-NOT: report
; CHECK: atomicrmw xchg
define void @atomics(ptr addrspace(1) %p) !dbg !17 {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, !dbg !18
  %b = atomicrmw xchg ptr addrspace(1) %p, i32 1 monotonic, !dbg !18
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "copy", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "mask", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
!9 = distinct !DISubprogram(name: "below", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 9, scope: !9)
!11 = distinct !DISubprogram(name: "address", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 3, column: 9, scope: !11)
!13 = distinct !DISubprogram(name: "array", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!14 = !DILocation(line: 3, column: 9, scope: !13)
!15 = distinct !DISubprogram(name: "lanes", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!16 = !DILocation(line: 3, column: 9, scope: !15)
!17 = distinct !DISubprogram(name: "atomics", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!18 = !DILocation(line: 3, column: 9, scope: !17)
!19 = distinct !DISubprogram(name: "carry", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 3, column: 9, scope: !19)
!21 = distinct !DISubprogram(name: "borrow", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!22 = !DILocation(line: 3, column: 9, scope: !21)
!23 = distinct !DISubprogram(name: "float_sum", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!24 = !DILocation(line: 3, column: 9, scope: !23)
!25 = distinct !DISubprogram(name: "signs", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 3, column: 9, scope: !25)
