; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s

declare i32 @_Z16__lanecl_lane_idv()
declare void @lanecl.block.mask(i1)

; Lanes that add to one place are one addition of their sum.
; CHECK-LABEL: define internal void @counter.lanes(
; CHECK: [[SUM:%.*]] = extractelement
; CHECK: atomicrmw add ptr addrspace(1) %a, i32 [[SUM]] monotonic
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @counter(ptr addrspace(1) %a, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = xor i32 %lane, %n
  %old = atomicrmw add ptr addrspace(1) %a, i32 %x monotonic
  ret void
}

; Each lane gets the value before its own addition: the old one and the sum of the lanes below.
; CHECK-LABEL: define internal void @ticket.lanes(
; CHECK: [[OLD:%.*]] = atomicrmw add ptr addrspace(1) %a
; CHECK: insertelement <8 x i32> poison, i32 [[OLD]]
; CHECK: store <8 x i32>
define void @ticket(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %l
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; An exchange has no such sum, so the lanes go one by one.
; CHECK-LABEL: define internal void @exchange.lanes(
; CHECK-COUNT-8: atomicrmw xchg
; CHECK-NOT: atomicrmw
define void @exchange(ptr addrspace(1) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %old = atomicrmw xchg ptr addrspace(1) %a, i32 %lane monotonic
  ret void
}

; Neither have additions in different places. Their bytes wait in memory, and each lane computes its own address. All
; lanes need no search for the next active one, and their bytes are loaded together: a byte loaded between two additions
; would wait for the address of the first.
; CHECK-LABEL: define internal void @histogram.lanes(
; CHECK: [[BYTES:%.*]] = alloca <8 x i8>
; CHECK: access.done:
; CHECK: call void @llvm.lifetime.start{{.*}}[[BYTES]]
; CHECK: store <8 x i8> {{.*}}, ptr [[BYTES]]
; CHECK: all.lanes:
; CHECK: [[WORD:%.*]] = load i64
; CHECK: [[LOWEST:%.*]] = lshr i64 [[WORD]], 0
; CHECK: [[BYTE:%.*]] = trunc i64 [[LOWEST]] to i8
; CHECK-NOT: load
; CHECK: [[INDEX:%.*]] = zext i8 [[BYTE]] to i64
; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr addrspace(1) %a, i64 [[INDEX]]
; CHECK-COUNT-8: atomicrmw add ptr addrspace(1) {{.*}}, i32 1
; CHECK: lane.loop{{[0-9]+}}:
; CHECK: load i8
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}, i32 1
; CHECK: call void @llvm.lifetime.end{{.*}}[[BYTES]]
define void @histogram(ptr addrspace(1) %a, ptr addrspace(1) %values, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i8, ptr addrspace(1) %values, i64 %l
  %some = icmp ult i32 %lane, %n
  call void @lanecl.block.mask(i1 %some)
  %x = load i8, ptr addrspace(1) %p
  %index = zext i8 %x to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

; So are minima of floats; lanes that are not active repeat an operand, as a NaN may be all there is.
; CHECK-LABEL: define internal void @lowest.lanes(
; CHECK: [[FIRST:%.*]] = insertelement <8 x float> poison, float
; CHECK: [[SPLAT:%.*]] = shufflevector <8 x float> [[FIRST]]
; CHECK: select <8 x i1> <i1 true, i1 true, i1 true, i1 false,{{.*}}, <8 x float> [[SPLAT]]
; CHECK: atomicrmw fmin ptr addrspace(1) %a, float
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @lowest(ptr addrspace(1) %a, ptr addrspace(1) %values) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr float, ptr addrspace(1) %values, i64 %l
  %x = load float, ptr addrspace(1) %p
  %some = icmp ult i32 %lane, 3
  call void @lanecl.block.mask(i1 %some)
  %old = atomicrmw fmin ptr addrspace(1) %a, float %x monotonic
  ret void
}

; Sums of floats depend on the grouping, so the lanes go one by one.
; CHECK-LABEL: define internal void @sum.lanes(
; CHECK-COUNT-8: atomicrmw fadd
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @sum(ptr addrspace(1) %a, float %x) {
  %old = atomicrmw fadd ptr addrspace(1) %a, float %x monotonic
  ret void
}

; Neighboring elements of global memory change four at a time, where their address allows it.
; CHECK-LABEL: define internal void @neighbors.lanes(
; CHECK: [[PLACE:%.*]] = ptrtoint ptr addrspace(1) {{.*}} to i64
; CHECK: [[OFFSET:%.*]] = and i64 [[PLACE]], 15
; CHECK: icmp eq i64 [[OFFSET]], 0
; CHECK: br i1 %{{.*}}, label %likely, label %unlikely
; CHECK: likely:
; CHECK: [[OLD:%.*]] = load atomic i128, ptr addrspace(1) {{.*}} monotonic, align 16
; CHECK: [[FOUR:%.*]] = bitcast i128 [[OLD]] to <4 x i32>
; CHECK: [[SUM:%.*]] = add <4 x i32> [[FOUR]],
; CHECK: [[NEW:%.*]] = bitcast <4 x i32> [[SUM]] to i128
; CHECK: cmpxchg ptr addrspace(1) {{.*}}, i128 [[OLD]], i128 [[NEW]] monotonic monotonic, align 16
; CHECK: update:
; CHECK: cmpxchg
; CHECK: load atomic i128
; CHECK: unlikely:
; CHECK-COUNT-8: atomicrmw add
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @neighbors(ptr addrspace(1) %a, i32 %x) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %v = xor i32 %lane, %x
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  ret void
}

; Two maxima of 64 bits at a time are worth it, as there is no instruction for one; two sums are not.
; CHECK-LABEL: define internal void @wide_neighbors.lanes(
; CHECK: cmpxchg ptr addrspace(1) {{.*}}, i128
; CHECK: unlikely:
; CHECK-COUNT-8: atomicrmw max
; CHECK-NOT: cmpxchg
; CHECK-COUNT-8: atomicrmw add
; CHECK: ret void
define void @wide_neighbors(ptr addrspace(1) %a, i64 %x) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %l
  %v = xor i64 %l, %x
  %lower = atomicrmw max ptr addrspace(1) %p, i64 %v monotonic
  %old = atomicrmw add ptr addrspace(1) %p, i64 %v monotonic
  ret void
}

; With old values, and under a mask that is known to miss lanes, the lanes go one by one.
; CHECK-LABEL: define internal void @old_neighbors.lanes(
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @old_neighbors(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %l
  %old = atomicrmw add ptr addrspace(1) %p, i32 %lane monotonic
  store i32 %old, ptr addrspace(1) %q
  ret void
}

; Elements of local memory that are no neighbors are updated one after the other.
; CHECK-LABEL: define internal void @own_others.lanes(
; CHECK-NOT: store <8 x i32>
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: ret void
define void @own_others(ptr addrspace(3) %a) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i64, ptr addrspace(3) %a, i64 %l
  %old = atomicrmw add ptr addrspace(3) %p, i32 %lane monotonic
  ret void
}

; Local memory belongs to one thread, so a load and a store are enough, also with old values and under a mask.
; CHECK-LABEL: define internal void @own_neighbors.lanes(
; CHECK: call <8 x i32> @llvm.masked.load{{.*}}(ptr addrspace(3) align 4 [[P:%.*]], <8 x i1>
; CHECK: [[SUM:%.*]] = add <8 x i32> [[OLD:%.*]], <i32 0, i32 1,
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> [[SUM]], ptr addrspace(3) align 4 [[P]], <8 x i1>
; CHECK-NOT: atomicrmw
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> [[OLD]], ptr addrspace(1)
define void @own_neighbors(ptr addrspace(3) %a, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(3) %a, i64 %l
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %l
  %some = icmp ult i32 %lane, %n
  call void @lanecl.block.mask(i1 %some)
  %old = atomicrmw add ptr addrspace(3) %p, i32 %lane monotonic
  store i32 %old, ptr addrspace(1) %q
  ret void
}
