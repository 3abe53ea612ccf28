; RUN: lanecl-opt -p canonicalize,linearize %s | FileCheck %s
; Masks, guards and blends belong to the line of the branch they come from.

declare i32 @__lanecl_lane_id()

; CHECK: %mask = select i1 %entry.mask, i1 %c, i1 false, !dbg ![[BRANCH:[0-9]+]]
; CHECK: %any = call i1 @lanecl.any(i1 %mask), !dbg ![[BRANCH]]
; CHECK: br i1 %any, {{.*}}, !dbg ![[BRANCH]]
; CHECK: ![[BRANCH]] = !DILocation(line: 6
define void @k(ptr addrspace(1) %p) !dbg !3 {
entry:
  %lane = call i32 @__lanecl_lane_id(), !dbg !5
  %c = icmp slt i32 %lane, 3, !dbg !5
  br i1 %c, label %then, label %join, !dbg !5
then:
  store i32 1, ptr addrspace(1) %p, !dbg !6
  br label %join, !dbg !6
join:
  ret void, !dbg !6
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
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
