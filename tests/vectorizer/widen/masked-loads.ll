; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A masked load stays before the stores behind it: LLVM makes one of a load and a select by the same mask, and puts it
; where the select is, unless the load is frozen.
; RUN: lanecl-opt -w 16 --isa avx512 -p 'widen,function(instcombine<no-verify-fixpoint>)' %s | FileCheck %s

declare i32 @_Z16__lanecl_lane_idv()
declare i1 @lanecl.entry.mask()
declare void @lanecl.block.mask(i1)

; CHECK-LABEL: define internal void @before_store.lanes(
; CHECK: call <16 x i32> @llvm.masked.load
; CHECK: call void @llvm.masked.store{{.*}}zeroinitializer
; CHECK-NOT: call <16 x i32> @llvm.masked.load
; CHECK: ret void
define void @before_store(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %l
  %some = icmp ult i32 %lane, %n
  call void @lanecl.block.mask(i1 %some)
  %x = load i32, ptr addrspace(1) %p
  store i32 0, ptr addrspace(1) %p
  %chosen = select i1 %some, i32 %x, i32 7
  store i32 %chosen, ptr addrspace(1) %q
  ret void
}
