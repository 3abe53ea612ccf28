; RUN: lanecl-opt -w 8 --local-size 12,1,1 -p widen %s | FileCheck %s
; Twelve work-items are one full sub-group of eight and a partial one: both versions are made.

declare i32 @_Z16__lanecl_lane_idv()
declare i1 @lanecl.any(i1)
declare i1 @lanecl.entry.mask()
declare void @lanecl.block.mask(i1)

; CHECK-LABEL: define internal void @k.lanes.partial(
; CHECK: [[N:%.*]] = call i32 @__lanecl_sub_group_size()
; CHECK: [[ENTRY:%.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>,
; CHECK: @llvm.masked.load.v8i32.p1({{.*}}, <8 x i1> [[ENTRY]]
; CHECK: [[M:%.*]] = select <8 x i1> [[ENTRY]], <8 x i1>
; CHECK: br i1
; CHECK: @llvm.masked.store.v8i32.p1({{.*}}, <8 x i1> [[M]])

; With all lanes there is no mask before the branch.
; CHECK-LABEL: define internal void @k.lanes(
; CHECK-NOT: sub_group_size
; CHECK: load <8 x i32>, ptr addrspace(1)
; CHECK: br i1
; CHECK: @llvm.masked.store.v8i32.p1(
define void @k(ptr addrspace(1) %a) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %x = load i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %x, 5
  %e = call i1 @lanecl.entry.mask()
  %m = select i1 %e, i1 %c, i1 false
  %any = call i1 @lanecl.any(i1 %m)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %m)
  store i32 0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
