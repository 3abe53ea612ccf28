; RUN: lanecl-opt -p recomputed-values %s | FileCheck %s
; Not where the first loop may read it, somebody may look between the loops, or they compute different things.
; RUN: sed 's/!noalias/!other/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed 's/fdiv float 1.0, %%total/load float, ptr addrspace(1) %%y/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed 's/%%p0 = fsub float %%v, %%m/%%p0 = fsub float %%m, %%v/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed 's/%%j, 16/%%j, 8/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where the second loop loads another element, or the same one of another array.
; RUN: sed -e 's/%%from2 = getelementptr float, ptr addrspace(1) %%x/%%beside = getelementptr float, ptr addrspace(1) %%x, i64 1\n  %%from2 = getelementptr float, ptr addrspace(1) %%beside/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e 's/%%from2 = getelementptr float, ptr addrspace(1) %%x/%%from2 = getelementptr float, ptr addrspace(1) %%rows/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where the first loop stores something, or an access is volatile.
; RUN: sed -e '/^ /s/%%sum.next = fadd/store float 0.0, ptr addrspace(1) %%from, !alias.scope !1, !noalias !2\n  %%sum.next = fadd/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e 's/%%v = load float/%%v = load volatile float/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e 's/store float %%scaled/store volatile float %%scaled/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where a turn's store reaches the place of another turn.
; RUN: sed -e 's/%%i, 16/%%i, 1/' -e 's/%%j, 16/%%j, 1/' -e 's/getelementptr float, ptr addrspace(1) %%y, i64 %%j.wide/getelementptr i8, ptr addrspace(1) %%y, i64 %%j.wide/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where only one of the loops may read what the second one stores.
; RUN: sed -e '/%%v = load/s/, !alias.scope !1, !noalias !2//' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e '/%%v2 = load/s/, !alias.scope !1, !noalias !2//' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where something is read directly before the second loop, or the first loop has another guard.
; RUN: sed -e '/^ /s/br i1 %%any, label %%store.loop, label %%end/br i1 %%any, label %%pre, label %%end\n\npre:\n  %%now = load float, ptr addrspace(1) %%y\n  br label %%store.loop/' -e 's/%%lane, %%between/%%lane, %%pre/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e '/^ /s/%%any = icmp slt i32 %%lane, %%n/%%any = icmp slt i32 %%lane, %%n\n  %%other = icmp slt i32 %%lane, 7/' -e 's/br i1 %%any, label %%sum.loop/br i1 %%other, label %%sum.loop/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where the second loop may be passed by, or is run several times.
; RUN: sed -e '/^ /s/br i1 %%any, label %%sum.loop, label %%between/br label %%sum.loop/' -e 's/%%total = phi float \[ 0.0, %%entry \], /%%total = phi float /' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; RUN: sed -e '/^ /s/br i1 %%any, label %%sum.loop, label %%between/br label %%sum.loop/' -e 's/%%total = phi float \[ 0.0, %%entry \], /%%total = phi float /' -e '/^ /s/br i1 %%any, label %%store.loop, label %%end/br label %%times/' -e 's/^store.loop:/times:\n  %%row = phi i32 [ 0, %%between ], [ %%row.next, %%next ]\n  br label %%store.loop\n\nnext:\n  %%row.next = add i32 %%row, 1\n  %%rest = icmp slt i32 %%row.next, %%n\n  br i1 %%rest, label %%times, label %%end\n\nstore.loop:/' -e 's/%%lane, %%between/%%lane, %%times/' -e '/^ /s/br i1 %%again, label %%store.loop, label %%end/br i1 %%again, label %%store.loop, label %%next/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; Not where the place depends on what the first loop computes.
; RUN: sed -e '/^ /s/%%factor = fdiv float 1.0, %%total/%%factor = fdiv float 1.0, %%total\n  %%bits = bitcast float %%total to i32\n  %%row = getelementptr float, ptr addrspace(1) %%y, i32 %%bits/' -e 's/%%to = getelementptr float, ptr addrspace(1) %%y/%%to = getelementptr float, ptr addrspace(1) %%row/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; The place may be computed behind the first loop, which computes it, too.
; RUN: sed -e '/^ /s/%%factor = fdiv float 1.0, %%total/%%factor = fdiv float 1.0, %%total\n  %%row = getelementptr float, ptr addrspace(1) %%y, i64 7/' -e 's/%%to = getelementptr float, ptr addrspace(1) %%y/%%to = getelementptr float, ptr addrspace(1) %%row/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=BEHIND
; What the second loop uses of the first one's last turn is not what an earlier turn has.
; RUN: sed -e '/^ /s/br i1 %%any, label %%sum.loop, label %%between/br label %%sum.loop/' -e 's/%%total = phi float \[ 0.0, %%entry \], /%%total = phi float /' -e '/^ /s/br i1 %%any, label %%store.loop, label %%end/br label %%store.loop/' -e '/^ /s/%%i.next = add/%%pc = fmul float %%pb, %%sum.next\n  %%i.next = add/' -e '/^ /s/%%scaled = fmul float %%qb, %%factor/%%qc = fmul float %%qb, %%sum.next\n  %%scaled = fmul float %%qc, %%factor/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=LAST
; Not where all work-groups store to the same places.
; RUN: sed 's/ptr addrspace(1) %%rows, i64 %%group/ptr addrspace(1) %%rows, i64 1/' %s | lanecl-opt -p recomputed-values - | FileCheck %s --check-prefix=APART
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; The first loop of a softmax keeps its exponentials where the second one stores.
; CHECK-LABEL: define void @softmax(
; CHECK: sum.loop:
; CHECK: [[POWER:%.*]] = fmul float %pa, %p9
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) %y, i64
; CHECK-NEXT: store float [[POWER]], ptr addrspace(1) [[PLACE]], align 4, !alias.scope
; CHECK: store.loop:
; CHECK-NOT: store float
; CHECK: %kept = load float, ptr addrspace(1)
; CHECK: %scaled = fmul float %kept, %factor
; CHECK: store float %scaled
; BEHIND-LABEL: define void @softmax(
; BEHIND: sum.loop:
; BEHIND: [[ROW:%.*]] = getelementptr float, ptr addrspace(1) %y, i64 7
; BEHIND: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) [[ROW]], i64
; BEHIND-NEXT: store float %{{.*}}, ptr addrspace(1) [[PLACE]]
; BEHIND: %kept = load float
; LAST-LABEL: define void @softmax(
; LAST: %kept = load float
; LAST: %qc = fmul float %kept, %sum.next
; APART-LABEL: define void @softmax(
; APART-NOT: %kept
define void @softmax(ptr addrspace(1) %x, ptr addrspace(1) %rows, i32 range(i32 0, 16) %lane, i32 %n, float %m) {
entry:
  %group = call i64 @_Z17__lanecl_group_idj(i32 0)
  %y = getelementptr float, ptr addrspace(1) %rows, i64 %group
  %any = icmp slt i32 %lane, %n
  br i1 %any, label %sum.loop, label %between

sum.loop:
  %i = phi i32 [ %lane, %entry ], [ %i.next, %sum.loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %sum.loop ]
  %i.wide = zext nneg i32 %i to i64
  %from = getelementptr float, ptr addrspace(1) %x, i64 %i.wide
  %v = load float, ptr addrspace(1) %from, !alias.scope !1, !noalias !2
  %p0 = fsub float %v, %m
  %p1 = fmul float %p0, 0.5
  %p2 = fadd float %p1, 1.0
  %p3 = fmul float %p2, %p1
  %p4 = fadd float %p3, 1.0
  %p5 = fmul float %p4, %p1
  %p6 = fadd float %p5, 1.0
  %p7 = fmul float %p6, %p1
  %p8 = fadd float %p7, 1.0
  %p9 = fmul float %p8, %p1
  %pa = fadd float %p9, 1.0
  %pb = fmul float %pa, %p9
  %sum.next = fadd float %sum, %pb
  %i.next = add nuw nsw i32 %i, 16
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %sum.loop, label %between

between:
  %total = phi float [ 0.0, %entry ], [ %sum.next, %sum.loop ]
  %factor = fdiv float 1.0, %total
  br i1 %any, label %store.loop, label %end

store.loop:
  %j = phi i32 [ %lane, %between ], [ %j.next, %store.loop ]
  %j.wide = zext nneg i32 %j to i64
  %from2 = getelementptr float, ptr addrspace(1) %x, i64 %j.wide
  %v2 = load float, ptr addrspace(1) %from2, !alias.scope !1, !noalias !2
  %q0 = fsub float %v2, %m
  %q1 = fmul float %q0, 0.5
  %q2 = fadd float %q1, 1.0
  %q3 = fmul float %q2, %q1
  %q4 = fadd float %q3, 1.0
  %q5 = fmul float %q4, %q1
  %q6 = fadd float %q5, 1.0
  %q7 = fmul float %q6, %q1
  %q8 = fadd float %q7, 1.0
  %q9 = fmul float %q8, %q1
  %qa = fadd float %q9, 1.0
  %qb = fmul float %qa, %q9
  %scaled = fmul float %qb, %factor
  %to = getelementptr float, ptr addrspace(1) %y, i64 %j.wide
  store float %scaled, ptr addrspace(1) %to, !alias.scope !2, !noalias !1
  %j.next = add nuw nsw i32 %j, 16
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %store.loop, label %end

end:
  ret void
}

!0 = distinct !{!0}
!1 = !{!3}
!2 = !{!4}
!3 = distinct !{!3, !0}
!4 = distinct !{!4, !0}

declare i64 @_Z17__lanecl_group_idj(i32) convergent nounwind memory(none)
