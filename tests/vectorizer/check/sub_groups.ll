; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-sub-groups,place-reports" %s | FileCheck %s

; All work-items that the sub-group has must call it.
; CHECK-LABEL: define i32 @reduces(
; CHECK: [[ACTIVE:%.*]] = call i64 @__lanecl_active_mask()
; CHECK: call i32 @__lanecl_sub_group_size()
; CHECK: icmp ne i64 [[ACTIVE]],
; CHECK: call void @lanecl.check.found(
; CHECK: call i32 @_Z20sub_group_reduce_addi(
define i32 @reduces(i32 %x) !dbg !4 {
  %sum = call i32 @_Z20sub_group_reduce_addi(i32 %x), !dbg !5
  ret i32 %sum
}

; Divergent flow is what this one is for.
; CHECK-LABEL: define i32 @may_diverge(
; CHECK-NOT: found
; CHECK: ret i32
define i32 @may_diverge(i32 %x) !dbg !6 {
  %sum = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %x), !dbg !7
  ret i32 %sum
}

; This is a named barrier of SPIR-V.
; CHECK-LABEL: define void @waits(
; CHECK: call void @lanecl.check.found(
; CHECK: call void @_Z27__lanecl_named_barrier_waitPU3AS3h(
define void @waits(ptr addrspace(3) %barrier) !dbg !8 {
  call void @_Z27__lanecl_named_barrier_waitPU3AS3h(ptr addrspace(3) %barrier), !dbg !9
  ret void
}

; The built-in library's own calls, which have no place, are not checked.
; CHECK-LABEL: define i32 @library(
; CHECK-NOT: found
; CHECK: ret i32
define i32 @library(i32 %x) {
  %sum = call i32 @_Z20sub_group_reduce_addi(i32 %x)
  ret i32 %sum
}

declare void @_Z27__lanecl_named_barrier_waitPU3AS3h(ptr addrspace(3))
declare i32 @_Z20sub_group_reduce_addi(i32)
declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "reduces", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 3, column: 9, scope: !4)
!6 = distinct !DISubprogram(name: "may_diverge", file: !1, line: 5, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 6, column: 9, scope: !6)
!8 = distinct !DISubprogram(name: "waits", file: !1, line: 8, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!9 = !DILocation(line: 9, column: 9, scope: !8)
