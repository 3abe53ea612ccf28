; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-work-groups,place-reports" %s | FileCheck %s

declare void @_Z7barrierj(i32) #0
declare ptr addrspace(3) @_Z33__lanecl_named_barrier_initializej(i32) #0

; Lanes that are missing are reported; then one lane tells that the sub-group is there.
; CHECK-LABEL: define void @barrier(
; CHECK: [[LANES:%.*]] = call i64 @__lanecl_active_mask()
; CHECK: icmp ne i64 [[LANES]]
; CHECK: call void @lanecl.check.found(
; CHECK: [[OWN:%.*]] = shl i64 1, {{%.*}}
; CHECK: icmp eq i64 {{%.*}}, [[OWN]]
; CHECK: call void @lanecl.check.reached(ptr @check.site{{.*}}, i64 {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i64 {{%.*}}, i64 0)
; CHECK: call void @_Z7barrierj(i32 1)
define void @barrier() !dbg !4 {
  call void @_Z7barrierj(i32 1) #0, !dbg !6
  ret void
}

; Named barriers of SPIR-V are made by the whole work-group.
; CHECK-LABEL: define ptr addrspace(3) @makes(
; CHECK: call void @lanecl.check.found(
; CHECK: call ptr addrspace(3) @_Z33__lanecl_named_barrier_initializej(
define ptr addrspace(3) @makes() !dbg !7 {
  %barrier = call ptr addrspace(3) @_Z33__lanecl_named_barrier_initializej(i32 2) #0, !dbg !8
  ret ptr addrspace(3) %barrier
}

; What a built-in function calls is none of the program's.
; CHECK-LABEL: define void @inside(
; CHECK-NOT: lanecl.check
; CHECK: ret void
define void @inside() {
  call void @_Z7barrierj(i32 1) #0
  ret void
}

attributes #0 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "barrier", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "makes", file: !1, line: 5, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 6, column: 9, scope: !7)
