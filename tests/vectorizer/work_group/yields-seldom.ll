; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A sub-group that yields in a loop that most likely gets on does not count as waiting: it says 3 in each turn.
; RUN: lanecl-opt %s -p barriers -w 16 --local-size=64,1,1 | FileCheck %s

declare void @__lanecl_yield() convergent nounwind

; CHECK: define internal { i64, i64 } @k.lanes(
; CHECK-NOT: phi i64 [ 4,
; CHECK: store i64 3, ptr
; CHECK-NOT: phi i64 [ 4,
define internal void @k.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx,
                              i64 %gy, i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(2) %launch
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %again, label %end
again:
  call void @__lanecl_yield() "lanecl-gets-on"
  br label %loop
end:
  ret void
}
