; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a block has more than 100 addresses, they become a base, which they share, and constants. awk writes the
; function, with that many of them.
; RUN: awk -v count=101 -f %S/Inputs/stores.awk | lanecl-opt - -p vector-optimize -w 8 | FileCheck %s --check-prefix=MANY
; RUN: awk -v count=100 -f %S/Inputs/stores.awk | lanecl-opt - -p vector-optimize -w 8 | FileCheck %s --check-prefix=FEW

; MANY: %[[WIDE:.*]] = zext i32 %first to i64
; MANY-NEXT: %[[BASE:.*]] = getelementptr i32, ptr addrspace(1) %out, i64 %[[WIDE]]
; MANY: getelementptr{{.*}} i8, ptr addrspace(1) %[[BASE]], i64 4
; MANY: getelementptr{{.*}} i8, ptr addrspace(1) %[[BASE]], i64 404
; FEW: add nuw i32 %first, 100
; FEW-NEXT: zext
; FEW-NEXT: getelementptr i32, ptr addrspace(1) %out
