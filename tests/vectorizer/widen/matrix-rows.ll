; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; These are rows of matrices in memory, and the values beside them that stay one scalar.

declare i16 @_Z20__lanecl_row_read_usPU3AS1Ktjj(ptr addrspace(1), i32, i32)
declare void @_Z21__lanecl_row_write_usPU3AS1tjjt(ptr addrspace(1), i32, i32, i16)
declare i32 @_Z20__lanecl_row_read_uiPU3AS1Kjjj(ptr addrspace(1), i32, i32)
declare void @_Z21__lanecl_row_write_uiPU3AS1jjjj(ptr addrspace(1), i32, i32, i32)
declare i32 @_Z24__lanecl_broadcast_firsti(i32)
declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)

; Every lane is inside: one plain vector.
; CHECK-LABEL: define internal void @whole.lanes(
; CHECK: [[V:%.*]] = load <16 x i16>, ptr addrspace(1) {{%.*}}, align 2
; CHECK: store <16 x i16> [[V]], ptr addrspace(1) {{%.*}}, align 2
define void @whole(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %v = call i16 @_Z20__lanecl_row_read_usPU3AS1Ktjj(ptr addrspace(1) %a, i32 0, i32 16)
  call void @_Z21__lanecl_row_write_usPU3AS1tjjt(ptr addrspace(1) %b, i32 0, i32 16, i16 %v)
  ret void
}

; The upper lanes: element 0 is lane 8's, and the lower lanes get zero.
; CHECK-LABEL: define internal void @upper.lanes(
; CHECK: [[START:%.*]] = getelementptr i32, ptr addrspace(1) %a, i64 -8
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p1({{.*}}[[START]], {{.*}}<16 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <16 x i32> zeroinitializer)
define void @upper(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %v = call i32 @_Z20__lanecl_row_read_uiPU3AS1Kjjj(ptr addrspace(1) %a, i32 8, i32 16)
  call void @_Z21__lanecl_row_write_uiPU3AS1jjjj(ptr addrspace(1) %b, i32 0, i32 16, i32 %v)
  ret void
}

; A uniform value is its own broadcast, and one prefetch of a uniform address is enough.
; CHECK-LABEL: define internal void @uniform.lanes(
; CHECK-NOT: extractelement
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) %a, i32 0, i32 3, i32 1)
; CHECK: store i32 {{%n|%.*}}, ptr addrspace(1) %a
; CHECK-NEXT: ret void
define void @uniform(ptr addrspace(1) %a, i32 %n) {
  call void @llvm.prefetch.p1(ptr addrspace(1) %a, i32 0, i32 3, i32 1)
  %m = call i32 @_Z24__lanecl_broadcast_firsti(i32 %n)
  store i32 %m, ptr addrspace(1) %a
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
