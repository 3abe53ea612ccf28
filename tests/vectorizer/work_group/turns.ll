; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; Where all sub-groups wait at the same barriers in the same order, there is a function for each way from one to the next.
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=LOOP
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=EARLY
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=72,1,1 | FileCheck %s --check-prefix=UNEQUAL
; RUN: lanecl-opt %s --kernel three -p barriers,work-group -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=GROUP

declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind

; The frame says nothing of who waits where, and each part has what follows its barrier alone.
; CHECK-LABEL: define internal { i64, i64 } @three.lanes(
; CHECK-NOT: store ptr @
; CHECK: store volatile i32 0,
; CHECK-NOT: store volatile
; CHECK: ret { i64, i64 }
; CHECK-LABEL: define internal fastcc void @three.lanes.resume.0(
; CHECK-NOT: switch
; CHECK: store volatile i32 1,
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: define internal fastcc void @three.lanes.resume.1(
; CHECK-NOT: switch
; CHECK: store volatile i32 2,
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: define internal fastcc void @three.lanes.resume.2(
; CHECK: store volatile i32 3,
; CHECK-NOT: store
; CHECK: ret void

; Each is called for all sub-groups before the next.
; GROUP-LABEL: define void @three.w16.64x1x1(
; GROUP: sub_group.body:
; GROUP: store volatile i32 0,
; GROUP: sub_group.body{{[0-9]+}}:
; GROUP: store volatile i32 1,
; GROUP: sub_group.body{{[0-9]+}}:
; GROUP: store volatile i32 2,
; GROUP: sub_group.body{{[0-9]+}}:
; GROUP: store volatile i32 3,
define internal void @three.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                  i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  store volatile i32 0, ptr addrspace(1) null
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 1, ptr addrspace(1) null
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 2, ptr addrspace(1) null
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 3, ptr addrspace(1) null
  ret void
}

; A barrier in a loop comes again.
; LOOP: define internal fastcc void @loop.lanes.resume(
define internal void @loop.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                 i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %gy
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Some sub-groups are done before the second barrier.
; EARLY: define internal fastcc void @early.lanes.resume(
define internal void @early.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                  i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %done = icmp eq i32 %sg, 3
  br i1 %done, label %end, label %wait
wait:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 1, ptr addrspace(1) null
  br label %end
end:
  ret void
}

; Full and incomplete sub-groups have turns, or none of them have.
; UNEQUAL: define internal fastcc void @unequal.lanes.resume(
; UNEQUAL: define internal fastcc void @unequal.lanes.partial.resume(
define internal void @unequal.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                    i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 1, ptr addrspace(1) null
  ret void
}

define internal void @unequal.lanes.partial(ptr addrspace(2) %launch, ptr addrspace(2) %worker,
                                            ptr addrspace(2) %local_size, i64 %gx, i64 %gy, i64 %gz, i32 %sg,
                                            i32 %active, ptr %scratch) {
  %waits = icmp ne i64 %gx, 0
  br i1 %waits, label %wait, label %end
wait:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %end
end:
  ret void
}
