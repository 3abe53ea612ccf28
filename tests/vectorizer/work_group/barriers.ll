; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A barrier splits the lanes function: the part before it returns the frame's size and alignment, the rest resumes.
; RUN: lanecl-opt %s -p barriers,simplifycfg -w 16 --local-size=64,1,1 | FileCheck %s
; RUN: lanecl-opt %s -p barriers,simplifycfg -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=FRAME
; RUN: lanecl-opt %s -p barriers,simplifycfg -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=SOME
; RUN: lanecl-opt %s -p barriers,simplifycfg -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=PRIVATE
; RUN: lanecl-opt %s -p barriers,simplifycfg -w 16 --local-size=64,1,1 | FileCheck %s --check-prefix=BEGINS
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=16,1,1 | FileCheck %s --check-prefix=ALONE

declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind

; Who resumes it knows that it waits, because it always does, and its number.
; CHECK: define internal { i64, i64 } @k.lanes(
; CHECK-NOT: store ptr @k.lanes.resume
; CHECK-NOT: store i32 %sg
; CHECK-NOT: store volatile
; CHECK: ret { i64, i64 } { i64 {{[0-9]+}}, i64 64 }
; CHECK: define internal fastcc void @k.lanes.resume.0({{.*}}, i32 %sg, i32 %active, ptr %scratch)
; CHECK: store volatile <16 x i32>
; CHECK: store i32 %sg
; CHECK-NOT: store ptr null
; CHECK: ret void
; CHECK-NOT: define {{.*}}@k.lanes.destroy

; Some sub-groups wait and some do not: the frame says which.
; SOME: define internal { i64, i64 } @some.lanes(
; SOME: store ptr @some.lanes.resume
; SOME: define internal fastcc void @some.lanes.resume(
; SOME: store ptr null

; What waits in the frame is apart from what the kernel accesses.
; FRAME-LABEL: define internal { i64, i64 } @k.lanes(
; FRAME: [[V:%.*]] = load volatile <16 x i32>, ptr addrspace(2) %launch, {{.*}}!noalias [[SCOPE:![0-9]+]]
; FRAME: store <16 x i32> [[V]], ptr {{.*}}!alias.scope [[SCOPE]]
; FRAME-LABEL: define internal fastcc void @k.lanes.resume.0(ptr
; FRAME: [[KEPT:%.*]] = load <16 x i32>, ptr {{.*}}!alias.scope [[SCOPE]]
; FRAME: store volatile <16 x i32> [[KEPT]], ptr {{.*}}!noalias [[SCOPE]]

; A single sub-group need not wait.
; ALONE: define internal void @k.lanes(
; ALONE-NOT: call
; ALONE: store volatile
define internal void @k.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx,
                              i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %v = load volatile <16 x i32>, ptr addrspace(2) %launch
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile <16 x i32> %v, ptr %scratch
  %p = getelementptr i8, ptr addrspace(1) null, i64 64
  store i32 %sg, ptr addrspace(1) %p
  ret void
}

define internal void @some.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx,
                                 i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %waits = icmp ne i64 %gx, 0
  br i1 %waits, label %wait, label %done
wait:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %done
done:
  store volatile i32 %sg, ptr %scratch
  ret void
}

; A private variable lies in the frame, too: what the kernel stores there stays, though it is the sub-group's number.
; PRIVATE: define internal { i64, i64 } @variable.lanes(
; PRIVATE-NOT: ret
; PRIVATE: store volatile i32 %sg, ptr %x
; PRIVATE: define internal fastcc void @variable.lanes.resume.0(
; PRIVATE: [[OLD:%.*]] = load i32
; PRIVATE: store volatile i32 [[OLD]]
define internal void @variable.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                     i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %x = alloca i32
  store volatile i32 %sg, ptr %x
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %old = load i32, ptr %x
  store i32 7, ptr %x
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  store volatile i32 %old, ptr addrspace(1) null
  %new = load volatile i32, ptr %x
  store volatile i32 %new, ptr addrspace(1) null
  ret void
}

; A variable that begins with the work-group's number is kept, as it changes.
; BEGINS: define internal { i64, i64 } @begins.lanes(
; BEGINS: store i64 %gx, ptr %
; BEGINS: define internal fastcc void @begins.lanes.resume(
; BEGINS: [[ROW:%.*]] = load i64
; BEGINS: [[NEXT:%.*]] = add i64 [[ROW]], 4
; BEGINS: store i64 [[NEXT]]
define internal void @begins.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size,
                                   i64 %gx, i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  br label %loop
loop:
  %row = phi i64 [ %gx, %0 ], [ %next, %loop ]
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %next = add i64 %row, 4
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}
