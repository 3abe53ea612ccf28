; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 -p canonicalize,whole-branches %s | FileCheck %s
; RUN: lanecl-opt -w 8 -p canonicalize,whole-branches,linearize,widen %s | FileCheck %s --check-prefix=LANES
; Accesses that all lanes do are not masked.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define void @guard(
; CHECK: %inside = icmp ult i32 %lane, %n
; CHECK: [[WHOLE:%.*]] = call i1 @lanecl.whole(i1 %inside)
; CHECK-NEXT: br i1 [[WHOLE]], label %then.whole, label %entry.lanes
; CHECK: entry.lanes:
; CHECK-NEXT: br i1 %inside, label %then, label %end
; CHECK: then:
; CHECK: store float
; CHECK: end:
; CHECK-NEXT: phi i32 [ 0, %entry.lanes ], [ %bits, %then ], [ %bits.whole, %then.whole ]
; CHECK: then.whole:
; CHECK: load float
; CHECK: store float
; CHECK: br label %end
; LANES-LABEL: define internal void @guard.lanes(
; LANES: %all.pass =
; LANES: br i1 %all.pass, label %then.whole, label %entry.lanes
; LANES: then.whole:
; LANES: load <8 x float>
; LANES: store <8 x float>
; LANES: entry.lanes:
define void @guard(ptr addrspace(1) %p, i32 %n, ptr addrspace(1) %q) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %inside = icmp ult i32 %lane, %n
  br i1 %inside, label %then, label %end
then:
  %at = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %x = load float, ptr addrspace(1) %at
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %at
  %bits = bitcast float %y to i32
  br label %end
end:
  %result = phi i32 [ 0, %entry ], [ %bits, %then ]
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %lane
  store i32 %result, ptr addrspace(1) %to
  ret void
}

; Code that is already under a mask gains nothing, and what lanes exchange is exchanged in one place.
; CHECK-LABEL: define void @nothing(
; CHECK-NOT: lanecl.whole
; CHECK: ret void
declare i32 @exchange(i32) convergent
define void @nothing(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %lane
  %inside = icmp ult i32 %lane, %n
  br i1 %inside, label %then, label %end
then:
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @exchange(i32 %x)
  store i32 %y, ptr addrspace(1) %at
  %more = icmp ult i32 %lane, %m
  br i1 %more, label %inner, label %end
inner:
  %z = load i32, ptr addrspace(1) %at
  %next = add i32 %z, 1
  store i32 %next, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Nor do tables in constant memory gain, which are gathers in any case.
; CHECK-LABEL: define void @table(
; CHECK-NOT: lanecl.whole
; CHECK: ret void
define void @table(ptr addrspace(1) %p, ptr addrspace(2) %t, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %lane
  %inside = icmp ult i32 %lane, %n
  br i1 %inside, label %then, label %end
then:
  %first = mul i32 %lane, 3
  %second = add i32 %first, 5
  %a = getelementptr i32, ptr addrspace(2) %t, i32 %first
  %b = getelementptr i32, ptr addrspace(2) %t, i32 %second
  %x = load i32, ptr addrspace(2) %a
  %y = load i32, ptr addrspace(2) %b
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Other lanes come to the accesses from elsewhere.
; CHECK-LABEL: define void @entered(
; CHECK-NOT: lanecl.whole
; CHECK: ret void
define void @entered(ptr addrspace(1) %p, i32 %n, i1 %some) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %lane
  br i1 %some, label %ask, label %other
ask:
  %inside = icmp ult i32 %lane, %n
  br i1 %inside, label %then, label %end
then:
  %x = load i32, ptr addrspace(1) %at
  br label %middle
other:
  br label %middle
middle:
  %v = phi i32 [ %x, %then ], [ 0, %other ]
  %w = load i32, ptr addrspace(1) %at
  %sum = add i32 %v, %w
  store i32 %sum, ptr addrspace(1) %at
  br label %end
end:
  ret void
}
