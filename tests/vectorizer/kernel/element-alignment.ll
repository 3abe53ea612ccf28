; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: lanecl-opt -p element-alignment %s | FileCheck %s
; Accesses promise the alignment of their elements only, pointers promise none.

%pair = type { <4 x float>, i8 }
%bytes = type { <16 x i8> }
%scalars = type { i64, i32 }
%packed = type <{ i8, i32 }>

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.assume(i1)

; CHECK-LABEL: define void @vectors(ptr addrspace(1) noundef %p, ptr %q)
; CHECK: load <4 x float>, ptr addrspace(1) %p, align 4
; CHECK: load <16 x i8>, ptr addrspace(1) %p, align 1
; CHECK: load volatile <2 x i64>, ptr addrspace(1) %p, align 8
; CHECK: store <4 x float> %v, ptr %q, align 4
; CHECK: store <8 x i16> {{.*}}, ptr %q, align 2
define void @vectors(ptr addrspace(1) noundef align 16 %p, ptr align 16 %q) {
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = load <16 x i8>, ptr addrspace(1) %p, align 16
  %l = load volatile <2 x i64>, ptr addrspace(1) %p, align 16
  store <4 x float> %v, ptr %q, align 16
  store <8 x i16> zeroinitializer, ptr %q, align 128
  ret void
}

; A scalar behind a vector is as aligned as the vector; a packed one is not.
; CHECK-LABEL: define void @scalars(
; CHECK: load i32, ptr addrspace(1) %p, align 4
; CHECK: load i8, ptr addrspace(1) %p, align 1
; CHECK: load i32, ptr addrspace(1) %p, align 1
; CHECK: load ptr, ptr addrspace(1) %p, align 8{{$}}
; CHECK: load i128, ptr addrspace(1) %p, align 8
; CHECK: load %pair, ptr addrspace(1) %p, align 4
define void @scalars(ptr addrspace(1) %p) {
  %i = load i32, ptr addrspace(1) %p, align 16
  %c = load i8, ptr addrspace(1) %p, align 4
  %u = load i32, ptr addrspace(1) %p, align 1
  %r = load ptr, ptr addrspace(1) %p, align 16, !align !{i64 64}
  %w = load i128, ptr addrspace(1) %p, align 16
  %s = load %pair, ptr addrspace(1) %p, align 16
  ret void
}

; Atomic operations are aligned.
; CHECK-LABEL: define void @atomics(
; CHECK: load atomic i32, ptr addrspace(1) %p seq_cst, align 16
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 16
define void @atomics(ptr addrspace(1) %p) {
  %i = load atomic i32, ptr addrspace(1) %p seq_cst, align 16
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 16
  ret void
}

; The type of what is copied comes from one of the two sides; nothing is known of what none of them tells.
; CHECK-LABEL: define void @copies(
; CHECK: memcpy.p0.p1.i64(ptr align 4 %variable, ptr addrspace(1) align 4 %p, i64 32,
; CHECK: memcpy.p1.p1.i64(ptr addrspace(1) align 1 %to, ptr addrspace(1) align 1 %p, i64 16,
; CHECK: memcpy.p1.p1.i64(ptr addrspace(1) align 8 %other, ptr addrspace(1) align 8 %p, i64 16,
; CHECK: memcpy.p1.p1.i64(ptr addrspace(1) align 1 %q, ptr addrspace(1) align 1 %p, i64 16,
; CHECK: memcpy.p0.p1.i64(ptr align 1 %variable, ptr addrspace(1) align 1 %small, i64 5,
; CHECK: memset.p1.i64(ptr addrspace(1) align 1 %to, i8 0, i64 16,
define void @copies(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i) {
  %variable = alloca %pair, align 16
  call void @llvm.memcpy.p0.p1.i64(ptr align 16 %variable, ptr addrspace(1) align 16 %p, i64 32, i1 false)
  %to = getelementptr inbounds %bytes, ptr addrspace(1) %q, i64 %i
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %p, i64 16, i1 false)
  %other = getelementptr inbounds %scalars, ptr addrspace(1) %q, i64 %i
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %other, ptr addrspace(1) align 8 %p, i64 16, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 2 %q, ptr addrspace(1) align 2 %p, i64 16, i1 false)
  %small = getelementptr inbounds %packed, ptr addrspace(1) %q, i64 %i
  call void @llvm.memcpy.p0.p1.i64(ptr align 1 %variable, ptr addrspace(1) align 1 %small, i64 5, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %to, i8 0, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @kernel(ptr byval(%pair) align 16 %s)
; CHECK: call ptr @helper(ptr byval(%pair) align 4 %s, ptr %s)
; CHECK-NEXT: call void @llvm.assume(i1 true) [ "nonnull"(ptr %s) ]
; CHECK-NEXT: call void @llvm.assume(i1 true){{$}}
; CHECK-NEXT: ret void
define void @kernel(ptr byval(%pair) align 16 %s) {
  %r = call align 16 ptr @helper(ptr byval(%pair) align 16 %s, ptr align 16 %s)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %s), "align"(ptr %s, i64 16) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %r, i64 16) ]
  ret void
}

; CHECK-LABEL: define internal ptr @helper(ptr byval(%pair) align 4 %s, ptr %p)
define internal align 16 ptr @helper(ptr byval(%pair) align 16 %s, ptr align 16 %p) {
  ret ptr %p
}
