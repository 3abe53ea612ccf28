; RUN: lanecl-opt -p image-handles %s | FileCheck %s

; An image argument is the address of its descriptor, which nothing changes; its primitive goes away.
; CHECK-LABEL: define void @width(ptr addrspace(2) %image, ptr addrspace(1) %out)
; CHECK-NEXT: %extent = getelementptr inbounds i8, ptr addrspace(2) %image, i64 24
; CHECK-NEXT: %width = load i32, ptr addrspace(2) %extent, align 8, !invariant.load
; CHECK-NEXT: store i32 %width, ptr addrspace(1) %out
define void @width(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, ptr addrspace(1) %out) {
  %descriptor = call ptr addrspace(2) @_Z14__lanecl_image14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image)
  %extent = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 24
  %width = load i32, ptr addrspace(2) %extent, align 8
  store i32 %width, ptr addrspace(1) %out
  ret void
}

; A sampler is a number of 64 bits, of which the primitive takes the lower half.
; CHECK-LABEL: define void @state(i64 %sampler, ptr addrspace(1) %out)
; CHECK-NEXT: %[[LOW:.*]] = trunc i64 %sampler to i32
; CHECK-NEXT: store i32 %[[LOW]], ptr addrspace(1) %out
define void @state(target("spirv.Sampler") %sampler, ptr addrspace(1) %out) {
  %bits = call i32 @_Z16__lanecl_sampler11ocl_sampler(target("spirv.Sampler") %sampler)
  store i32 %bits, ptr addrspace(1) %out
  ret void
}

; These are samplers in the program, handles in variables, and both ways of a branch.
; CHECK-LABEL: define void @chosen(i1 %condition, i64 %sampler, ptr addrspace(1) %out)
; CHECK: %variable = alloca i64
; CHECK: store i64 20, ptr %variable
; CHECK: %literal = load i64, ptr %variable
; CHECK: %either = phi i64 [ %literal, %then ], [ %sampler, %entry ]
define void @chosen(i1 %condition, target("spirv.Sampler") %sampler, ptr addrspace(1) %out) {
entry:
  %variable = alloca target("spirv.Sampler"), align 8
  %made = call target("spirv.Sampler") @__translate_sampler_initializer(i32 20)
  store target("spirv.Sampler") %made, ptr %variable, align 8
  br i1 %condition, label %then, label %end

then:
  %literal = load target("spirv.Sampler"), ptr %variable, align 8
  br label %end

end:
  %either = phi target("spirv.Sampler") [ %literal, %then ], [ %sampler, %entry ]
  %bits = call i32 @_Z16__lanecl_sampler11ocl_sampler(target("spirv.Sampler") %either)
  store i32 %bits, ptr addrspace(1) %out
  ret void
}

; A pipe is the address of its state, which changes.
; CHECK-LABEL: define void @packets(ptr addrspace(1) %pipe, ptr addrspace(1) %out)
; CHECK-NEXT: %published = load atomic i64, ptr addrspace(1) %pipe seq_cst, align 8{{$}}
define void @packets(target("spirv.Pipe", 0) %pipe, ptr addrspace(1) %out) {
  %ring = call ptr addrspace(1) @_Z16__lanecl_pipe_ro8ocl_pipe(target("spirv.Pipe", 0) %pipe)
  %published = load atomic i64, ptr addrspace(1) %ring seq_cst, align 8
  store i64 %published, ptr addrspace(1) %out
  ret void
}

; Reservations are numbers of 64 bits, also in arrays. The null one is 0.
; CHECK-LABEL: define void @reserved(i1 %condition, i64 %number, i64 %index, ptr addrspace(1) %out)
; CHECK: %array = alloca [3 x i64]
; CHECK: %place = getelementptr inbounds [3 x i64], ptr %array, i64 0, i64 %index
; CHECK: store i64 %number, ptr %place
; CHECK: %kept = load i64, ptr %place
; CHECK: %either = phi i64 [ %kept, %then ], [ 0, %entry ]
; CHECK: store i64 %either, ptr addrspace(1) %out
define void @reserved(i1 %condition, i64 %number, i64 %index, ptr addrspace(1) %out) {
entry:
  %array = alloca [3 x target("spirv.ReserveId")], align 8
  %place = getelementptr inbounds [3 x target("spirv.ReserveId")], ptr %array, i64 0, i64 %index
  %id = call target("spirv.ReserveId") @_Z19__lanecl_reserve_idm(i64 %number)
  store target("spirv.ReserveId") %id, ptr %place, align 8
  br i1 %condition, label %then, label %end

then:
  %kept = load target("spirv.ReserveId"), ptr %place, align 8
  br label %end

end:
  %either = phi target("spirv.ReserveId") [ %kept, %then ], [ zeroinitializer, %entry ]
  %bits = call i64 @_Z20__lanecl_reservation13ocl_reserveid(target("spirv.ReserveId") %either)
  store i64 %bits, ptr addrspace(1) %out
  ret void
}

; What has no handles stays as it is.
; CHECK-LABEL: define void @plain(ptr addrspace(1) %out)
; CHECK-NEXT: store i32 1, ptr addrspace(1) %out
define void @plain(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

declare ptr addrspace(2) @_Z14__lanecl_image14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
declare i32 @_Z16__lanecl_sampler11ocl_sampler(target("spirv.Sampler"))
declare target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare ptr addrspace(1) @_Z16__lanecl_pipe_ro8ocl_pipe(target("spirv.Pipe", 0))
declare target("spirv.ReserveId") @_Z19__lanecl_reserve_idm(i64)
declare i64 @_Z20__lanecl_reservation13ocl_reserveid(target("spirv.ReserveId"))
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
