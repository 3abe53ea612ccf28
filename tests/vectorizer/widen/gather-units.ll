; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 --local-size 8,1,1 --isa avx512 -p "always-inline,globaldce,widen" %s | FileCheck %s
; Components that lie one behind the other come and go by gathers and scatters of 4 or 8 bytes.

declare i32 @_Z16__lanecl_lane_idv()

; CHECK-LABEL: define internal void @four_floats.lanes(
; CHECK-COUNT-2: gather{{.*}}dpq.512(
; CHECK-NOT: gather
; CHECK: ret void
define void @four_floats(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %p = call ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a)
  %v = load <4 x float>, ptr addrspace(1) %p, align 4
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 3
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(1) %b
  ret void
}

; CHECK-LABEL: define internal void @eight_bytes.lanes(
; CHECK: %[[UNITS:.*]] = call <8 x i64> @llvm.x86.avx512.mask.gather.dpq.512(
; CHECK: %[[HALVES:.*]] = bitcast <8 x i64> %[[UNITS]] to <16 x i32>
; CHECK: %[[UPPER:.*]] = shufflevector <16 x i32> %[[HALVES]], <16 x i32> poison, <8 x i32> <i32 1, i32 3,
; CHECK: %[[BYTES:.*]] = bitcast <8 x i32> %[[UPPER]] to <32 x i8>
; CHECK: %[[BLOCKS:.*]] = shufflevector <32 x i8> %[[BYTES]], <32 x i8> poison, <32 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1,
; CHECK: %[[DWORDS:.*]] = bitcast <32 x i8> %[[BLOCKS]] to <8 x i32>
; CHECK: shufflevector <8 x i32> %[[DWORDS]], <8 x i32> poison, <8 x i32> <i32 0, i32 4, i32 1, i32 5,
; CHECK-NOT: gather
; CHECK: ret void
define void @eight_bytes(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %p = call ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a)
  %v = load <8 x i8>, ptr addrspace(1) %p, align 1
  %x = extractelement <8 x i8> %v, i32 5
  store i8 %x, ptr addrspace(1) %b
  ret void
}

; Three components are no whole number of units.
; CHECK-LABEL: define internal void @three_floats.lanes(
; CHECK-COUNT-3: gather
; CHECK-NOT: gather
; CHECK: ret void
define void @three_floats(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %p = call ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a)
  %v = load <3 x float>, ptr addrspace(1) %p, align 4
  %x = extractelement <3 x float> %v, i32 2
  store float %x, ptr addrspace(1) %b
  ret void
}

; A half comes in the aligned 4 bytes around it: those of an even or an odd index.
; CHECK-LABEL: define internal void @one_half.lanes(
; CHECK: call <8 x i32> @llvm.x86.avx512.mask.gather
; CHECK: %[[HALVES:.*]] = lshr <8 x i32>
; CHECK: trunc <8 x i32> %[[HALVES]] to <8 x i16>
; CHECK-NOT: gather
; CHECK: ret void
define void @one_half(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %map, i32 %lane
  %i = load i32, ptr addrspace(1) %at
  %wide = sext i32 %i to i64
  %p = getelementptr half, ptr addrspace(1) %a, i64 %wide
  %x = load half, ptr addrspace(1) %p, align 2
  store half %x, ptr addrspace(1) %b
  ret void
}

; A half that may cross their border is loaded lane by lane.
; CHECK-LABEL: define internal void @unaligned_half.lanes(
; CHECK-NOT: gather
; CHECK-COUNT-8: load half, ptr addrspace(1) %{{.*}}, align 1
; CHECK: ret void
define void @unaligned_half(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %map, i32 %lane
  %i = load i32, ptr addrspace(1) %at
  %wide = sext i32 %i to i64
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %wide
  %x = load half, ptr addrspace(1) %p, align 1
  store half %x, ptr addrspace(1) %b
  ret void
}

; The same at a constant distance from lane to lane, with one permute for each quarter of 8 bytes.
; CHECK-LABEL: define internal void @four_halves_apart.lanes(
; CHECK: gather{{.*}}dpq.512(
; CHECK-NOT: gather
; CHECK: shufflevector <32 x half> %{{.*}}, <32 x half> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, {{.*}}>
; CHECK-NOT: gather
; CHECK: ret void
define void @four_halves_apart(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = sext i32 %lane to i64
  %p = getelementptr [64 x half], ptr addrspace(1) %a, i64 %wide
  %v = load <4 x half>, ptr addrspace(1) %p, align 2
  %x = extractelement <4 x half> %v, i32 1
  %y = extractelement <4 x half> %v, i32 3
  %sum = fadd half %x, %y
  store half %sum, ptr addrspace(1) %b
  ret void
}

; If the distance is not a multiple of 8 bytes, they are loaded two by two.
; CHECK-LABEL: define internal void @four_halves_odd.lanes(
; CHECK-COUNT-2: gather3siv8.si(
; CHECK-NOT: gather
; CHECK: ret void
define void @four_halves_odd(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %wide = sext i32 %lane to i64
  %p = getelementptr [62 x half], ptr addrspace(1) %a, i64 %wide
  %v = load <4 x half>, ptr addrspace(1) %p, align 2
  %x = extractelement <4 x half> %v, i32 1
  %y = extractelement <4 x half> %v, i32 3
  %sum = fadd half %x, %y
  store half %sum, ptr addrspace(1) %b
  ret void
}

; The same holds for stores.
; CHECK-LABEL: define internal void @store_halves.lanes(
; CHECK: %[[UPPER:.*]] = shl <8 x i32> %{{.*}}, splat (i32 16)
; CHECK: or <8 x i32> %{{.*}}, %[[UPPER]]
; CHECK: shufflevector <8 x i32> %{{.*}}, <16 x i32> <i32 0, i32 8, i32 1, i32 9,
; CHECK: call void @llvm.masked.scatter.v8i64.v8p1(
; CHECK-NOT: scatter
; CHECK: ret void
define void @store_halves(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr <4 x half>, ptr addrspace(1) %b, i32 %lane
  %v = load <4 x half>, ptr addrspace(1) %at, align 2
  %p = call ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a)
  store <4 x half> %v, ptr addrspace(1) %p, align 2
  ret void
}

; One half of each lane has no instruction. Lanes that do not take part store where nobody reads.
; CHECK-LABEL: define internal void @store_half.lanes(
; CHECK: %[[NOWHERE:.*]] = alloca half
; CHECK: %[[PLACE:.*]] = addrspacecast ptr %[[NOWHERE]] to ptr addrspace(1)
; CHECK: %[[FIRST:.*]] = insertelement <8 x ptr addrspace(1)> poison, ptr addrspace(1) %[[PLACE]]
; CHECK: %[[ALL:.*]] = shufflevector <8 x ptr addrspace(1)> %[[FIRST]]
; CHECK: select <8 x i1> {{.*}}, <8 x ptr addrspace(1)> %{{.*}}, <8 x ptr addrspace(1)> %[[ALL]]
; CHECK-COUNT-8: store half
; CHECK-NOT: scatter
; CHECK: ret void
define void @store_half(ptr addrspace(1) %map, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr half, ptr addrspace(1) %b, i32 %lane
  %v = load half, ptr addrspace(1) %at, align 2
  %p = call ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a)
  %live = icmp ult i32 %lane, 5
  call void @lanecl.block.mask(i1 %live)
  store half %v, ptr addrspace(1) %p, align 2
  ret void
}

declare void @lanecl.block.mask(i1)

define internal ptr addrspace(1) @place(ptr addrspace(1) %map, ptr addrspace(1) %a) alwaysinline {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %at = getelementptr i32, ptr addrspace(1) %map, i32 %lane
  %i = load i32, ptr addrspace(1) %at
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  ret ptr addrspace(1) %p
}
