; RUN: lanecl-opt -q -p 'print<uniform-values>' %s | FileCheck %s
; These are the sources of values, as the lanes' target description classifies them.

declare i32 @_Z16__lanecl_lane_idv()
declare i64 @_Z17__lanecl_group_idj(i32)
declare i32 @_Z19__lanecl_reduce_addi(i32)
declare i32 @pure(i32) memory(none)
declare i32 @unknown(i32)

; CHECK-LABEL: uniformity of 'calls'
; CHECK: divergent: %lane = call
; CHECK: uniform: %group = call
; A reduction is the same for all lanes although its argument is not.
; CHECK: uniform: %sum = call
; CHECK: divergent: %pure.lane = call
; CHECK: uniform: %pure.sum = call
; CHECK: divergent: %unknown = call
define void @calls() {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %group = call i64 @_Z17__lanecl_group_idj(i32 0)
  %sum = call i32 @_Z19__lanecl_reduce_addi(i32 %lane)
  %pure.lane = call i32 @pure(i32 %lane)
  %pure.sum = call i32 @pure(i32 %sum)
  %unknown = call i32 @unknown(i32 0)
  ret void
}

; A private variable has one address and as many contents as there are lanes.
; CHECK-LABEL: uniformity of 'memory'
; CHECK: uniform: %private = alloca
; CHECK: divergent: %own = load
; CHECK: divergent: %through.generic = load
; CHECK: uniform: %shared = load
; CHECK: uniform: %shared.generic = load
; CHECK: divergent: %unknown.generic = load
; CHECK: divergent: %ticket = atomicrmw
; CHECK: divergent: %swapped = cmpxchg
define void @memory(ptr addrspace(1) %g, ptr addrspace(4) %p) {
  %private = alloca i32
  %own = load i32, ptr %private
  %private.generic = addrspacecast ptr %private to ptr addrspace(4)
  %through.generic = load i32, ptr addrspace(4) %private.generic
  %shared = load i32, ptr addrspace(1) %g
  %g.generic = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  %shared.generic = load i32, ptr addrspace(4) %g.generic
  %unknown.generic = load i32, ptr addrspace(4) %p
  %ticket = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
  %swapped = cmpxchg ptr addrspace(1) %g, i32 0, i32 1 monotonic monotonic
  ret void
}

; The phi of a divergent branch differs between lanes, that of a uniform branch does not.
; CHECK-LABEL: uniformity of 'branches'
; CHECK: divergent: br i1 %c
; CHECK: divergent: %a = phi
; CHECK: uniform: br i1 %u
; CHECK: uniform: %b = phi
define void @branches(i1 %u) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %c = icmp eq i32 %lane, 0
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %a = phi i32 [ 1, %then ], [ 2, %entry ]
  br i1 %u, label %then2, label %join2
then2:
  br label %join2
join2:
  %b = phi i32 [ 1, %then2 ], [ 2, %join ]
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
