; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that stays one in a kernel built with -g has a debug frame of its own on the stack, which the kernel's frame
; knows while it runs.
; RUN: lanecl-opt %s -p debug-statements,debug-variables,inline-calls,kernel-arguments,function-parameters,specialize-launch,function-versions,canonicalize,linearize,widen,lower-queries,private-memory,barriers -o %t.ll --debug --keep-functions --kernel=k --width 8 --local-size 8,1,1
; RUN: FileCheck %s < %t.ll
; RUN: lanecl-opt %t.ll -p work-group,lower-debug --debug --kernel=k --width 8 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=SHOWN

; The kernel's frame is its scratch memory; it begins as the frame that runs. The call is in its statement, and is made
; for the lanes that come to it.
; CHECK-LABEL: define internal void @k.lanes(
; CHECK: [[KERNEL:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 120
; CHECK-NEXT: store ptr %scratch, ptr [[KERNEL]]
; CHECK: [[RUNNING:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 136
; CHECK-NEXT: store ptr %scratch, ptr [[RUNNING]]
; CHECK: [[ACTIVE:%.*]] = zext i8 %{{.*}} to i64
; CHECK: [[MASK:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 8
; CHECK-NEXT: store i64 [[ACTIVE]], ptr [[MASK]]
; CHECK: notail call <8 x i32> @f.v.masked(

; The function was called by what ran, and is what runs now. Lanes that did not call it are inactive from the beginning.
; CHECK-LABEL: define internal <8 x i32> @f.v.masked(
; CHECK: %debug.frame = alloca [{{[0-9]+}} x i8], align 64
; CHECK: [[ENTRY:%.*]] = zext i8 %{{.*}} to i64
; CHECK: [[OWN_MASK:%.*]] = getelementptr inbounds i8, ptr %debug.frame, i64 8
; CHECK-NEXT: store i64 [[ENTRY]], ptr [[OWN_MASK]]
; CHECK: %caller = load ptr, ptr
; CHECK: store ptr %scratch, ptr
; CHECK: store ptr %caller, ptr
; CHECK: [[NOW:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 136
; CHECK-NEXT: store ptr %debug.frame, ptr [[NOW]]
; The selected lane is one for the kernel and all that it calls.
; CHECK: [[LANE:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 0
; CHECK-NEXT: store i32 %{{.*}}, ptr [[LANE]]
; CHECK: call void @lanecl.statement.lanes(ptr %debug.frame, i32 0)
; CHECK: [[AFTER:%.*]] = getelementptr inbounds i8, ptr %scratch, i64 136
; CHECK-NEXT: store ptr %caller, ptr [[AFTER]]
; CHECK-NEXT: ret <8 x i32>

; No debugger is to call it, or to read its result: both are those of lanes.
; SHOWN-LABEL: define hidden <8 x i32> @f.v.masked(
; SHOWN-SAME: !dbg [[F:![0-9]+]]
; The lane of a variable is that of the kernel's frame.
; SHOWN: #dbg_declare({{.*}}!DIExpression(DW_OP_deref, DW_OP_dup, DW_OP_plus_uconst, 120, DW_OP_deref, DW_OP_deref_size, 4, DW_OP_constu, 4, DW_OP_mul, DW_OP_plus, DW_OP_plus_uconst, 192)
; SHOWN: store volatile ptr %debug.frame, ptr [[PLACE:%.*]], align 8
; SHOWN-DAG: [[F]] = distinct !DISubprogram(name: "f", {{.*}}type: [[TYPE:![0-9]+]]
; SHOWN-DAG: [[TYPE]] = !DISubroutineType(cc: DW_CC_nocall, types: [[TYPES:![0-9]+]])
; SHOWN-DAG: [[TYPES]] = !{null, 

define internal i32 @f(i32 %v) !dbg !10 {
  %x = alloca i32
    #dbg_declare(ptr %x, !13, !DIExpression(), !14)
  %double = shl i32 %v, 1, !dbg !14
  store i32 %double, ptr %x, !dbg !14
  %r = load i32, ptr %x, !dbg !15
  ret i32 %r, !dbg !15
}

define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) !dbg !20 {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv(), !dbg !21
  %is_called = icmp sgt i32 %lane, %n, !dbg !21
  br i1 %is_called, label %then, label %end, !dbg !21
then:
  %r = call i32 @f(i32 %lane), !dbg !22
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %lane, !dbg !22
  store i32 %r, ptr addrspace(1) %p, !dbg !22
  br label %end, !dbg !22
end:
  ret void, !dbg !23
}

declare i32 @_Z16__lanecl_lane_idv()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !DISubroutineType(types: !6)
!6 = !{!3, !3}
!5 = !DISubroutineType(types: !7)
!7 = !{null}
!10 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: true)
!13 = !DILocalVariable(name: "x", scope: !10, file: !1, line: 2, type: !3)
!14 = !DILocation(line: 2, scope: !10)
!15 = !DILocation(line: 3, scope: !10)
!20 = distinct !DISubprogram(name: "k", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: true)
!21 = !DILocation(line: 6, scope: !20)
!22 = !DILocation(line: 7, scope: !20)
!23 = !DILocation(line: 8, scope: !20)
