; RUN: lanecl-opt -w 16 --local-size 16,1,1 -p widen %s | FileCheck %s
; The scalar of a strided value is lane 0's, and where lane 0 is inactive nothing that holds for active lanes is used.

declare i32 @_Z16__lanecl_lane_idv()
declare i1 @lanecl.any(i1)
declare void @lanecl.block.mask(i1)

; The low bit is clear in active lanes; with lane 0's odd number `or` would not be an addition.
; CHECK-LABEL: define internal void @disjoint.lanes(
; CHECK-NOT: or disjoint
; CHECK-NOT: or i32
; CHECK: %next = add i32 %x, 1
define void @disjoint(ptr addrspace(1) %out, i32 %x0) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = add i32 %lane, %x0
  %bit = and i32 %x, 1
  %even = icmp eq i32 %bit, 0
  %any = call i1 @lanecl.any(i1 %even)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %even)
  %next = or disjoint i32 %x, 1
  %l = zext nneg i32 %lane to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %l
  store i32 %next, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; The sum may have wrapped around in lane 0: its extension is taken from the first active lane's.
; CHECK-LABEL: define internal void @extension.lanes(
; CHECK: then:
; CHECK: %sum = add i32
; CHECK: %first.lane = and i32 {{.*}}, 15
; CHECK: %[[THERE:.*]] = add i32 %sum,
; CHECK: %[[WIDE:.*]] = sext i32 %[[THERE]] to i64
; CHECK: zext i32 %first.lane to i64
; CHECK: sub i64 %[[WIDE]],
define void @extension(ptr addrspace(1) %out, i32 %u, i32 %v) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = sub nsw i32 %lane, %u
  %above = icmp sge i32 %x, 0
  %any = call i1 @lanecl.any(i1 %above)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %above)
  %sum = add nsw i32 %x, %v
  %wide = sext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; The same holds where the address arithmetic extends the index.
; CHECK-LABEL: define internal void @narrow_index.lanes(
; CHECK: then:
; CHECK: sext i32
; CHECK: %[[BASE:.*]] = sub i64
; CHECK: getelementptr i32, ptr addrspace(1) %out, i64 %[[BASE]]
define void @narrow_index(ptr addrspace(1) %out, i32 %u, i32 %v) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = sub nsw i32 %lane, %u
  %above = icmp sge i32 %x, 0
  %any = call i1 @lanecl.any(i1 %above)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %above)
  %sum = add nsw i32 %x, %v
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %sum
  store i32 0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Numbers from zero up leave room for lane 0 below zero, where the sign extension goes on: nothing is asked at run time.
; CHECK-LABEL: define internal void @non_negative.lanes(
; CHECK: then:
; CHECK-NOT: cttz
; CHECK: sext i32 %sum to i64
; CHECK-NOT: zext nneg
; CHECK: ret void
define void @non_negative(ptr addrspace(1) %out, i32 %u, i32 %v) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = sub nsw i32 %lane, %u
  %above = icmp sge i32 %x, 0
  %any = call i1 @lanecl.any(i1 %above)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %above)
  %sum = add nsw i32 %x, %v
  %wide = zext nneg i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; The difference of two strided values is the same in all lanes; its flags are those of active lanes, its operands lane 0's.
; CHECK-LABEL: define internal void @same.lanes(
; CHECK: then:
; CHECK: %same = sub i32 %x, 0
define void @same(ptr addrspace(1) %out, i32 %u) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = sub nsw i32 %lane, %u
  %above = icmp sge i32 %x, 0
  %any = call i1 @lanecl.any(i1 %above)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %above)
  %same = sub nuw nsw i32 %x, %lane
  store i32 %same, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; A guard may tell that active lanes' addresses are multiples of 64; the vector begins at lane 0's.
; CHECK-LABEL: define internal void @alignment.lanes(
; CHECK: @llvm.masked.load.v16i32.p3(ptr addrspace(3) align 4
; CHECK: @llvm.masked.store.v16i32.p3({{.*}}, ptr addrspace(3) align 4
define void @alignment(ptr addrspace(3) align 64 %a, i32 %x0) {
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %x = add nuw nsw i32 %lane, %x0
  %low = and i32 %x, 15
  %aligned = icmp eq i32 %low, 0
  %any = call i1 @lanecl.any(i1 %aligned)
  br i1 %any, label %then, label %end
then:
  call void @lanecl.block.mask(i1 %aligned)
  %l = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr addrspace(3) %a, i64 %l
  %v = load i32, ptr addrspace(3) %p, align 64
  %w = add i32 %v, %v
  store i32 %w, ptr addrspace(3) %p, align 64
  br label %end
end:
  ret void
}
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
