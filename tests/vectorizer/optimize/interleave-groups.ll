; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; RUN: lanecl-opt -p interleave-groups %s | FileCheck %s
; Volatile accesses forbid it, because work-groups might tell each other something by them.
; RUN: sed '/^ /s/= load i64/= load volatile i64/' %s | lanecl-opt -p interleave-groups - | FileCheck %s --check-prefix=APART
; RUN: sed '/^ /s/store i64/store volatile i64/' %s | lanecl-opt -p interleave-groups - | FileCheck %s --check-prefix=APART
; APART-LABEL: define void @chain(
; APART-NOT: pairs
; APART: ret void
; A store before the chain stays before the load that begins it.
; RUN: sed '/^ /s/%%x0 = load/store i64 7, ptr addrspace(1) null\n  %%x0 = load/' %s | lanecl-opt -p interleave-groups - | FileCheck %s --check-prefix=ORDER
; ORDER-LABEL: define void @chain(
; ORDER: pairs:
; ORDER-NOT: load
; ORDER: store i64 7
; ORDER: ret void
; Work-groups whose code is one long chain of instructions run two at a time.

; CHECK-LABEL: define void @chain(
; CHECK: %[[COUNT:.*]] = sub i64 %x_end, %x_begin
; CHECK: icmp uge i64 %[[COUNT]], 2
; CHECK: pairs:
; CHECK: %first = phi i64 [ %x_begin, %pairs.check ], [ %[[NEXT:.*]], %pairs ]
; CHECK: %second = add nuw i64 %first, 1
; CHECK: %[[P:.*]] = getelementptr i64, ptr addrspace(1) %data, i64 %first
; CHECK: %[[Q:.*]] = getelementptr i64, ptr addrspace(1) %data, i64 %second
; CHECK: load i64, ptr addrspace(1) %[[P]]
; CHECK: load i64, ptr addrspace(1) %[[Q]]
; CHECK: mul i64
; CHECK-NEXT: mul i64
; CHECK-NEXT: xor i64
; CHECK-NEXT: xor i64
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %[[P]]
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %[[Q]]
; CHECK: pairs.rest:
; CHECK: icmp eq i64 %[[NEXT]], %x_end
; CHECK: loop:
; CHECK: phi i64 [ %x_begin, %pairs.check ], [ %next{{.*}}, %loop ], [ %[[NEXT]], %pairs.rest ]
define void @chain(ptr %launch, ptr %worker, ptr %local_size, i64 %x_begin, i64 %x_end, i64 %y, i64 %z, ptr addrspace(1) %data) {
entry:
  br label %loop
loop:
  %group = phi i64 [ %x_begin, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %group
  %x0 = load i64, ptr addrspace(1) %p
  %y0 = mul i64 %x0, 3
  %x1 = xor i64 %y0, %group
  %y1 = mul i64 %x1, 3
  %x2 = xor i64 %y1, %group
  %y2 = mul i64 %x2, 3
  %x3 = xor i64 %y2, %group
  %y3 = mul i64 %x3, 3
  %x4 = xor i64 %y3, %group
  %y4 = mul i64 %x4, 3
  %x5 = xor i64 %y4, %group
  %y5 = mul i64 %x5, 3
  %x6 = xor i64 %y5, %group
  %y6 = mul i64 %x6, 3
  %x7 = xor i64 %y6, %group
  %y7 = mul i64 %x7, 3
  %x8 = xor i64 %y7, %group
  %y8 = mul i64 %x8, 3
  %x9 = xor i64 %y8, %group
  %y9 = mul i64 %x9, 3
  %x10 = xor i64 %y9, %group
  %y10 = mul i64 %x10, 3
  %x11 = xor i64 %y10, %group
  %y11 = mul i64 %x11, 3
  %x12 = xor i64 %y11, %group
  %y12 = mul i64 %x12, 3
  %x13 = xor i64 %y12, %group
  %y13 = mul i64 %x13, 3
  %x14 = xor i64 %y13, %group
  %y14 = mul i64 %x14, 3
  %x15 = xor i64 %y14, %group
  %y15 = mul i64 %x15, 3
  %x16 = xor i64 %y15, %group
  %y16 = mul i64 %x16, 3
  %x17 = xor i64 %y16, %group
  %y17 = mul i64 %x17, 3
  %x18 = xor i64 %y17, %group
  %y18 = mul i64 %x18, 3
  %x19 = xor i64 %y18, %group
  %y19 = mul i64 %x19, 3
  %x20 = xor i64 %y19, %group
  %y20 = mul i64 %x20, 3
  %x21 = xor i64 %y20, %group
  %y21 = mul i64 %x21, 3
  %x22 = xor i64 %y21, %group
  %y22 = mul i64 %x22, 3
  %x23 = xor i64 %y22, %group
  %y23 = mul i64 %x23, 3
  %x24 = xor i64 %y23, %group
  %y24 = mul i64 %x24, 3
  %x25 = xor i64 %y24, %group
  %y25 = mul i64 %x25, 3
  %x26 = xor i64 %y25, %group
  %y26 = mul i64 %x26, 3
  %x27 = xor i64 %y26, %group
  %y27 = mul i64 %x27, 3
  %x28 = xor i64 %y27, %group
  %y28 = mul i64 %x28, 3
  %x29 = xor i64 %y28, %group
  %y29 = mul i64 %x29, 3
  %x30 = xor i64 %y29, %group
  %y30 = mul i64 %x30, 3
  %x31 = xor i64 %y30, %group
  %y31 = mul i64 %x31, 3
  %x32 = xor i64 %y31, %group
  %y32 = mul i64 %x32, 3
  %x33 = xor i64 %y32, %group
  %y33 = mul i64 %x33, 3
  %x34 = xor i64 %y33, %group
  %y34 = mul i64 %x34, 3
  %x35 = xor i64 %y34, %group
  %y35 = mul i64 %x35, 3
  %x36 = xor i64 %y35, %group
  %y36 = mul i64 %x36, 3
  %x37 = xor i64 %y36, %group
  %y37 = mul i64 %x37, 3
  %x38 = xor i64 %y37, %group
  %y38 = mul i64 %x38, 3
  %x39 = xor i64 %y38, %group
  %y39 = mul i64 %x39, 3
  %x40 = xor i64 %y39, %group
  %y40 = mul i64 %x40, 3
  %x41 = xor i64 %y40, %group
  %y41 = mul i64 %x41, 3
  %x42 = xor i64 %y41, %group
  %y42 = mul i64 %x42, 3
  %x43 = xor i64 %y42, %group
  %y43 = mul i64 %x43, 3
  %x44 = xor i64 %y43, %group
  %y44 = mul i64 %x44, 3
  %x45 = xor i64 %y44, %group
  %y45 = mul i64 %x45, 3
  %x46 = xor i64 %y45, %group
  %y46 = mul i64 %x46, 3
  %x47 = xor i64 %y46, %group
  %y47 = mul i64 %x47, 3
  %x48 = xor i64 %y47, %group
  %y48 = mul i64 %x48, 3
  %x49 = xor i64 %y48, %group
  %y49 = mul i64 %x49, 3
  %x50 = xor i64 %y49, %group
  %y50 = mul i64 %x50, 3
  %x51 = xor i64 %y50, %group
  %y51 = mul i64 %x51, 3
  %x52 = xor i64 %y51, %group
  %y52 = mul i64 %x52, 3
  %x53 = xor i64 %y52, %group
  %y53 = mul i64 %x53, 3
  %x54 = xor i64 %y53, %group
  %y54 = mul i64 %x54, 3
  %x55 = xor i64 %y54, %group
  %y55 = mul i64 %x55, 3
  %x56 = xor i64 %y55, %group
  %y56 = mul i64 %x56, 3
  %x57 = xor i64 %y56, %group
  %y57 = mul i64 %x57, 3
  %x58 = xor i64 %y57, %group
  %y58 = mul i64 %x58, 3
  %x59 = xor i64 %y58, %group
  %y59 = mul i64 %x59, 3
  %x60 = xor i64 %y59, %group
  store i64 %x60, ptr addrspace(1) %p
  %next = add nuw i64 %group, 1
  %done = icmp eq i64 %next, %x_end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; All that it needs is there at once.
; CHECK-LABEL: define void @wide(
; CHECK-NOT: pairs
; CHECK: ret void
define void @wide(ptr %launch, ptr %worker, ptr %local_size, i64 %x_begin, i64 %x_end, i64 %y, i64 %z, ptr addrspace(1) %data) {
entry:
  br label %loop
loop:
  %group = phi i64 [ %x_begin, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %group
  %x0 = load i64, ptr addrspace(1) %p
  %y0 = add i64 %x0, 3
  %y1 = add i64 %x0, 4
  %y2 = add i64 %x0, 5
  %y3 = add i64 %x0, 6
  %y4 = add i64 %x0, 7
  %y5 = add i64 %x0, 8
  %y6 = add i64 %x0, 9
  %y7 = add i64 %x0, 10
  %y8 = add i64 %x0, 11
  %y9 = add i64 %x0, 12
  %y10 = add i64 %x0, 13
  %y11 = add i64 %x0, 14
  %y12 = add i64 %x0, 15
  %y13 = add i64 %x0, 16
  %y14 = add i64 %x0, 17
  %y15 = add i64 %x0, 18
  %y16 = add i64 %x0, 19
  %y17 = add i64 %x0, 20
  %y18 = add i64 %x0, 21
  %y19 = add i64 %x0, 22
  %y20 = add i64 %x0, 23
  %y21 = add i64 %x0, 24
  %y22 = add i64 %x0, 25
  %y23 = add i64 %x0, 26
  %y24 = add i64 %x0, 27
  %y25 = add i64 %x0, 28
  %y26 = add i64 %x0, 29
  %y27 = add i64 %x0, 30
  %y28 = add i64 %x0, 31
  %y29 = add i64 %x0, 32
  %y30 = add i64 %x0, 33
  %y31 = add i64 %x0, 34
  %y32 = add i64 %x0, 35
  %y33 = add i64 %x0, 36
  %y34 = add i64 %x0, 37
  %y35 = add i64 %x0, 38
  %y36 = add i64 %x0, 39
  %y37 = add i64 %x0, 40
  %y38 = add i64 %x0, 41
  %y39 = add i64 %x0, 42
  %y40 = add i64 %x0, 43
  %y41 = add i64 %x0, 44
  %y42 = add i64 %x0, 45
  %y43 = add i64 %x0, 46
  %y44 = add i64 %x0, 47
  %y45 = add i64 %x0, 48
  %y46 = add i64 %x0, 49
  %y47 = add i64 %x0, 50
  %y48 = add i64 %x0, 51
  %y49 = add i64 %x0, 52
  %y50 = add i64 %x0, 53
  %y51 = add i64 %x0, 54
  %y52 = add i64 %x0, 55
  %y53 = add i64 %x0, 56
  %y54 = add i64 %x0, 57
  %y55 = add i64 %x0, 58
  %y56 = add i64 %x0, 59
  %y57 = add i64 %x0, 60
  %y58 = add i64 %x0, 61
  %y59 = add i64 %x0, 62
  %y60 = add i64 %x0, 63
  %y61 = add i64 %x0, 64
  %y62 = add i64 %x0, 65
  %y63 = add i64 %x0, 66
  %y64 = add i64 %x0, 67
  %y65 = add i64 %x0, 68
  %y66 = add i64 %x0, 69
  %y67 = add i64 %x0, 70
  %y68 = add i64 %x0, 71
  %y69 = add i64 %x0, 72
  %y70 = add i64 %x0, 73
  %y71 = add i64 %x0, 74
  %y72 = add i64 %x0, 75
  %y73 = add i64 %x0, 76
  %y74 = add i64 %x0, 77
  %y75 = add i64 %x0, 78
  %y76 = add i64 %x0, 79
  %y77 = add i64 %x0, 80
  %y78 = add i64 %x0, 81
  %y79 = add i64 %x0, 82
  %t0 = xor i64 %y0, %y1
  %t1 = xor i64 %y2, %y3
  %t2 = xor i64 %y4, %y5
  %t3 = xor i64 %y6, %y7
  %t4 = xor i64 %y8, %y9
  %t5 = xor i64 %y10, %y11
  %t6 = xor i64 %y12, %y13
  %t7 = xor i64 %y14, %y15
  %t8 = xor i64 %y16, %y17
  %t9 = xor i64 %y18, %y19
  %t10 = xor i64 %y20, %y21
  %t11 = xor i64 %y22, %y23
  %t12 = xor i64 %y24, %y25
  %t13 = xor i64 %y26, %y27
  %t14 = xor i64 %y28, %y29
  %t15 = xor i64 %y30, %y31
  %t16 = xor i64 %y32, %y33
  %t17 = xor i64 %y34, %y35
  %t18 = xor i64 %y36, %y37
  %t19 = xor i64 %y38, %y39
  %t20 = xor i64 %y40, %y41
  %t21 = xor i64 %y42, %y43
  %t22 = xor i64 %y44, %y45
  %t23 = xor i64 %y46, %y47
  %t24 = xor i64 %y48, %y49
  %t25 = xor i64 %y50, %y51
  %t26 = xor i64 %y52, %y53
  %t27 = xor i64 %y54, %y55
  %t28 = xor i64 %y56, %y57
  %t29 = xor i64 %y58, %y59
  %t30 = xor i64 %y60, %y61
  %t31 = xor i64 %y62, %y63
  %t32 = xor i64 %y64, %y65
  %t33 = xor i64 %y66, %y67
  %t34 = xor i64 %y68, %y69
  %t35 = xor i64 %y70, %y71
  %t36 = xor i64 %y72, %y73
  %t37 = xor i64 %y74, %y75
  %t38 = xor i64 %y76, %y77
  %t39 = xor i64 %y78, %y79
  %t40 = xor i64 %t0, %t1
  %t41 = xor i64 %t2, %t3
  %t42 = xor i64 %t4, %t5
  %t43 = xor i64 %t6, %t7
  %t44 = xor i64 %t8, %t9
  %t45 = xor i64 %t10, %t11
  %t46 = xor i64 %t12, %t13
  %t47 = xor i64 %t14, %t15
  %t48 = xor i64 %t16, %t17
  %t49 = xor i64 %t18, %t19
  %t50 = xor i64 %t20, %t21
  %t51 = xor i64 %t22, %t23
  %t52 = xor i64 %t24, %t25
  %t53 = xor i64 %t26, %t27
  %t54 = xor i64 %t28, %t29
  %t55 = xor i64 %t30, %t31
  %t56 = xor i64 %t32, %t33
  %t57 = xor i64 %t34, %t35
  %t58 = xor i64 %t36, %t37
  %t59 = xor i64 %t38, %t39
  %t60 = xor i64 %t40, %t41
  %t61 = xor i64 %t42, %t43
  %t62 = xor i64 %t44, %t45
  %t63 = xor i64 %t46, %t47
  %t64 = xor i64 %t48, %t49
  %t65 = xor i64 %t50, %t51
  %t66 = xor i64 %t52, %t53
  %t67 = xor i64 %t54, %t55
  %t68 = xor i64 %t56, %t57
  %t69 = xor i64 %t58, %t59
  %t70 = xor i64 %t60, %t61
  %t71 = xor i64 %t62, %t63
  %t72 = xor i64 %t64, %t65
  %t73 = xor i64 %t66, %t67
  %t74 = xor i64 %t68, %t69
  %t75 = xor i64 %t70, %t71
  %t76 = xor i64 %t72, %t73
  %t77 = xor i64 %t75, %t76
  %t78 = xor i64 %t77, %t74
  store i64 %t78, ptr addrspace(1) %p
  %next = add nuw i64 %group, 1
  %done = icmp eq i64 %next, %x_end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Several of them are in the processor's window anyway.
; CHECK-LABEL: define void @short(
; CHECK-NOT: pairs
; CHECK: ret void
define void @short(ptr %launch, ptr %worker, ptr %local_size, i64 %x_begin, i64 %x_end, i64 %y, i64 %z, ptr addrspace(1) %data) {
entry:
  br label %loop
loop:
  %group = phi i64 [ %x_begin, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %group
  %x0 = load i64, ptr addrspace(1) %p
  %y0 = mul i64 %x0, 3
  %x1 = xor i64 %y0, %group
  %y1 = mul i64 %x1, 3
  %x2 = xor i64 %y1, %group
  %y2 = mul i64 %x2, 3
  %x3 = xor i64 %y2, %group
  %y3 = mul i64 %x3, 3
  %x4 = xor i64 %y3, %group
  %y4 = mul i64 %x4, 3
  %x5 = xor i64 %y4, %group
  %y5 = mul i64 %x5, 3
  %x6 = xor i64 %y5, %group
  %y6 = mul i64 %x6, 3
  %x7 = xor i64 %y6, %group
  %y7 = mul i64 %x7, 3
  %x8 = xor i64 %y7, %group
  %y8 = mul i64 %x8, 3
  %x9 = xor i64 %y8, %group
  %y9 = mul i64 %x9, 3
  %x10 = xor i64 %y9, %group
  %y10 = mul i64 %x10, 3
  %x11 = xor i64 %y10, %group
  %y11 = mul i64 %x11, 3
  %x12 = xor i64 %y11, %group
  %y12 = mul i64 %x12, 3
  %x13 = xor i64 %y12, %group
  %y13 = mul i64 %x13, 3
  %x14 = xor i64 %y13, %group
  %y14 = mul i64 %x14, 3
  %x15 = xor i64 %y14, %group
  %y15 = mul i64 %x15, 3
  %x16 = xor i64 %y15, %group
  %y16 = mul i64 %x16, 3
  %x17 = xor i64 %y16, %group
  %y17 = mul i64 %x17, 3
  %x18 = xor i64 %y17, %group
  %y18 = mul i64 %x18, 3
  %x19 = xor i64 %y18, %group
  %y19 = mul i64 %x19, 3
  %x20 = xor i64 %y19, %group
  store i64 %x20, ptr addrspace(1) %p
  %next = add nuw i64 %group, 1
  %done = icmp eq i64 %next, %x_end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The local memory is that of the thread.
; CHECK-LABEL: define void @local(
; CHECK-NOT: pairs
; CHECK: ret void
define void @local(ptr %launch, ptr %worker, ptr %local_size, i64 %x_begin, i64 %x_end, i64 %y, i64 %z, ptr addrspace(3) %data) {
entry:
  br label %loop
loop:
  %group = phi i64 [ %x_begin, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(3) %data, i64 %group
  %x0 = load i64, ptr addrspace(3) %p
  %y0 = mul i64 %x0, 3
  %x1 = xor i64 %y0, %group
  %y1 = mul i64 %x1, 3
  %x2 = xor i64 %y1, %group
  %y2 = mul i64 %x2, 3
  %x3 = xor i64 %y2, %group
  %y3 = mul i64 %x3, 3
  %x4 = xor i64 %y3, %group
  %y4 = mul i64 %x4, 3
  %x5 = xor i64 %y4, %group
  %y5 = mul i64 %x5, 3
  %x6 = xor i64 %y5, %group
  %y6 = mul i64 %x6, 3
  %x7 = xor i64 %y6, %group
  %y7 = mul i64 %x7, 3
  %x8 = xor i64 %y7, %group
  %y8 = mul i64 %x8, 3
  %x9 = xor i64 %y8, %group
  %y9 = mul i64 %x9, 3
  %x10 = xor i64 %y9, %group
  %y10 = mul i64 %x10, 3
  %x11 = xor i64 %y10, %group
  %y11 = mul i64 %x11, 3
  %x12 = xor i64 %y11, %group
  %y12 = mul i64 %x12, 3
  %x13 = xor i64 %y12, %group
  %y13 = mul i64 %x13, 3
  %x14 = xor i64 %y13, %group
  %y14 = mul i64 %x14, 3
  %x15 = xor i64 %y14, %group
  %y15 = mul i64 %x15, 3
  %x16 = xor i64 %y15, %group
  %y16 = mul i64 %x16, 3
  %x17 = xor i64 %y16, %group
  %y17 = mul i64 %x17, 3
  %x18 = xor i64 %y17, %group
  %y18 = mul i64 %x18, 3
  %x19 = xor i64 %y18, %group
  %y19 = mul i64 %x19, 3
  %x20 = xor i64 %y19, %group
  %y20 = mul i64 %x20, 3
  %x21 = xor i64 %y20, %group
  %y21 = mul i64 %x21, 3
  %x22 = xor i64 %y21, %group
  %y22 = mul i64 %x22, 3
  %x23 = xor i64 %y22, %group
  %y23 = mul i64 %x23, 3
  %x24 = xor i64 %y23, %group
  %y24 = mul i64 %x24, 3
  %x25 = xor i64 %y24, %group
  %y25 = mul i64 %x25, 3
  %x26 = xor i64 %y25, %group
  %y26 = mul i64 %x26, 3
  %x27 = xor i64 %y26, %group
  %y27 = mul i64 %x27, 3
  %x28 = xor i64 %y27, %group
  %y28 = mul i64 %x28, 3
  %x29 = xor i64 %y28, %group
  %y29 = mul i64 %x29, 3
  %x30 = xor i64 %y29, %group
  %y30 = mul i64 %x30, 3
  %x31 = xor i64 %y30, %group
  %y31 = mul i64 %x31, 3
  %x32 = xor i64 %y31, %group
  %y32 = mul i64 %x32, 3
  %x33 = xor i64 %y32, %group
  %y33 = mul i64 %x33, 3
  %x34 = xor i64 %y33, %group
  %y34 = mul i64 %x34, 3
  %x35 = xor i64 %y34, %group
  %y35 = mul i64 %x35, 3
  %x36 = xor i64 %y35, %group
  %y36 = mul i64 %x36, 3
  %x37 = xor i64 %y36, %group
  %y37 = mul i64 %x37, 3
  %x38 = xor i64 %y37, %group
  %y38 = mul i64 %x38, 3
  %x39 = xor i64 %y38, %group
  %y39 = mul i64 %x39, 3
  %x40 = xor i64 %y39, %group
  %y40 = mul i64 %x40, 3
  %x41 = xor i64 %y40, %group
  %y41 = mul i64 %x41, 3
  %x42 = xor i64 %y41, %group
  %y42 = mul i64 %x42, 3
  %x43 = xor i64 %y42, %group
  %y43 = mul i64 %x43, 3
  %x44 = xor i64 %y43, %group
  %y44 = mul i64 %x44, 3
  %x45 = xor i64 %y44, %group
  %y45 = mul i64 %x45, 3
  %x46 = xor i64 %y45, %group
  %y46 = mul i64 %x46, 3
  %x47 = xor i64 %y46, %group
  %y47 = mul i64 %x47, 3
  %x48 = xor i64 %y47, %group
  %y48 = mul i64 %x48, 3
  %x49 = xor i64 %y48, %group
  %y49 = mul i64 %x49, 3
  %x50 = xor i64 %y49, %group
  %y50 = mul i64 %x50, 3
  %x51 = xor i64 %y50, %group
  %y51 = mul i64 %x51, 3
  %x52 = xor i64 %y51, %group
  %y52 = mul i64 %x52, 3
  %x53 = xor i64 %y52, %group
  %y53 = mul i64 %x53, 3
  %x54 = xor i64 %y53, %group
  %y54 = mul i64 %x54, 3
  %x55 = xor i64 %y54, %group
  %y55 = mul i64 %x55, 3
  %x56 = xor i64 %y55, %group
  %y56 = mul i64 %x56, 3
  %x57 = xor i64 %y56, %group
  %y57 = mul i64 %x57, 3
  %x58 = xor i64 %y57, %group
  %y58 = mul i64 %x58, 3
  %x59 = xor i64 %y58, %group
  %y59 = mul i64 %x59, 3
  %x60 = xor i64 %y59, %group
  store i64 %x60, ptr addrspace(3) %p
  %next = add nuw i64 %group, 1
  %done = icmp eq i64 %next, %x_end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @atomic(
; CHECK-NOT: pairs
; CHECK: ret void
define void @atomic(ptr %launch, ptr %worker, ptr %local_size, i64 %x_begin, i64 %x_end, i64 %y, i64 %z, ptr addrspace(1) %data) {
entry:
  br label %loop
loop:
  %group = phi i64 [ %x_begin, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %group
  %x0 = load i64, ptr addrspace(1) %p
  %y0 = mul i64 %x0, 3
  %x1 = xor i64 %y0, %group
  %y1 = mul i64 %x1, 3
  %x2 = xor i64 %y1, %group
  %y2 = mul i64 %x2, 3
  %x3 = xor i64 %y2, %group
  %y3 = mul i64 %x3, 3
  %x4 = xor i64 %y3, %group
  %y4 = mul i64 %x4, 3
  %x5 = xor i64 %y4, %group
  %y5 = mul i64 %x5, 3
  %x6 = xor i64 %y5, %group
  %y6 = mul i64 %x6, 3
  %x7 = xor i64 %y6, %group
  %y7 = mul i64 %x7, 3
  %x8 = xor i64 %y7, %group
  %y8 = mul i64 %x8, 3
  %x9 = xor i64 %y8, %group
  %y9 = mul i64 %x9, 3
  %x10 = xor i64 %y9, %group
  %y10 = mul i64 %x10, 3
  %x11 = xor i64 %y10, %group
  %y11 = mul i64 %x11, 3
  %x12 = xor i64 %y11, %group
  %y12 = mul i64 %x12, 3
  %x13 = xor i64 %y12, %group
  %y13 = mul i64 %x13, 3
  %x14 = xor i64 %y13, %group
  %y14 = mul i64 %x14, 3
  %x15 = xor i64 %y14, %group
  %y15 = mul i64 %x15, 3
  %x16 = xor i64 %y15, %group
  %y16 = mul i64 %x16, 3
  %x17 = xor i64 %y16, %group
  %y17 = mul i64 %x17, 3
  %x18 = xor i64 %y17, %group
  %y18 = mul i64 %x18, 3
  %x19 = xor i64 %y18, %group
  %y19 = mul i64 %x19, 3
  %x20 = xor i64 %y19, %group
  %y20 = mul i64 %x20, 3
  %x21 = xor i64 %y20, %group
  %y21 = mul i64 %x21, 3
  %x22 = xor i64 %y21, %group
  %y22 = mul i64 %x22, 3
  %x23 = xor i64 %y22, %group
  %y23 = mul i64 %x23, 3
  %x24 = xor i64 %y23, %group
  %y24 = mul i64 %x24, 3
  %x25 = xor i64 %y24, %group
  %y25 = mul i64 %x25, 3
  %x26 = xor i64 %y25, %group
  %y26 = mul i64 %x26, 3
  %x27 = xor i64 %y26, %group
  %y27 = mul i64 %x27, 3
  %x28 = xor i64 %y27, %group
  %y28 = mul i64 %x28, 3
  %x29 = xor i64 %y28, %group
  %y29 = mul i64 %x29, 3
  %x30 = xor i64 %y29, %group
  %y30 = mul i64 %x30, 3
  %x31 = xor i64 %y30, %group
  %y31 = mul i64 %x31, 3
  %x32 = xor i64 %y31, %group
  %y32 = mul i64 %x32, 3
  %x33 = xor i64 %y32, %group
  %y33 = mul i64 %x33, 3
  %x34 = xor i64 %y33, %group
  %y34 = mul i64 %x34, 3
  %x35 = xor i64 %y34, %group
  %y35 = mul i64 %x35, 3
  %x36 = xor i64 %y35, %group
  %y36 = mul i64 %x36, 3
  %x37 = xor i64 %y36, %group
  %y37 = mul i64 %x37, 3
  %x38 = xor i64 %y37, %group
  %y38 = mul i64 %x38, 3
  %x39 = xor i64 %y38, %group
  %y39 = mul i64 %x39, 3
  %x40 = xor i64 %y39, %group
  %y40 = mul i64 %x40, 3
  %x41 = xor i64 %y40, %group
  %y41 = mul i64 %x41, 3
  %x42 = xor i64 %y41, %group
  %y42 = mul i64 %x42, 3
  %x43 = xor i64 %y42, %group
  %y43 = mul i64 %x43, 3
  %x44 = xor i64 %y43, %group
  %y44 = mul i64 %x44, 3
  %x45 = xor i64 %y44, %group
  %y45 = mul i64 %x45, 3
  %x46 = xor i64 %y45, %group
  %y46 = mul i64 %x46, 3
  %x47 = xor i64 %y46, %group
  %y47 = mul i64 %x47, 3
  %x48 = xor i64 %y47, %group
  %y48 = mul i64 %x48, 3
  %x49 = xor i64 %y48, %group
  %y49 = mul i64 %x49, 3
  %x50 = xor i64 %y49, %group
  %y50 = mul i64 %x50, 3
  %x51 = xor i64 %y50, %group
  %y51 = mul i64 %x51, 3
  %x52 = xor i64 %y51, %group
  %y52 = mul i64 %x52, 3
  %x53 = xor i64 %y52, %group
  %y53 = mul i64 %x53, 3
  %x54 = xor i64 %y53, %group
  %y54 = mul i64 %x54, 3
  %x55 = xor i64 %y54, %group
  %y55 = mul i64 %x55, 3
  %x56 = xor i64 %y55, %group
  %y56 = mul i64 %x56, 3
  %x57 = xor i64 %y56, %group
  %y57 = mul i64 %x57, 3
  %x58 = xor i64 %y57, %group
  %y58 = mul i64 %x58, 3
  %x59 = xor i64 %y58, %group
  %y59 = mul i64 %x59, 3
  %x60 = xor i64 %y59, %group
  %old = atomicrmw add ptr addrspace(1) %data, i64 1 monotonic
  store i64 %x60, ptr addrspace(1) %p
  %next = add nuw i64 %group, 1
  %done = icmp eq i64 %next, %x_end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
