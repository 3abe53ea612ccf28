; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-races" %s | FileCheck %s

declare void @_Z27__lanecl_work_group_barrierj(i32) #0

; A store tells the value, too (kind: local 1, writes 2, value 8); a barrier its flags; private memory is left alone.
; CHECK-LABEL: define void @told(
; CHECK: [[VALUE:%.*]] = zext i32 %x to i64
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(3) %p to i64
; CHECK: call void @lanecl.check.lane.access(ptr @check.site, i64 [[ADDRESS]], i64 4, i64 [[VALUE]], i32 11, i32 {{%.*}}, i64 {{%.*}})
; CHECK-NEXT: store i32 %x, ptr addrspace(3) %p
; CHECK: call void @lanecl.check.lane.barrier(i32 {{%.*}}, i32 1, i32 3)
; CHECK-NEXT: call void @_Z27__lanecl_work_group_barrierj(i32 3)
; CHECK: call void @lanecl.check.lane.access(ptr @check.site{{.*}}, i64 {{%.*}}, i64 16, i64 0, i32 0,
; CHECK-NEXT: load <4 x i32>, ptr addrspace(1) %q
; CHECK-NEXT: store i32 %x, ptr %r
; CHECK-NEXT: ret void
define void @told(ptr addrspace(3) %p, ptr addrspace(1) %q, ptr %r, i32 %x) !dbg !4 {
  store i32 %x, ptr addrspace(3) %p, !dbg !6
  call void @_Z27__lanecl_work_group_barrierj(i32 3) #0, !dbg !6
  %value = load <4 x i32>, ptr addrspace(1) %q, !dbg !6
  store i32 %x, ptr %r, !dbg !6
  ret void
}

; Relaxed operations order nothing else. Accesses of the same place in the program share a site.
; CHECK-LABEL: define void @atomics(
; CHECK: call void @lanecl.check.lane.access(ptr [[SITE:@check.site[^,]*]], {{.*}}, i32 7, i32
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
; CHECK: call void @lanecl.check.lane.access(ptr [[SITE]], {{.*}}, i32 7, i32
; CHECK-NEXT: call void @lanecl.check.lane.fence()
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %p, i32 1 acq_rel
define void @atomics(ptr addrspace(3) %p) !dbg !7 {
  %a = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic, !dbg !8
  %b = atomicrmw add ptr addrspace(3) %p, i32 1 acq_rel, !dbg !8
  ret void
}

attributes #0 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "told", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "atomics", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
