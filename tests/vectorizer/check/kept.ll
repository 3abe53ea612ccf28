; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; These are checks in functions that are not inlined.
; RUN: lanecl-opt %s -p inline-calls --kernel=k --keep-functions --own-memory -o - | FileCheck %s --check-prefix=KEPT
; RUN: lanecl-opt %s -p inline-calls,check-objects --kernel=k --keep-functions -o %t.ll
; RUN: FileCheck %s --check-prefix=MEMORY < %t.ll
; RUN: lanecl-opt %t.ll -p kernel-arguments,function-parameters,check-initialization --kernel=k -o %t.shadows.ll
; RUN: FileCheck %s --check-prefix=SHADOWS < %t.shadows.ll
; RUN: lanecl-opt %t.shadows.ll -p check-accesses,check-races,place-reports,specialize-launch,function-versions,canonicalize,linearize,widen --kernel=k --width 8 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=LANES

; What a structure holds, and to which memory a pointer belongs that is returned, checks do not follow: the functions are
; inlined. So are those of the built-in library, which have no debug information, where they have pointers.
; KEPT-NOT: define {{.*}}@{{member|step|builtin}}(
; KEPT: define internal i32 @get(
; KEPT-NOT: define {{.*}}@{{member|step|builtin}}(
; KEPT: define internal i32 @generic(
; KEPT-NOT: define {{.*}}@{{member|step|builtin}}(
; KEPT: define spir_kernel void @k(
; KEPT-NOT: define {{.*}}@{{member|step|builtin}}(

; A function gets, with each pointer, where its memory begins, how long it is (0: that is asked for) and its name. One
; with generic pointers gets a version for the address spaces that are known.
; MEMORY-DAG: [[TILE:@check.object.*]] = private unnamed_addr constant { i32, ptr, i64 } { i32 1, ptr {{.*}}, i64 32 }
; MEMORY-DAG: [[OWN:@check.object.*]] = private unnamed_addr constant { i32, ptr, i64 } { i32 3, ptr {{.*}}, i64 8 }
; MEMORY-LABEL: define spir_kernel void @k(
; MEMORY: [[P:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; MEMORY: call i32 @get(ptr addrspace(1) %past, i32 %i, i64 [[P]], i64 0, i64 0)
; MEMORY: call i32 @generic{{.*}}(ptr addrspace(3) {{.*}}, i32 {{.*}}, i64 {{.*}}, i64 32, i64 ptrtoint (ptr [[TILE]] to i64))
; MEMORY: call i32 @generic{{.*}}(ptr {{.*}}, i32 {{.*}}, i64 {{.*}}, i64 8, i64 ptrtoint (ptr [[OWN]] to i64))
; MEMORY-LABEL: define internal i32 @get(ptr addrspace(1) %p, i32 %i, i64 %p.begin, i64 %p.bytes, i64 %p.object)
; MEMORY: [[MARK:%.*]] = call ptr addrspace(1) @lanecl.check.argument.1(ptr addrspace(1) %p, i64 %p.begin, i64 %p.bytes, i64 %p.object)
; MEMORY: getelementptr i32, ptr addrspace(1) [[MARK]]
; MEMORY: define internal i32 @generic{{.*}}(ptr addrspace(3) %p,
; MEMORY: addrspacecast ptr addrspace(3) {{.*}} to ptr addrspace(4)

; What may be unwritten is passed and returned with its shadow, of which -1 is: nothing is written.
; SHADOWS-LABEL: define void @k(
; SHADOWS: [[BOTH:%.*]] = call { i32, i32 } @generic{{.*}}, i32 -1)
; SHADOWS: [[SHADOW:%.*]] = extractvalue { i32, i32 } [[BOTH]], 1
; SHADOWS: icmp ne i32 [[SHADOW]], 0
; SHADOWS: call void @lanecl.check.report(
; SHADOWS: define internal { i32, i32 } @generic{{.*}}ptr addrspace(3) %p, i32 %x, i64 %p.begin, i64 %p.bytes, i64 %p.object, i32 %x.unwritten)
; SHADOWS: load i32, ptr addrspace(4) %address
; SHADOWS: [[EITHER:%.*]] = or i32 %{{[0-9]+}}, %x.unwritten
; SHADOWS: [[ALL:%.*]] = or i32 [[EITHER]], {{.*}}
; SHADOWS: insertvalue { i32, i32 } {{.*}}, i32 [[ALL]], 1

; A call leaves its place on the stack. In the kernel nothing is behind it.
; LANES-LABEL: define internal void @k.lanes(
; LANES: [[CALL:%.*]] = alloca { ptr, ptr }
; LANES: store ptr @check.text{{.*}}, ptr [[CALL]]
; LANES: [[CALLER:%.*]] = getelementptr {{.*}} { ptr, ptr }, ptr [[CALL]], i32 0, i32 1
; LANES: store ptr addrspacecast (ptr addrspace(2) null to ptr), ptr [[CALLER]]
; LANES: [[PASSED:%.*]] = addrspacecast ptr [[CALL]] to ptr addrspace(2)
; LANES: call {{.*}} @get.{{.*}}, ptr addrspace(2) [[PASSED]])
; LANES-LABEL: define internal {{.*}} @get.{{.*}}.all(
; LANES: call void @lanecl.check.found.in.call(ptr @check.site{{.*}}, ptr addrspace(2) %call, i64 %p.object)
; LANES: call void @lanecl.check.lanes.access.in.call(ptr @check.site{{.*}}, ptr addrspace(2) %call, i64 %p.object)

define internal i32 @get(ptr addrspace(1) %p, i32 %i) !dbg !4 {
  %address = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %value = load i32, ptr addrspace(1) %address, !dbg !6
  ret i32 %value
}

define internal i32 @generic(ptr addrspace(4) %p, i32 %x) !dbg !7 {
  %address = getelementptr i32, ptr addrspace(4) %p, i32 %x
  %old = load i32, ptr addrspace(4) %address, !dbg !8
  %sum = add i32 %old, %x
  ret i32 %sum
}

define internal { i32, i32 } @member(i32 %x) !dbg !9 {
  %both = insertvalue { i32, i32 } zeroinitializer, i32 %x, 1
  ret { i32, i32 } %both
}

define internal ptr addrspace(1) @step(ptr addrspace(1) %p) !dbg !10 {
  %next = getelementptr i32, ptr addrspace(1) %p, i32 1
  ret ptr addrspace(1) %next
}

define internal void @builtin(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

@k.tile = internal addrspace(3) global [8 x i32] poison

define spir_kernel void @k(ptr addrspace(1) %p) !dbg !11 {
  %own = alloca [2 x i32]
  %i = call i32 @_Z16__lanecl_lane_idv()
  %past = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %a = call i32 @get(ptr addrspace(1) %past, i32 %i), !dbg !12
  %unwritten = call i32 @lanecl.check.unwritten.i32(i64 1)
  %tile = addrspacecast ptr addrspace(3) @k.tile to ptr addrspace(4)
  %is_odd = icmp sgt i32 %i, 3
  br i1 %is_odd, label %odd, label %even
odd:
  %b = call i32 @generic(ptr addrspace(4) %tile, i32 %unwritten), !dbg !12
  %is_large = icmp sgt i32 %b, 5
  call void @lanecl.check.decides.i1(i1 %is_large), !dbg !12
  br label %even
even:
  %generic = addrspacecast ptr %own to ptr addrspace(4)
  %c = call i32 @generic(ptr addrspace(4) %generic, i32 1), !dbg !12
  %both = call { i32, i32 } @member(i32 %c), !dbg !12
  %d = extractvalue { i32, i32 } %both, 1
  %next = call ptr addrspace(1) @step(ptr addrspace(1) %p), !dbg !12
  store i32 %d, ptr addrspace(1) %next
  call void @builtin(ptr addrspace(1) %p), !dbg !12
  ret void
}

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @lanecl.check.unwritten.i32(i64) memory(none)
declare void @lanecl.check.decides.i1(i1) memory(inaccessiblemem: readwrite)

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "kept.cl", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "get", file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = distinct !DISubprogram(name: "generic", file: !2, line: 4, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 5, column: 3, scope: !7)
!9 = distinct !DISubprogram(name: "member", file: !2, line: 7, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!10 = distinct !DISubprogram(name: "step", file: !2, line: 8, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "k", file: !2, line: 9, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 10, column: 5, scope: !11)
