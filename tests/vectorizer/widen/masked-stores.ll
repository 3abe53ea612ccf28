; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 16 --isa avx2 -p widen %s | FileCheck %s
; RUN: lanecl-opt -w 16 --isa avx512 -p widen %s | FileCheck %s --check-prefix=AVX512
; AVX2's masked store is slow on some processors: where all lanes are active the store is a plain one.

declare i32 @_Z16__lanecl_lane_idv()
declare i1 @lanecl.any(i1)
declare i1 @lanecl.entry.mask()
declare void @lanecl.block.mask(i1)

; CHECK-LABEL: define internal void @k.lanes(
; CHECK: br i1 {{.*}}, label %access.full, label %access.partial
; CHECK: access.full:
; CHECK-NEXT: store <16 x i32>
; CHECK: access.partial:
; CHECK-NEXT: call void @llvm.masked.store.v16i32
; AVX512-LABEL: define internal void @k.lanes(
; AVX512-NOT: access.full
; AVX512: @llvm.masked.store.v16i32
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
  store i32 %lane, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
