; RUN: lanecl-opt %s -p join-accesses | FileCheck %s

declare i32 @_Z16__lanecl_lane_idv()
declare void @extern()
declare void @leave() memory(none) nounwind

; Members of neighboring structures, in any order: loads at the first one's place, stores at the last one's.
; CHECK-LABEL: @whole(
; CHECK: [[IN:%.*]] = getelementptr i32, ptr addrspace(1) %y.in, i64 -1
; CHECK: [[LOADED:%.*]] = load <2 x float>, ptr addrspace(1) [[IN]], align 8, !tbaa
; CHECK-DAG: [[Y:%.*]] = extractelement <2 x float> [[LOADED]], i64 1
; CHECK-DAG: [[X:%.*]] = extractelement <2 x float> [[LOADED]], i64 0
; CHECK: fadd float [[X]], [[Y]]
; CHECK: [[OUT:%.*]] = getelementptr i32, ptr addrspace(1) %x.out, i64 0
; CHECK: [[FIRST:%.*]] = insertelement <2 x float> poison, float %sum, i64 0
; CHECK: [[BOTH:%.*]] = insertelement <2 x float> [[FIRST]], float %product, i64 1
; CHECK: store <2 x float> [[BOTH]], ptr addrspace(1) [[OUT]], align 8
; CHECK-NOT: {{load|store}}
define void @whole(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %x.in = getelementptr inbounds {float, float}, ptr addrspace(1) %in, i64 %l
  %y.in = getelementptr inbounds i8, ptr addrspace(1) %x.in, i64 4
  %y = load float, ptr addrspace(1) %y.in, align 4, !tbaa !0
  %x = load float, ptr addrspace(1) %x.in, align 8, !tbaa !0
  %sum = fadd float %x, %y
  %product = fmul float %x, %y
  %x.out = getelementptr inbounds {float, float}, ptr addrspace(1) %out, i64 %l
  %y.out = getelementptr inbounds i8, ptr addrspace(1) %x.out, i64 4
  store float %product, ptr addrspace(1) %y.out, align 4
  store float %sum, ptr addrspace(1) %x.out, align 8
  ret void
}

; Members of several types have one type in the vector.
; CHECK-LABEL: @mixed(
; CHECK: [[BITS:%.*]] = bitcast float %x to i32
; CHECK: store <2 x i32> {{.*}}, align 4
define void @mixed(ptr addrspace(1) %out, float %x, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %first = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %l
  %second = getelementptr inbounds i8, ptr addrspace(1) %first, i64 4
  store i32 %n, ptr addrspace(1) %first, align 4
  store float %x, ptr addrspace(1) %second, align 4
  ret void
}

; Accesses are not joined with a gap, where neighboring lanes would overlap, or across what may use the memory.
; CHECK-LABEL: @apart(
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret void
define void @apart(ptr addrspace(1) %out, ptr addrspace(1) %other, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %first = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %l
  %second = getelementptr inbounds i8, ptr addrspace(1) %first, i64 4
  store i32 %n, ptr addrspace(1) %first, align 4
  call void @extern()
  store i32 %n, ptr addrspace(1) %second, align 4
  %read = load i32, ptr addrspace(1) %first, align 4
  store i32 %read, ptr addrspace(1) %other, align 4
  %more = load i32, ptr addrspace(1) %second, align 4
  %a = getelementptr inbounds [3 x i32], ptr addrspace(1) %out, i64 %l
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  store i32 %more, ptr addrspace(1) %a, align 4
  store i32 %n, ptr addrspace(1) %b, align 4
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %l
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  store i32 %more, ptr addrspace(1) %p, align 4
  store i32 %n, ptr addrspace(1) %q, align 4
  ret void
}

; A load that joins others is moved over all writes since the first one, those included that came before it joined.
; CHECK-LABEL: @load_over_equal_index(
; CHECK: load i32
; CHECK: store i32 1000
; CHECK: load i32
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret void
define void @load_over_equal_index(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %s, i64 %more) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %j = add i64 %l, %more
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %s.j = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %j
  %y.j = getelementptr inbounds i8, ptr addrspace(1) %s.j, i64 4
  %x = load i32, ptr addrspace(1) %x.i, align 4
  store i32 1000, ptr addrspace(1) %y.j, align 4
  %y = load i32, ptr addrspace(1) %y.i, align 4
  %sum = add i32 %x, %y
  %o = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %l
  store i32 %sum, ptr addrspace(1) %o, align 4
  ret void
}

; A store is moved over all accesses up to the last one that joins it.
; CHECK-LABEL: @store_over_equal_index(
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret void
define void @store_over_equal_index(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %s, i64 %more, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %j = add i64 %l, %more
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %x.j = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %j
  store i32 %n, ptr addrspace(1) %x.i, align 4
  %x = load i32, ptr addrspace(1) %x.j, align 4
  store i32 %n, ptr addrspace(1) %y.i, align 4
  %o = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %l
  store i32 %x, ptr addrspace(1) %o, align 4
  ret void
}

; A load is not moved over a store that is moved down itself: %w may be what the first store writes, so it does not join
; %v, but the load behind it.
; CHECK-LABEL: @both_move(
; CHECK: load i32, ptr addrspace(1) %b,
; CHECK: store <2 x i32>
; CHECK: load <2 x i32>
; CHECK: store <2 x i32>
; CHECK: load i32, ptr addrspace(1) %b.y,
; CHECK: ret void
define void @both_move(ptr addrspace(1) noalias %out, ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %a = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %l
  %a.y = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %b = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %l
  %b.y = getelementptr inbounds i8, ptr addrspace(1) %b, i64 4
  store i32 %n, ptr addrspace(1) %a, align 4, !tbaa !3
  %v = load i32, ptr addrspace(1) %b, align 4, !tbaa !5
  store i32 %n, ptr addrspace(1) %a.y, align 4, !tbaa !7
  %w = load i32, ptr addrspace(1) %b.y, align 4, !tbaa !3
  %sum = add i32 %v, %w
  %o = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %l
  %o.y = getelementptr inbounds i8, ptr addrspace(1) %o, i64 4
  store i32 %sum, ptr addrspace(1) %o, align 4, !tbaa !3
  %v.2 = load i32, ptr addrspace(1) %b, align 4, !tbaa !5
  store i32 %n, ptr addrspace(1) %o.y, align 4, !tbaa !7
  %w.2 = load i32, ptr addrspace(1) %b.y, align 4, !tbaa !5
  %sum.2 = add i32 %v.2, %w.2
  %o.2 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 5
  store i32 %sum.2, ptr addrspace(1) %o.2, align 4
  ret void
}

; Members that are updated one after the other do not meet in any lane.
; CHECK-LABEL: @updates(
; CHECK: load <2 x i32>
; CHECK: add i32
; CHECK: add i32
; CHECK: store <2 x i32>
; CHECK-NOT: {{load|store}}
; CHECK: ret void
define void @updates(ptr addrspace(1) %s, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %x = load i32, ptr addrspace(1) %x.i, align 4
  %x.new = add i32 %x, %n
  store i32 %x.new, ptr addrspace(1) %x.i, align 4
  %y = load i32, ptr addrspace(1) %y.i, align 4
  %y.new = add i32 %y, %n
  store i32 %y.new, ptr addrspace(1) %y.i, align 4
  ret void
}

; What is apart for one work-item may be the same place for two: s[l + 1].y is the next lane's s[l].y, which is loaded
; after it was stored. Behind all lanes' structures it is not.
; CHECK-LABEL: @next_lane(
; CHECK: load i32
; CHECK: store i32 %n
; CHECK: load i32
; CHECK: ret i32
define i32 @next_lane(ptr addrspace(1) %s, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %y.next = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 12
  %x = load i32, ptr addrspace(1) %x.i, align 4
  store i32 %n, ptr addrspace(1) %y.next, align 4
  %y = load i32, ptr addrspace(1) %y.i, align 4
  %sum = add i32 %x, %y
  ret i32 %sum
}
; CHECK-LABEL: @lanes_behind(
; CHECK: load <2 x i32>
; CHECK: store i32 %n
; CHECK-NOT: load
; CHECK: ret i32
define i32 @lanes_behind(ptr addrspace(1) %s, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %y.behind = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 516
  %x = load i32, ptr addrspace(1) %x.i, align 4
  store i32 %n, ptr addrspace(1) %y.behind, align 4
  %y = load i32, ptr addrspace(1) %y.i, align 4
  %sum = add i32 %x, %y
  ret i32 %sum
}

; Stores of one group may meet in neighboring lanes, too: their order is kept. What ends a group begins another one.
; CHECK-LABEL: @stores_of_next_lane(
; CHECK: store <2 x i32> <i32 1, i32 0>
; CHECK: store <2 x i32> <i32 3, i32 2>
; CHECK: store i32 4, ptr addrspace(1) %y.next,
define void @stores_of_next_lane(ptr addrspace(1) %s, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %x.next = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 8
  %y.next = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 12
  store i32 0, ptr addrspace(1) %y.i, align 4
  store i32 1, ptr addrspace(1) %x.i, align 4
  store i32 2, ptr addrspace(1) %x.next, align 4
  store i32 3, ptr addrspace(1) %y.i, align 4
  store i32 4, ptr addrspace(1) %y.next, align 4
  ret void
}

; Not across a volatile access that may touch the memory, a fence, an atomic update in order, or a call that may not
; come back.
; CHECK-LABEL: @kept_in_order(
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret void
define void @kept_in_order(ptr addrspace(1) %s, ptr addrspace(1) noalias %flag, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  store i32 %n, ptr addrspace(1) %x.i, align 4
  %old = load volatile i32, ptr addrspace(1) %s, align 4
  store i32 %n, ptr addrspace(1) %y.i, align 4
  fence seq_cst
  store i32 1, ptr addrspace(1) %x.i, align 4
  fence seq_cst
  store i32 2, ptr addrspace(1) %y.i, align 4
  %x = load i32, ptr addrspace(1) %x.i, align 4
  %before = atomicrmw add ptr addrspace(1) %flag, i32 1 acq_rel
  %y = load i32, ptr addrspace(1) %y.i, align 4
  store i32 %y, ptr addrspace(1) %x.i, align 4
  call void @leave()
  store i32 %x, ptr addrspace(1) %y.i, align 4
  ret void
}

; An update of the flag without an order says nothing of other memory.
; CHECK-LABEL: @relaxed_update(
; CHECK: load <2 x i32>
; CHECK: atomicrmw
define i32 @relaxed_update(ptr addrspace(1) %s, ptr addrspace(1) noalias %flag) {
  %lane = call i32 @_Z16__lanecl_lane_idv() memory(none)
  %l = zext nneg i32 %lane to i64
  %x.i = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %l
  %y.i = getelementptr inbounds i8, ptr addrspace(1) %x.i, i64 4
  %x = load i32, ptr addrspace(1) %x.i, align 4
  %before = atomicrmw add ptr addrspace(1) %flag, i32 1 monotonic
  %y = load i32, ptr addrspace(1) %y.i, align 4
  %sum = add i32 %x, %y
  ret i32 %sum
}

; One of two private arrays is written behind a chosen pointer.
; CHECK-LABEL: @chosen_array(
; CHECK: load i32
; CHECK: store i32 %n
; CHECK: load i32
; CHECK-NOT: <{{[0-9]}} x
; CHECK: ret i32
define i32 @chosen_array(i32 %n, i1 %first) {
  %a = alloca [2 x i32], align 8
  %b = alloca [2 x i32], align 8
  %chosen = select i1 %first, ptr %a, ptr %b
  %place = getelementptr inbounds i8, ptr %chosen, i64 4
  %a.1 = getelementptr inbounds i8, ptr %a, i64 4
  %x = load i32, ptr %a, align 4
  store i32 %n, ptr %place, align 4
  %y = load i32, ptr %a.1, align 4
  %sum = add i32 %x, %y
  ret i32 %sum
}

!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"bytes"}
!3 = !{!4, !4, i64 0}
!4 = !{!"first", !2}
!5 = !{!6, !6, i64 0}
!6 = !{!"second", !2}
!7 = !{!8, !8, i64 0}
!8 = !{!"third", !2}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Volatile and atomic accesses stay what they are.
; CHECK-LABEL: @volatile(
; CHECK-COUNT-2: load volatile float
; CHECK-COUNT-2: load atomic float
; CHECK-COUNT-2: store volatile float
; CHECK-COUNT-2: store atomic float
; CHECK: ret void
define void @volatile(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %x.in = getelementptr inbounds {float, float}, ptr addrspace(1) %in, i64 %l
  %y.in = getelementptr inbounds i8, ptr addrspace(1) %x.in, i64 4
  %x = load volatile float, ptr addrspace(1) %x.in, align 8
  %y = load volatile float, ptr addrspace(1) %y.in, align 4
  %z = load atomic float, ptr addrspace(1) %x.in monotonic, align 8
  %w = load atomic float, ptr addrspace(1) %y.in monotonic, align 4
  %x.out = getelementptr inbounds {float, float}, ptr addrspace(1) %out, i64 %l
  %y.out = getelementptr inbounds i8, ptr addrspace(1) %x.out, i64 4
  store volatile float %x, ptr addrspace(1) %x.out, align 8
  store volatile float %y, ptr addrspace(1) %y.out, align 4
  store atomic float %z, ptr addrspace(1) %x.out monotonic, align 8
  store atomic float %w, ptr addrspace(1) %y.out monotonic, align 4
  ret void
}

; The cells of such an array lie lane by lane: members of a structure are no neighbors.
; CHECK-LABEL: @private(
; CHECK-COUNT-2: store float
; CHECK-COUNT-2: load float
; CHECK: ret void
define void @private(ptr addrspace(1) %out, float %a, float %b) {
  %array = alloca [64 x float], align 4
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %x = getelementptr inbounds {float, float}, ptr %array, i64 %l
  %y = getelementptr inbounds i8, ptr %x, i64 4
  store float %a, ptr %x, align 4
  store float %b, ptr %y, align 4
  call void @extern()
  %c = load float, ptr %x, align 4
  %d = load float, ptr %y, align 4
  %sum = fadd float %c, %d
  store float %sum, ptr addrspace(1) %out, align 4
  ret void
}
