; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "check-images,place-reports" %s | FileCheck %s

; Each coordinate is held against the image's extent, which the descriptor has behind 24 bytes; what is behind the layer
; does not count. With a sampler a read is checked for those that have no addressing mode. There is nothing to check in the
; built-in library, which has no places.
; CHECK-LABEL: define void @k(
; CHECK: [[BITS:%.*]] = call i32 @_Z16__lanecl_sampler11ocl_sampler(
; CHECK: [[MODE:%.*]] = and i32 [[BITS]], 14
; CHECK: [[OTHER:%.*]] = icmp ne i32 [[MODE]], 0
; CHECK: [[NONE:%.*]] = xor i1 [[OTHER]], true
; CHECK: and i1 {{%.*}}, [[NONE]]
; CHECK: call void @lanecl.check.found(
; CHECK: call void @lanecl.check.found(
; CHECK: call <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(
; CHECK: [[IMAGE:%.*]] = call ptr addrspace(2) @_Z14__lanecl_image20ocl_image2d_array_wo(target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 1) %a)
; CHECK: [[X:%.*]] = extractelement <4 x i32> %at, i64 0
; CHECK: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(2) [[IMAGE]], i64 24
; CHECK: [[WIDTH:%.*]] = load i32, ptr addrspace(2) [[PLACE]], align 4, {{.*}}!invariant.load
; CHECK: icmp uge i32 [[X]], [[WIDTH]]
; CHECK: call void @lanecl.check.found(
; CHECK: extractelement <4 x i32> %at, i64 2
; CHECK: getelementptr i8, ptr addrspace(2) [[IMAGE]], i64 32
; CHECK: [[NUMBERED:%.*]] = or i64 {{.*}}, 8589934592
; CHECK: call void @lanecl.check.found({{.*}}, i64 [[NUMBERED]])
; CHECK-NOT: @lanecl.check.found
; CHECK: ret void
define void @k(target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 1) %a, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %r, target("spirv.Sampler") %s, <4 x i32> %at, <2 x i32> %from) !dbg !4 {
  %color = call <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %r, target("spirv.Sampler") %s, <2 x i32> %from), !dbg !6
  call void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f(target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 1) %a, <4 x i32> %at, <4 x float> %color), !dbg !6
  %more = call <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %r, <2 x i32> %from)
  ret void
}

declare <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), target("spirv.Sampler"), <2 x i32>)
declare <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), <2 x i32>)
declare void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f(target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 1), <4 x i32>, <4 x float>)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !5)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILocation(line: 3, column: 9, scope: !4)
