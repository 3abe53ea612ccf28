; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p "mark-orders" %s | FileCheck %s --check-prefix=MARK
; RUN: lanecl-opt -p "mark-orders,inline-calls,check-races" %s | FileCheck %s

; This is the exchange of the built-in library, which ignores the orders.
define internal i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS3VU7_AtomiciPii12memory_orderS4_(ptr addrspace(3) %p, ptr %expected, i32 %desired, i32 %success, i32 %failure) alwaysinline {
  %value = load i32, ptr %expected
  %pair = cmpxchg ptr addrspace(3) %p, i32 %value, i32 %desired seq_cst seq_cst
  %done = extractvalue { i32, i1 } %pair, 1
  ret i1 %done
}

; The orders of the call are known behind its inlining: here it orders nothing.
; MARK-LABEL: define void @relaxed(
; MARK: call void @lanecl.check.orders(i32 0, i32 0)
; MARK-NEXT: call i1 @_Z39atomic_compare_exchange_strong_explicit
; CHECK-LABEL: define void @relaxed(
; CHECK-NOT: @lanecl.check.orders
; CHECK-NOT: @lanecl.check.lane.fence
; CHECK: ret void
define void @relaxed(ptr addrspace(3) %p, ptr %e) !dbg !4 {
  %done = call i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS3VU7_AtomiciPii12memory_orderS4_(ptr addrspace(3) %p, ptr %e, i32 1, i32 0, i32 0), !dbg !6
  ret void
}

; It acquires and releases where it succeeds.
; CHECK-LABEL: define void @success(
; CHECK: [[PAIR:%.*]] = cmpxchg
; CHECK: call void @lanecl.check.lane.access(
; CHECK: [[DONE:%.*]] = extractvalue { i32, i1 } [[PAIR]], 1
; CHECK: br i1 [[DONE]], label %[[THEN:.*]], label
; CHECK: [[THEN]]:
; CHECK-NEXT: call void @lanecl.check.lane.fence()
define void @success(ptr addrspace(3) %p, ptr %e) !dbg !7 {
  %done = call i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS3VU7_AtomiciPii12memory_orderS4_(ptr addrspace(3) %p, ptr %e, i32 1, i32 4, i32 0), !dbg !8
  ret void
}

; The fence always comes after the access itself. An unknown order counts as a fence, too.
; CHECK-LABEL: define void @always(
; CHECK: cmpxchg
; CHECK: call void @lanecl.check.lane.access(
; CHECK-NEXT: call void @lanecl.check.lane.fence()
; CHECK: cmpxchg
; CHECK: call void @lanecl.check.lane.access(
; CHECK-NEXT: call void @lanecl.check.lane.fence()
; CHECK: ret void
define void @always(ptr addrspace(3) %p, ptr %e, i32 %order) !dbg !9 {
  %a = call i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS3VU7_AtomiciPii12memory_orderS4_(ptr addrspace(3) %p, ptr %e, i32 1, i32 2, i32 2), !dbg !10
  %b = call i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS3VU7_AtomiciPii12memory_orderS4_(ptr addrspace(3) %p, ptr %e, i32 1, i32 %order, i32 %order), !dbg !10
  ret void
}

; Without a mark of its own an exchange has the order that the library gives it.
; CHECK-LABEL: define void @plain(
; CHECK: cmpxchg {{.*}} monotonic
; CHECK-NOT: @lanecl.check.lane.fence
; CHECK: cmpxchg {{.*}} seq_cst
; CHECK: call void @lanecl.check.lane.fence()
; CHECK: ret void
define void @plain(ptr addrspace(3) %p, ptr %e) !dbg !11 {
  %a = cmpxchg ptr addrspace(3) %p, i32 0, i32 1 monotonic monotonic, !dbg !12
  %b = cmpxchg ptr addrspace(3) %p, i32 0, i32 1 seq_cst seq_cst, !dbg !12
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "relaxed", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 9, scope: !4)
!7 = distinct !DISubprogram(name: "success", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 9, scope: !7)
!9 = distinct !DISubprogram(name: "always", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 9, scope: !9)
!11 = distinct !DISubprogram(name: "plain", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 3, column: 9, scope: !11)
