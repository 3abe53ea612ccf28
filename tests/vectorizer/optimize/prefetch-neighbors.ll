; RUN: lanecl-opt -w 16 --local-size 256,1,1 -p prefetch-neighbors %s | FileCheck %s
; RUN: lanecl-opt -w 16 --local-size 256,1,1 -p prefetch-neighbors,specialize-launch,widen %s | FileCheck %s --check-prefix=LANES
; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p prefetch-neighbors %s | FileCheck %s --check-prefix=ALONE
; RUN: lanecl-opt -w 16 --local-size 64,4,1 -p prefetch-neighbors %s | FileCheck %s --check-prefix=ALONE
; A sub-group that goes through memory in steps of its work-group fetches what lies beside: the next sub-group's. Not
; from local memory, nor where it goes on by itself, nor for what all lanes share.

; CHECK-LABEL: define void @row(
; CHECK: loop:
; CHECK: %[[NEXT:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 64
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) %[[NEXT]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %x = load float, ptr addrspace(1) %p
; CHECK-NOT: llvm.prefetch
; CHECK: ret void
; LANES-LABEL: define internal void @row.lanes(
; LANES: call void @llvm.prefetch
; LANES-NOT: call void @llvm.prefetch
; LANES: load <16 x float>
; ALONE-NOT: llvm.prefetch
define void @row(ptr addrspace(1) %global, ptr addrspace(3) %local, i32 %n) {
entry:
  %id = call i64 @_Z17__lanecl_local_idj(i32 0)
  %first = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %global, i32 %i
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(3) %local, i32 %i
  %y = load float, ptr addrspace(3) %q
  %shared = sub i32 %i, %first
  %s = getelementptr float, ptr addrspace(1) %global, i32 %shared
  %z = load float, ptr addrspace(1) %s
  %own = mul i32 %i, 2
  %o = getelementptr float, ptr addrspace(1) %global, i32 %own
  %w = load float, ptr addrspace(1) %o
  %a = fadd float %x, %y
  %b = fadd float %a, %z
  %c = fadd float %b, %w
  store float %c, ptr addrspace(1) %p
  %i.next = add nsw i32 %i, 256
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare i64 @_Z17__lanecl_local_idj(i32)

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
