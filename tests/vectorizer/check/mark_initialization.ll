; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "mark-initialization" %s | FileCheck %s

declare i32 @_Z20sub_group_reduce_addi(i32)

; A variable begins with a value that nobody knows, and what it decides is told.
; CHECK-LABEL: define void @scalar(
; CHECK: [[UNKNOWN:%.*]] = call i32 @lanecl.check.unwritten.i32(i64 1)
; CHECK: [[NUMBER:%.*]] = phi i32 [ 7, %write ], [ [[UNKNOWN]], %entry ]
; CHECK: [[CONDITION:%.*]] = icmp sgt i32 [[NUMBER]], 3
; CHECK-NEXT: call void @lanecl.check.decides.i1(i1 [[CONDITION]])
; CHECK-NEXT: br i1 [[CONDITION]]
define void @scalar(i1 %c) !dbg !4 {
entry:
  %number = alloca i32
  br i1 %c, label %write, label %ask
write:
  store i32 7, ptr %number
  br label %ask
ask:
  %value = load i32, ptr %number
  %more = icmp sgt i32 %value, 3, !dbg !6
  br i1 %more, label %yes, label %no, !dbg !6
yes:
  ret void
no:
  ret void
}

; An array begins anew where its life does.
; CHECK-LABEL: define void @array(
; CHECK: [[FIRST:%.*]] = call i8 @lanecl.check.unwritten.i8(i64 1)
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 %a, i8 [[FIRST]], i64 20, i1 false)
; CHECK: call void @llvm.lifetime.start.p0(ptr %a)
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 %a, i8 {{%.*}}, i64 20, i1 false)
define void @array(i64 %i) !dbg !7 {
  %a = alloca [5 x i32], align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  %address = getelementptr inbounds i32, ptr %a, i64 %i, !dbg !8
  store i32 1, ptr %address, !dbg !8
  ret void
}

; Functions of sub-groups need what all lanes give them.
; CHECK-LABEL: define i32 @sum(
; CHECK: call void @lanecl.check.decides.i32(i32 %x)
; CHECK-NEXT: call i32 @_Z20sub_group_reduce_addi(i32 %x)
define i32 @sum(i32 %x) !dbg !9 {
  %sum = call i32 @_Z20sub_group_reduce_addi(i32 %x), !dbg !10
  ret i32 %sum
}

; The built-in library is trusted.
; CHECK-LABEL: define i32 @library(
; CHECK-NEXT: %number = alloca i32
; CHECK-NEXT: load i32, ptr %number
define i32 @library() {
  %number = alloca i32
  %value = load i32, ptr %number
  ret i32 %value
}

declare void @llvm.lifetime.start.p0(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "scalar", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "array", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
!9 = distinct !DISubprogram(name: "sum", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 9, scope: !9)
