; Queries in lanes functions become parameters and loads from the launch structs, with the range the query promised.
; RUN: lanecl-opt %s -p lower-queries -w 16 | FileCheck %s

declare i64 @_Z17__lanecl_group_idj(i32)
declare i64 @_Z20__lanecl_global_sizej(i32)
declare i32 @_Z21__lanecl_sub_group_idv()
declare i32 @_Z23__lanecl_sub_group_sizev()
declare i32 @_Z15__lanecl_printfPU3AS2cPhj(ptr addrspace(2), ptr, i32)

; CHECK-LABEL: @k.lanes(
; CHECK: store volatile i64 %gy
; CHECK: getelementptr inbounds{{.*}} i8, ptr addrspace(2) %launch, i64 16
; CHECK: [[SIZE:%.*]] = load i64, {{.*}} !range [[RANGE:![0-9]+]], !invariant.load
; CHECK: store volatile i64 [[SIZE]]
; CHECK: store volatile i32 %sg,
; CHECK: store volatile i32 %active,
; CHECK: %services = load ptr, ptr addrspace(2)
; CHECK: [[PRINTF:%.*]] = load ptr, ptr {{.*}}, align 8
; CHECK: call i32 [[PRINTF]](ptr {{.*}}ptr %scratch, i32 8)
; CHECK: [[RANGE]] = !{i64 0, i64 100}
define void @k.lanes(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx, i64 %gy,
                     i64 %gz, i32 %sg, i32 %active, ptr %scratch) {
  %a = call i64 @_Z17__lanecl_group_idj(i32 1)
  store volatile i64 %a, ptr %scratch
  %b = call range(i64 0, 100) i64 @_Z20__lanecl_global_sizej(i32 2)
  store volatile i64 %b, ptr %scratch
  %c = call i32 @_Z21__lanecl_sub_group_idv()
  store volatile i32 %c, ptr %scratch
  %d = call i32 @_Z23__lanecl_sub_group_sizev()
  store volatile i32 %d, ptr %scratch
  %e = call i32 @_Z15__lanecl_printfPU3AS2cPhj(ptr addrspace(2) null, ptr %scratch, i32 8)
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
