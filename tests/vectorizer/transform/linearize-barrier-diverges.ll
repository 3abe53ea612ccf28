; RUN: not lanecl-opt -p canonicalize,linearize %s 2>&1 | FileCheck %s
; A barrier that some lanes of the sub-group do not reach with the others is a build error at its line.

; CHECK: k.cl:7:5: error: work_group_barrier in control flow that diverges within a sub-group
; CHECK-NOT: k.cl:9

declare i32 @__lanecl_lane_id()
declare void @_Z27__lanecl_work_group_barrierj(i32)

define void @k(ptr addrspace(1) %p) !dbg !3 {
entry:
  %lane = call i32 @__lanecl_lane_id(), !dbg !5
  %c = icmp slt i32 %lane, 3, !dbg !5
  br i1 %c, label %then, label %join, !dbg !5
then:
  call void @_Z27__lanecl_work_group_barrierj(i32 1), !dbg !6
  br label %join, !dbg !6
join:
  call void @_Z27__lanecl_work_group_barrierj(i32 1), !dbg !7
  ret void, !dbg !7
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 6, column: 3, scope: !3)
!6 = !DILocation(line: 7, column: 5, scope: !3)
!7 = !DILocation(line: 9, column: 3, scope: !3)
