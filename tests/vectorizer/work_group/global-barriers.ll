; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A barrier that names global memory orders it for other work-groups, also where no sub-group waits: a fence for the
; compiler alone, which is no instruction, stays in its place.
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=16,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=WAITS

declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind

; CHECK: define internal void @global.lanes(
; CHECK: store i32 1
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: atomicrmw add
; WAITS: define internal { i64, i64 } @global.lanes(
; WAITS: store i32 1
; WAITS-NEXT: fence syncscope("singlethread") seq_cst
define internal void @global.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                   i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %p = load ptr addrspace(1), ptr addrspace(2) %launch
  %flag = getelementptr i8, ptr addrspace(1) %p, i64 64
  store i32 1, ptr addrspace(1) %p
  call void @_Z27__lanecl_work_group_barrierj(i32 2)
  %old = atomicrmw add ptr addrspace(1) %flag, i32 1 monotonic
  ret void
}

; Local memory belongs to this thread.
; CHECK: define internal void @local.lanes(
; CHECK-NOT: fence
; CHECK: ret void
define internal void @local.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                  i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %p = load ptr addrspace(3), ptr addrspace(2) %launch
  store i32 1, ptr addrspace(3) %p
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store i32 2, ptr addrspace(3) %p
  ret void
}
