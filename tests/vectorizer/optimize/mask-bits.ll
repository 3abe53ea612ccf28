; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt --isa avx2 -p mask-bits %s | FileCheck %s
; RUN: lanecl-opt --isa avx512 -p mask-bits %s | FileCheck --check-prefix MASKS %s
; The bits of a mask come from each of its registers.

; CHECK-LABEL: @two(
; CHECK: %[[LOW:.*]] = call i32 @llvm.x86.avx.movmsk.ps.256
; CHECK: %[[HIGH:.*]] = call i32 @llvm.x86.avx.movmsk.ps.256
; CHECK: %[[UP:.*]] = shl i32 %[[HIGH]], 8
; CHECK: %[[BOTH:.*]] = or i32 %[[LOW]], %[[UP]]
; CHECK: trunc i32 %[[BOTH]] to i16
; MASKS-NOT: movmsk
define i32 @two(<16 x i32> %v) {
  %mask = icmp ugt <16 x i32> %v, splat (i32 9)
  %bits = bitcast <16 x i1> %mask to i16
  %wide = zext i16 %bits to i32
  ret i32 %wide
}

; CHECK-LABEL: @four(
; CHECK-COUNT-4: call i32 @llvm.x86.avx.movmsk.ps.256
; CHECK-NOT: bitcast <32 x i1>
define i32 @four(<32 x float> %v) {
  %mask = fcmp olt <32 x float> %v, splat (float 9.0)
  %bits = bitcast <32 x i1> %mask to i32
  ret i32 %bits
}

; CHECK-LABEL: @one(
; CHECK: bitcast <8 x i1>
define i8 @one(<8 x i32> %v) {
  %mask = icmp ugt <8 x i32> %v, splat (i32 9)
  %bits = bitcast <8 x i1> %mask to i8
  ret i8 %bits
}

; CHECK-LABEL: @bytes(
; CHECK: bitcast <16 x i1>
define i16 @bytes(<16 x i8> %v) {
  %mask = icmp ugt <16 x i8> %v, splat (i8 9)
  %bits = bitcast <16 x i1> %mask to i16
  ret i16 %bits
}

; CHECK-LABEL: @any(
; CHECK: bitcast <16 x i1>
define i1 @any(<16 x i32> %v) {
  %mask = icmp ugt <16 x i32> %v, splat (i32 9)
  %bits = bitcast <16 x i1> %mask to i16
  %any = icmp ne i16 %bits, 0
  ret i1 %any
}
