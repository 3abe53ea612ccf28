; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; Gathers take a scalar base and 32-bit offsets, eight to a register, where these say every address.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define internal void @signed_index.lanes(
; CHECK: @llvm.x86.avx2.gather.d.d.256({{.*}}, i8 4)
; CHECK: @llvm.x86.avx2.gather.d.d.256(
; CHECK-NOT: gather.q
; CHECK: ret void
define void @signed_index(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i32 @varying()
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %b
  ret void
}

; Unsigned numbers from the middle of their range on: 2^31 elements of four bytes.
; CHECK-LABEL: define internal void @unsigned_index.lanes(
; CHECK: %[[MIDDLE:.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 8589934592
; CHECK: xor <16 x i32> %{{.*}}, splat (i32 -2147483648)
; CHECK: addrspacecast ptr addrspace(1) %[[MIDDLE]]
; CHECK: @llvm.x86.avx2.gather.d.d.256({{.*}}, i8 4)
; CHECK-NOT: gather.q
; CHECK: ret void
define void @unsigned_index(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i32 @varying()
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %b
  ret void
}

; What is the same for all lanes goes to the base, constants included.
; CHECK-LABEL: define internal void @uniform_parts.lanes(
; CHECK: %[[BYTES:.*]] = mul i64 %{{.*}}, 24
; CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 %[[BYTES]]
; CHECK: mul <16 x i32> %{{.*}}, splat (i32 3)
; CHECK: @llvm.x86.avx2.gather.d.d.256({{.*}}, i8 8)
; CHECK-NOT: gather.q
; CHECK: ret void
define void @uniform_parts(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %row) {
  %v = call i32 @varying()
  %byte = and i32 %v, 255
  %i = zext nneg i32 %byte to i64
  %sum = add i64 %row, %i
  %scaled = mul i64 %sum, 3
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %scaled
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %x = load float, ptr addrspace(1) %q
  store float %x, ptr addrspace(1) %b
  ret void
}

; Elements of 16 bytes: the instruction multiplies by at most 8, and twice the index may need 33 bits.
; CHECK-LABEL: define internal void @large_elements.lanes(
; CHECK: mul <16 x i64> %{{.*}}, splat (i64 2)
; CHECK: @llvm.x86.avx2.gather.q.d.256({{.*}}, i8 8)
; CHECK: ret void
define void @large_elements(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i32 @varying()
  %wide = sext i32 %i to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %wide
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %b
  ret void
}

; Two indices that differ between lanes and have scales of their own, and pointers from memory, need whole addresses.
; CHECK-LABEL: define internal void @whole_addresses.lanes(
; CHECK: ptrtoint <16 x ptr addrspace(1)>
; CHECK: @llvm.x86.avx2.gather.q.d.256(
; CHECK: ret void
define void @whole_addresses(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i32 @varying()
  %j = call i32 @varying()
  %p = getelementptr [7 x float], ptr addrspace(1) %a, i32 %i, i32 %j
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %b
  ret void
}

declare i32 @varying() memory(none) convergent nounwind willreturn
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
