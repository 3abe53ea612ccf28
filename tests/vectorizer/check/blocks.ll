; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-blocks" %s | FileCheck %s

; The sub-group is full, the pointer the same for all lanes, and a multiple of 16.
; CHECK-LABEL: define void @writes(
; CHECK: call i32 @__lanecl_sub_group_size()
; CHECK: call i32 @__lanecl_width()
; CHECK: call void @lanecl.check.report(i32 3,
; CHECK: call i64 @_Z24__lanecl_broadcast_firstm(
; CHECK: call void @lanecl.check.report(i32 4,
; CHECK: and i64 %{{.*}}, 15
; CHECK: call void @lanecl.check.report(i32 5,
; CHECK: call void @_Z27intel_sub_group_block_writePU3AS1jj(
define void @writes(ptr addrspace(1) %p, i32 %x) !dbg !4 {
  call void @_Z27intel_sub_group_block_writePU3AS1jj(ptr addrspace(1) %p, i32 %x), !dbg !5
  ret void
}

; What is known of the image comes from its descriptor: element, pitch, begin; the byte where the block begins is a
; multiple of 4.
; CHECK-LABEL: define void @writes_image(
; CHECK: call ptr addrspace(2) @_Z14__lanecl_image14ocl_image2d_wo(
; CHECK: icmp ule i32 %{{.*}}, 2
; CHECK: and i64 %{{.*}}, 63
; CHECK: and i64 %{{.*}}, 31
; CHECK: and i32 %{{.*}}, 3
; CHECK: call void @_Z27intel_sub_group_block_write14ocl_image2d_woDv2_ij(
define void @writes_image(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %i, <2 x i32> %at, i32 %x) !dbg !6 {
  call void @_Z27intel_sub_group_block_write14ocl_image2d_woDv2_ij(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %i, <2 x i32> %at, i32 %x), !dbg !7
  ret void
}

; The built-in library's own calls, which have no place, are not checked.
; CHECK-LABEL: define void @library(
; CHECK-NEXT: call void @_Z27intel_sub_group_block_writePU3AS1jj(
define void @library(ptr addrspace(1) %p, i32 %x) {
  call void @_Z27intel_sub_group_block_writePU3AS1jj(ptr addrspace(1) %p, i32 %x)
  ret void
}

declare void @_Z27intel_sub_group_block_writePU3AS1jj(ptr addrspace(1), i32)
declare void @_Z27intel_sub_group_block_write14ocl_image2d_woDv2_ij(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "writes", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 3, column: 9, scope: !4)
!6 = distinct !DISubprogram(name: "writes_image", file: !1, line: 5, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 6, column: 9, scope: !6)
