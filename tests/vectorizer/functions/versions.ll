; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function gets a version for each set of parameters that differ between lanes, and each is called with the lanes that
; come to the call.
; RUN: lanecl-opt %s -p inline-calls,kernel-arguments,function-parameters,specialize-launch,function-versions --kernel=k --keep-functions --width 8 --local-size 8,1,1 -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: lanecl-opt %t.ll -p canonicalize,linearize,widen,lower-queries --kernel=k --width 8 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=LANES

; The launch comes before a function's own parameters, so that a query means the same in it.
; CHECK-LABEL: define void @k(
; CHECK: call i32 @f.vu(ptr addrspace(2) %launch, ptr addrspace(2) %worker, {{.*}}, ptr %scratch, i32 %{{.*}}, i32 %n)
; A constant is the same for all lanes.
; CHECK: [[SAME:%.*]] = call i32 @f.uu({{.*}}, i32 7, i32 %n)
; What lanes get that pass the same is the same.
; CHECK: call i32 @f.uu({{.*}}, i32 [[SAME]], i32 %n)
; Each lane has a variable of its own, 4 bytes behind that of the lane before.
; CHECK: call void @store.s4u({{.*}}, ptr %variable{{.*}}, i32 %n)
; If the program chooses a variable, there is an address for each lane.
; CHECK: call void @store.vu({{.*}}, ptr %chosen{{.*}}, i32 %n)
; CHECK: br i1
; CHECK: call i32 @f.vu

; LANES-LABEL: define internal void @k.lanes(
; LANES: call <8 x i32> @f.vu.all({{.*}}, <8 x i32> %{{.*}}, i32 %n)
; LANES: [[SAME:%.*]] = call i32 @f.uu.all({{.*}}, i32 7, i32 %n)
; LANES: call i32 @f.uu.all({{.*}}, i32 [[SAME]], i32 %n)
; LANES: call void @store.s4u.all({{.*}}, ptr %{{.*}}, i32 %n)
; LANES: call void @store.vu.all({{.*}}, <8 x ptr> %{{.*}}, i32 %n)
; Under a mask the function is called if a lane wants it.
; LANES: br i1 %any{{.*}}, label %likely, label %unlikely
; LANES: likely:
; LANES: call <8 x i32> @f.vu.masked({{.*}}, i8 %{{.*}}, <8 x i32> %{{.*}}, i32 %n)

; LANES-LABEL: define internal <8 x i32> @f.vu.all(
; LANES-SAME: <8 x i32> %x, i32 %y)
; LANES: mul <8 x i32> %x
; LANES-LABEL: define internal i32 @f.uu.all(
; LANES-SAME: i32 %x, i32 %y)
; LANES: mul i32 %x
; LANES-LABEL: define internal void @store.s4u.all(
; LANES-SAME: ptr %p, i32 %x)
; LANES: store <8 x i32> %{{.*}}, ptr %p
; LANES-LABEL: define internal <8 x i32> @f.vu.masked(
; LANES-SAME: i8 %mask, <8 x i32> %x, i32 %y)
; LANES: bitcast i8 %mask to <8 x i1>
define internal i32 @f(i32 %x, i32 %y) {
  %r = mul i32 %x, %y
  ret i32 %r
}

define internal void @store(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}

define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %variable = alloca i32
  %other = alloca i32
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %a = call i32 @f(i32 %x, i32 %n)
  %b = call i32 @f(i32 7, i32 %n)
  %c = call i32 @f(i32 %b, i32 %n)
  call void @store(ptr %variable, i32 %n)
  %few = icmp ult i32 %n, 7
  %chosen = select i1 %few, ptr %variable, ptr %other
  call void @store(ptr %chosen, i32 %n)
  %own = load i32, ptr %variable
  %odd = trunc i32 %x to i1
  br i1 %odd, label %then, label %end
then:
  %d = call i32 @f(i32 %a, i32 %n)
  br label %end
end:
  %e = phi i32 [ %c, %entry ], [ %d, %then ]
  %f = add i32 %e, %own
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %f, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z18__lanecl_global_idj(i32)
