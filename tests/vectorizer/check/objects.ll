; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-objects" %s | FileCheck %s

@kernel.tile = internal addrspace(3) global [64 x i32] undef
@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; A subscript of a private array is tested as an offset; the array's address is not taken.
; CHECK-LABEL: define void @private_array(
; CHECK: [[BYTES:%.*]] = mul i64 %i, 4
; CHECK: [[OFFSET:%.*]] = add i64 0, [[BYTES]]
; CHECK: [[OUTSIDE:%.*]] = icmp uge i64 [[OFFSET]], 17
; CHECK: br i1 [[OUTSIDE]]
; CHECK: call void @lanecl.check.report(i32 1, i64 [[OFFSET]], i64 4)
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @private_array(i64 %i) !dbg !4 {
  %a = alloca [5 x i32]
  %address = getelementptr inbounds i32, ptr %a, i64 %i, !dbg !6
  store i32 1, ptr %address, !dbg !6
  ret void
}

; What is known to be inside is not tested.
; CHECK-LABEL: define void @known(
; CHECK-NOT: report
; CHECK: ret void
define void @known() !dbg !7 {
  %a = alloca [5 x i32]
  %address = getelementptr inbounds i32, ptr %a, i64 4, !dbg !8
  store i32 1, ptr %address, !dbg !8
  ret void
}

; A pointer that goes through an array takes its offset along.
; CHECK-LABEL: define void @walk(
; CHECK: loop:
; CHECK: [[OFFSET:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%[0-9]+]], %{{.*}} ]
; CHECK: call void @lanecl.check.report(i32 0, i64 [[OFFSET]], i64 4)
; CHECK: [[NEXT]] = add i64 [[OFFSET]], 4
define void @walk(i1 %more) !dbg !9 {
entry:
  br label %loop
loop:
  %p = phi ptr addrspace(2) [ @table, %entry ], [ %next, %loop ]
  %value = load i32, ptr addrspace(2) %p, !dbg !10
  %next = getelementptr inbounds i32, ptr addrspace(2) %p, i64 1, !dbg !10
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Local memory is only marked, for check-accesses.
; CHECK-LABEL: define void @local(
; CHECK-DAG: [[ARGUMENT:%.*]] = call ptr addrspace(3) @lanecl.check.object.3(ptr addrspace(3) %s, ptr @{{.*}}, i64 0, i32 2)
; CHECK-DAG: [[TILE:%.*]] = call ptr addrspace(3) @lanecl.check.object.3(ptr addrspace(3) @kernel.tile, ptr @{{.*}}, i64 256, i32 1)
; CHECK-DAG: [[VALUE:%.*]] = load i32, ptr addrspace(3) [[TILE]]
; CHECK: store i32 [[VALUE]], ptr addrspace(3) [[ARGUMENT]]
define void @local(ptr addrspace(3) %s) !dbg !11 {
  %value = load i32, ptr addrspace(3) @kernel.tile, !dbg !12
  store i32 %value, ptr addrspace(3) %s, !dbg !12
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "private_array", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "known", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
!9 = distinct !DISubprogram(name: "walk", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 9, scope: !9)
!11 = distinct !DISubprogram(name: "local", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 3, column: 9, scope: !11)
