; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function of more than 1,000 instructions that is called both by all lanes and under a mask is made once with
; AVX-512: all lanes pass a full mask. A smaller one is made twice, and so are all with AVX2.
; RUN: awk '{ print } /^  ; stores/ { for (i = 0; i < 998; ++i) print "  store i32 %%x, ptr addrspace(1) %%p" }' %s > %t.small.ll
; RUN: awk '{ print } /^  ; stores/ { for (i = 0; i < 999; ++i) print "  store i32 %%x, ptr addrspace(1) %%p" }' %s > %t.large.ll
; RUN: lanecl-opt %t.small.ll -p kernel-arguments,function-parameters,specialize-launch,function-versions,canonicalize,linearize,widen --kernel=k --width 8 --isa avx512 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=BOTH
; RUN: lanecl-opt %t.large.ll -p kernel-arguments,function-parameters,specialize-launch,function-versions,canonicalize,linearize,widen --kernel=k --width 8 --isa avx2 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=BOTH
; RUN: lanecl-opt %t.large.ll -p kernel-arguments,function-parameters,specialize-launch,function-versions,canonicalize,linearize,widen --kernel=k --width 8 --isa avx512 --local-size 8,1,1 -o - | FileCheck %s --check-prefix=ONE

; BOTH: call <8 x i32> @f.v.all({{.*}}, <8 x i32> %{{.*}})
; BOTH: call <8 x i32> @f.v.masked({{.*}}, i8 %{{.*}}, <8 x i32> %{{.*}})
; BOTH-DAG: define internal <8 x i32> @f.v.all(
; BOTH-DAG: define internal <8 x i32> @f.v.masked(

; ONE-NOT: @f.v.all(
; ONE: [[FIRST:%.*]] = call <8 x i32> @f.v.masked({{.*}}, i8 -1, <8 x i32> %{{.*}})
; ONE: call <8 x i32> @f.v.masked({{.*}}, i8 %{{.*}}, <8 x i32> [[FIRST]])
; ONE-NOT: @f.v.all(
; ONE: define internal <8 x i32> @f.v.masked(
; ONE-NOT: @f.v.all(
define internal i32 @f(i32 %x) "lanecl-kept" {
  %p = inttoptr i32 %x to ptr addrspace(1)
  ; stores
  ret i32 %x
}

define spir_kernel void @k() {
entry:
  %id = call i64 @_Z18__lanecl_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %y = call i32 @f(i32 %x)
  %positive = icmp sgt i32 %x, 3
  br i1 %positive, label %then, label %end
then:
  %z = call i32 @f(i32 %y)
  br label %end
end:
  ret void
}

declare i64 @_Z18__lanecl_global_idj(i32)
