; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vector arithmetic becomes one operation per component, memory accesses stay whole, generic pointers get their space.
; RUN: lanecl-opt %s -p scalar-optimize | FileCheck %s

; CHECK-LABEL: @components(
; CHECK: load <2 x float>
; CHECK-COUNT-2: fmul float
; CHECK-NOT: fmul
; CHECK: store <2 x float>
define void @components(ptr addrspace(1) %p) {
  %v = load <2 x float>, ptr addrspace(1) %p
  %w = fmul <2 x float> %v, %v
  store <2 x float> %w, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @generic(
; CHECK: store float 1.000000e+00, ptr addrspace(1) %p
define void @generic(ptr addrspace(1) %p) {
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  store float 1.0, ptr addrspace(4) %g
  ret void
}

; What another work-item may have written between two barriers is read again.
; CHECK-LABEL: @reread(
; CHECK-COUNT-2: load float, ptr addrspace(3) %p
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
define float @reread(ptr addrspace(3) %p) {
  %a = load float, ptr addrspace(3) %p
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %b = load float, ptr addrspace(3) %p
  %sum = fadd float %a, %b
  ret float %sum
}

; From the local id to 512 in steps of 256: two turns for every work-item.
; CHECK-LABEL: @turns(
; CHECK-NOT: br
; CHECK-COUNT-2: store i32
; CHECK-NOT: store
; CHECK: ret void
declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z21__lanecl_sub_group_idv()
define void @turns(ptr addrspace(3) %p) {
entry:
  %lane = call range(i32 0, 32) i32 @_Z16__lanecl_lane_idv()
  %sub_group = call range(i32 0, 8) i32 @_Z21__lanecl_sub_group_idv()
  %first = shl nuw nsw i32 %sub_group, 5
  %id = or disjoint i32 %first, %lane
  br label %loop
loop:
  %i = phi i32 [ %id, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, 512
  br i1 %more, label %body, label %exit
body:
  %wide = zext nneg i32 %i to i64
  %place = getelementptr i32, ptr addrspace(3) %p, i64 %wide
  store i32 %i, ptr addrspace(3) %place
  %next = add i32 %i, 256
  br label %loop
exit:
  ret void
}

; What both sides of a branch store to one place is one store, with no mask of its own.
; CHECK-LABEL: @both_sides(
; CHECK-NOT: store
; CHECK: join:
; CHECK: %[[VALUE:.*]] = phi float [ %square, %else ], [ %x, %entry ]
; CHECK: %[[PLACE:.*]] = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %wide
; CHECK: store float %[[VALUE]], ptr addrspace(1) %[[PLACE]], align 4
; CHECK-NOT: store
; CHECK: ret void
define void @both_sides(ptr addrspace(1) %in, ptr addrspace(1) %out, float %x, i1 %c) {
entry:
  %lane = call range(i32 0, 32) i32 @_Z16__lanecl_lane_idv()
  %wide = zext nneg i32 %lane to i64
  br i1 %c, label %then, label %else
then:
  %there = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %wide
  store float %x, ptr addrspace(1) %there, align 4
  br label %join
else:
  %from = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %wide
  %y = load float, ptr addrspace(1) %from, align 4
  %square = fmul float %y, %y
  %to = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %wide
  store float %square, ptr addrspace(1) %to, align 4
  br label %join
join:
  ret void
}

; What may be read or written between a store and the end of its side keeps the store where it is.
; CHECK-LABEL: @read_before_the_end(
; CHECK-COUNT-3: store float
define void @read_before_the_end(ptr addrspace(1) %p, ptr addrspace(1) %q, float %x, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  store float %x, ptr addrspace(1) %p, align 4
  br label %join
else:
  store float 0.0, ptr addrspace(1) %p, align 4
  %y = load float, ptr addrspace(1) %q, align 4
  %square = fmul float %y, %y
  %there = getelementptr inbounds nuw i8, ptr addrspace(1) %q, i64 64
  store float %square, ptr addrspace(1) %there, align 4
  br label %join
join:
  ret void
}
