; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 -p canonicalize,split-conditions %s | FileCheck %s
; RUN: lanecl-opt -w 8 -p canonicalize,split-conditions,linearize %s | FileCheck %s --check-prefix=MASKS
; What all lanes share in a condition is a branch of its own, and no mask holds it.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define i32 @loop(
; CHECK: loop:
; CHECK: br i1 %more, label %loop.lanes, label %done
; CHECK: loop.lanes:
; CHECK-NEXT: br i1 %inside, label %loop, label %done
; CHECK: done:
; CHECK-NEXT: phi i32 [ %next, %loop ], [ %next, %loop.lanes ]
; MASKS-LABEL: define i32 @loop(
; MASKS: br i1 %more,
; MASKS-NOT: %more
; MASKS: select i1 %live.0, i1 %inside, i1 false
; MASKS-NOT: %more
; MASKS: br i1 %any,
define i32 @loop(i32 %limit, float %step) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %start = uitofp i32 %lane to float
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %y, %loop ]
  %y = fadd float %x, %step
  %next = add i32 %count, 1
  %more = icmp ult i32 %next, %limit
  %inside = fcmp ole float %y, 4.0
  %go = and i1 %more, %inside
  br i1 %go, label %loop, label %done
done:
  ret i32 %next
}

; The uniform parts of a guard are tested together, with what may be poison frozen, wherever they stood.
; CHECK-LABEL: define void @guard(
; CHECK: [[SHARED:%.*]] = freeze i1 %last
; CHECK: [[EITHER:%.*]] = or i1 %a, [[SHARED]]
; CHECK: br i1 [[EITHER]], label %end, label %entry.lanes
; CHECK: entry.lanes:
; CHECK-NEXT: [[OWN:%.*]] = select i1 %first, i1 true, i1 %far
; CHECK-NEXT: br i1 [[OWN]], label %end, label %inner
; CHECK: end:
; CHECK-NEXT: phi i32 [ 0, %entry ], [ 1, %inner ], [ 0, %entry.lanes ]
; MASKS-LABEL: define void @guard(
; MASKS: br i1 [[EITHER:%.*]], label %end, label %entry.lanes
; MASKS: entry.lanes:
; MASKS: call i1 @lanecl.any(
define void @guard(i1 noundef %a, i32 %y, i32 %n, ptr addrspace(1) %p) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = zext nneg i32 %lane to i64
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %first = icmp eq i32 %lane, 0
  %or = select i1 %first, i1 true, i1 %a
  %far = icmp eq i32 %lane, %n
  %or.far = select i1 %or, i1 true, i1 %far
  %border = add nsw i32 %n, -1
  %last = icmp eq i32 %y, %border
  %or.last = select i1 %or.far, i1 true, i1 %last
  br i1 %or.last, label %end, label %inner
inner:
  store i32 7, ptr addrspace(1) %place
  br label %end
end:
  %result = phi i32 [ 0, %entry ], [ 1, %inner ]
  store i32 %result, ptr addrspace(1) %place
  ret void
}

; Not where a side would be entered in two ways: its lanes run it together, under one mask.
; CHECK-LABEL: define void @two_sides(
; CHECK: br i1 %both, label %then, label %else
define void @two_sides(i1 noundef %a, ptr addrspace(1) %p) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = zext nneg i32 %lane to i64
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %first = icmp eq i32 %lane, 0
  %both = and i1 %a, %first
  br i1 %both, label %then, label %else
then:
  store i32 7, ptr addrspace(1) %place
  br label %end
else:
  store i32 8, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; It is not split where it would lead back to the start of the loop, which has one latch.
; CHECK-LABEL: define void @again(
; CHECK: br i1 %go, label %loop, label %end
define void @again(i32 %limit) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %count, 1
  %more = icmp ult i32 %next, %limit
  %less = icmp ult i32 %next, %lane
  %go = or i1 %more, %less
  br i1 %go, label %loop, label %end
end:
  ret void
}

; A value that was uniform in the loop differs behind it between lanes that left it in different turns.
; CHECK-LABEL: define void @behind(
; CHECK: br i1 %{{.*}}, label %far, label %end
define void @behind(i1 noundef %a, ptr addrspace(1) %p) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %count, 1
  %even = trunc i32 %next to i1
  %less = icmp ult i32 %next, %lane
  br i1 %less, label %loop, label %after
after:
  %first = icmp eq i32 %lane, 0
  %both = and i1 %even, %first
  br i1 %both, label %far, label %end
far:
  store i32 7, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
