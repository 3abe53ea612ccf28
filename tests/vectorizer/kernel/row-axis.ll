; Lanes lie along the dimension whose neighbors are neighbors in memory, where the launch leaves it open. Only along
; that dimension a work-group has a size that is not one.
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=2 --kernel columns | FileCheck --check-prefix=Y %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=6 --kernel columns | FileCheck --check-prefix=Y %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=4 --kernel columns | FileCheck --check-prefix=X %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --kernel columns | FileCheck --check-prefix=X %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=6 --kernel product | FileCheck --check-prefix=PRODUCT %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=6 --kernel transposed | FileCheck --check-prefix=TRANSPOSED %s
; RUN: lanecl-opt %s -p row-axis,specialize-launch --local-size=0,1,1 --row-axes=6 --kernel rows | FileCheck --check-prefix=ROWS %s

declare i64 @_Z18__lanecl_global_idj(i32)

; out[x * n + y] = in[x * n + y], by way of a variable as Clang makes them.
; X-LABEL: @columns(
; X: call {{.*}}@_Z28__lanecl_enqueued_local_sizej(i32 0)
; X-NOT: @_Z28__lanecl_enqueued_local_sizej(i32 1)
; X-LABEL: @product(
; Y-LABEL: @columns(
; Y-NOT: @_Z28__lanecl_enqueued_local_sizej(i32 0)
; Y: call {{.*}}@_Z28__lanecl_enqueued_local_sizej(i32 1)
; Y-LABEL: @product(
define void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %index = alloca i32
  %x = call i64 @_Z18__lanecl_global_idj(i32 0)
  %x32 = trunc i64 %x to i32
  %first = mul nsw i32 %x32, %n
  %y = call i64 @_Z18__lanecl_global_idj(i32 1)
  %y32 = trunc i64 %y to i32
  %sum = add nsw i32 %first, %y32
  store i32 %sum, ptr %index
  %i = load i32, ptr %index
  %wide = sext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

; A product of matrices stores c[x * n + z] once, and in its loop loads b[k * n + z] and a[x * n + k].
; PRODUCT-LABEL: @product(
; PRODUCT: call {{.*}}@_Z28__lanecl_enqueued_local_sizej(i32 2)
; PRODUCT-LABEL: @transposed(
define void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
entry:
  %x = call i64 @_Z18__lanecl_global_idj(i32 0)
  %z = call i64 @_Z18__lanecl_global_idj(i32 2)
  %row = mul i64 %x, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i64 %row, %k
  %left.place = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %left = load float, ptr addrspace(1) %left.place
  %b.row = mul i64 %k, %n
  %j = add i64 %b.row, %z
  %right.place = getelementptr inbounds float, ptr addrspace(1) %b, i64 %j
  %right = load float, ptr addrspace(1) %right.place
  %product = fmul float %left, %right
  %more = fadd float %sum, %product
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done

done:
  %o = add i64 %row, %z
  %to = getelementptr inbounds float, ptr addrspace(1) %c, i64 %o
  store float %more, ptr addrspace(1) %to
  ret void
}

; One access is as good along y as the other along x: the lanes stay where they are.
; TRANSPOSED-LABEL: @transposed(
; TRANSPOSED: call {{.*}}@_Z28__lanecl_enqueued_local_sizej(i32 0)
; The copies that were looked at are gone: they would be the last functions.
; TRANSPOSED-LABEL: define void @rows(
; TRANSPOSED-NOT: define
define void @transposed(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %x = call i64 @_Z18__lanecl_global_idj(i32 0)
  %y = call i64 @_Z18__lanecl_global_idj(i32 1)
  %in.row = mul i64 %y, %n
  %i = add i64 %in.row, %x
  %out.row = mul i64 %x, %n
  %o = add i64 %out.row, %y
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %o
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

; Each work-item sums up a row. Its loads are far apart along x, but nothing depends on y or z.
; ROWS-LABEL: @rows(
; ROWS: call {{.*}}@_Z28__lanecl_enqueued_local_sizej(i32 0)
; ROWS-NOT: @_Z28__lanecl_enqueued_local_sizej(i32 {{[12]}})
define void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %x = call i64 @_Z18__lanecl_global_idj(i32 0)
  %first = mul i64 %x, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i64 %first, %k
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from
  %more = fadd float %sum, %value
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %more, ptr addrspace(1) %to
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
