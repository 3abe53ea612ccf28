; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -w 8 --local-size 8,1,1 -p widen %s | FileCheck %s
; Lanes divide by the program's divisor where a select replaces the result by zero. Where the program itself keeps the
; divisor from zero, nothing does.

; CHECK-LABEL: define internal void @safe.lanes(
; CHECK: load <8 x i32>
; CHECK: [[Y:%.*]] = load <8 x i32>
; CHECK: uitofp <8 x i32> [[Y]] to <8 x double>
; CHECK: ret void
define void @safe(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %divisor = call i32 @llvm.umax.i32(i32 %given, i32 1)
  %quotient = udiv i32 %dividend, %divisor
  %zero = icmp eq i32 %given, 0
  %result = select i1 %zero, i32 -1, i32 %quotient
  store i32 %result, ptr addrspace(1) %px
  ret void
}

; CHECK-LABEL: define internal void @own.lanes(
; CHECK: load <8 x i32>
; CHECK: [[Y:%.*]] = load <8 x i32>
; CHECK: [[DIVISOR:%.*]] = call <8 x i32> @llvm.umax.v8i32(<8 x i32> [[Y]], <8 x i32> splat (i32 1))
; CHECK: uitofp <8 x i32> [[DIVISOR]] to <8 x double>
; CHECK: ret void
define void @own(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %divisor = call i32 @llvm.umax.i32(i32 %given, i32 1)
  %quotient = udiv i32 %dividend, %divisor
  store i32 %quotient, ptr addrspace(1) %px
  ret void
}

; One of two uses is not replaced.
; CHECK-LABEL: define internal void @both.lanes(
; CHECK: [[DIVISOR:%.*]] = call <8 x i32> @llvm.umax.v8i32(
; CHECK: uitofp <8 x i32> [[DIVISOR]] to <8 x double>
; CHECK: ret void
define void @both(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %divisor = call i32 @llvm.umax.i32(i32 %given, i32 1)
  %quotient = udiv i32 %dividend, %divisor
  %zero = icmp eq i32 %given, 0
  %result = select i1 %zero, i32 -1, i32 %quotient
  store i32 %result, ptr addrspace(1) %px
  store i32 %quotient, ptr addrspace(1) %py
  ret void
}

; The select asks for another value.
; CHECK-LABEL: define internal void @by_other.lanes(
; CHECK: [[DIVISOR:%.*]] = call <8 x i32> @llvm.umax.v8i32(
; CHECK: uitofp <8 x i32> [[DIVISOR]] to <8 x double>
; CHECK: ret void
define void @by_other(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %divisor = call i32 @llvm.umax.i32(i32 %given, i32 1)
  %quotient = udiv i32 %dividend, %divisor
  %zero = icmp eq i32 %dividend, 0
  %result = select i1 %zero, i32 -1, i32 %quotient
  store i32 %result, ptr addrspace(1) %px
  ret void
}

; Nothing replaces the quotient by -1.
; CHECK-LABEL: define internal void @by_zero_only.lanes(
; CHECK: [[DIVISOR:%.*]] = select <8 x i1> {{.*}}, <8 x i32> splat (i32 1), <8 x i32>
; CHECK: sitofp <8 x i32> [[DIVISOR]] to <8 x double>
; CHECK: ret void
define void @by_zero_only(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %more = add i32 %given, 1
  %unsafe = icmp ult i32 %more, 2
  %divisor = select i1 %unsafe, i32 1, i32 %given
  %quotient = sdiv i32 %dividend, %divisor
  %zero = icmp eq i32 %given, 0
  %result = select i1 %zero, i32 -1, i32 %quotient
  store i32 %result, ptr addrspace(1) %px
  ret void
}

; The remainder by -1 is the replacement's.
; CHECK-LABEL: define internal void @remainder.lanes(
; CHECK: [[DIVISOR:%.*]] = select <8 x i1> {{.*}}, <8 x i32> splat (i32 1), <8 x i32>
; CHECK: sitofp <8 x i32> [[DIVISOR]] to <8 x double>
; CHECK: ret void
define void @remainder(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %px = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  %py = getelementptr i32, ptr addrspace(1) %y, i32 %lane
  %dividend = load i32, ptr addrspace(1) %px
  %given = load i32, ptr addrspace(1) %py
  %more = add i32 %given, 1
  %unsafe = icmp ult i32 %more, 2
  %divisor = select i1 %unsafe, i32 1, i32 %given
  %rest = srem i32 %dividend, %divisor
  %zero = icmp eq i32 %given, 0
  %result = select i1 %zero, i32 %dividend, i32 %rest
  store i32 %result, ptr addrspace(1) %px
  ret void
}

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @llvm.umax.i32(i32, i32)
