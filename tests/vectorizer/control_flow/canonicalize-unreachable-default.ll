; A switch whose default cannot happen has no way out of the kernel: the last question decides between two cases.
; RUN: lanecl-opt -p canonicalize %s | FileCheck %s

; CHECK-LABEL: define void @k
; CHECK: icmp
; CHECK-NOT: icmp
; CHECK: call void @a()
; CHECK: call void @b()
; CHECK: ret void
define void @k(i32 %x) {
  switch i32 %x, label %never [ i32 0, label %a
                                i32 3, label %b ]
a:
  call void @a()
  br label %end
b:
  call void @b()
  br label %end
never:
  unreachable
end:
  ret void
}
declare void @a()
declare void @b()
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
