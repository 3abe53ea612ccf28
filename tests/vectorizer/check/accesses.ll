; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-accesses,place-reports" %s | FileCheck %s

; The first access of an argument finds out where its memory is; each access tests its own address.
; CHECK-LABEL: define void @one_load(
; CHECK: %p = load ptr addrspace(1)
; CHECK: [[BEGIN:%.*]] = call i64 @lanecl.check.begin(ptr
; CHECK: [[END:%.*]] = call i64 @lanecl.check.read.end(ptr
; CHECK: [[BYTES:%.*]] = sub i64 [[END]], [[BEGIN]]
; CHECK: [[ROOM:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[BYTES]], i64 3)
; CHECK-NOT: and i64
; CHECK: icmp uge i64 {{.*}}, [[ROOM]]
; CHECK: call void @lanecl.check.found(ptr {{.*}}, i64 {{.*}}, i32 {{.*}}, i32 {{.*}}, i64 {{.*}}, i64 {{.*}}, i64 4)
; CHECK: store i32
define void @one_load(ptr addrspace(2) %block, i64 %i, ptr addrspace(3) align 4 %to) !dbg !4 {
  %p = load ptr addrspace(1), ptr addrspace(2) %block, !invariant.load !7, !align !8, !dbg !6
  %address = getelementptr i32, ptr addrspace(1) %p, i64 %i, !dbg !6
  %value = load i32, ptr addrspace(1) %address, !dbg !6
  store i32 %value, ptr addrspace(3) %to, !dbg !6
  ret void
}

; Where it does not follow from the argument's alignment, that of the pointer is tested. What the host allows to write
; may end before what it allows to read.
; CHECK-LABEL: define void @cast(
; CHECK: call i64 @lanecl.check.write.end(ptr
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %address to i64
; CHECK: [[OFFSET:%.*]] = and i64 [[ADDRESS]], 15
; CHECK: icmp ne i64 [[OFFSET]], 0
; CHECK: call void @lanecl.check.found({{.*}}, i64 [[ADDRESS]], i64 16)
; CHECK: icmp uge i64
; CHECK: call void @lanecl.check.found({{.*}}, i64 16)
; CHECK: store <4 x i32>
define void @cast(ptr addrspace(1) align 4 %p, i64 %i, <4 x i32> %value) !dbg !9 {
  %address = getelementptr i32, ptr addrspace(1) %p, i64 %i, !dbg !10
  store <4 x i32> %value, ptr addrspace(1) %address, align 16, !dbg !10
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !7)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "one_load", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = !{}
!8 = !{i64 4}
!9 = distinct !DISubprogram(name: "cast", file: !1, line: 9, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 10, column: 3, scope: !9)
