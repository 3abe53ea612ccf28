; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A yield suspends a sub-group, alone in its work-group or not, and says that it has yielded: 3 in the first turn of the
; loop, 4 in later ones. A barrier says 1.
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=16,1,1 | FileCheck %s --check-prefix=ALONE
; RUN: lanecl-opt %s -p barriers,work-group -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=GROUP

declare void @__lanecl_yield() convergent nounwind
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind

; CHECK: define internal { i64, i64 } @k.lanes(
; CHECK: store i64 1, ptr %scratch
; CHECK: define internal fastcc void @k.lanes.resume(
; CHECK: [[TURN:%.*]] = phi i64 [ 4, {{.*}} ], [ 3, {{.*}} ]
; CHECK: store i64 [[TURN]]
; CHECK-NOT: call void @__lanecl_yield

; ALONE: define internal fastcc void @k.lanes.resume(
; ALONE-NOT: store i64 1,
; ALONE-NOT: @_Z27__lanecl_work_group_barrierj

; The work-group goes on where it was suspended, or begins. When all sub-groups wait it returns.
; GROUP: define void @k.w16.64x1x1(
; GROUP: ask:
; GROUP: again:
; GROUP: round:
; GROUP: leave:
; GROUP: ret void
define internal void @k.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx,
                              i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
entry:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(2) %launch
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %again, label %end
again:
  call void @__lanecl_yield()
  br label %loop
end:
  ret void
}
