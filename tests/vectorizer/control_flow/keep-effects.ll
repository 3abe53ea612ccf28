; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; What a lane does before it leaves a loop in which others may wait stays in the loop.
; RUN: lanecl-opt -p inline-calls,scalar-optimize %s | FileCheck %s
; RUN: lanecl-opt -p inline-calls,scalar-optimize,yields,canonicalize,linearize %s | FileCheck %s --check-prefix=MASKED

target triple = "spir64-unknown-unknown"

declare i64 @_Z15__lanecl_balloti(i32) convergent

; LLVM makes `done` an exit of the loop.
; CHECK-LABEL: define void @done(
; CHECK: store atomic i32 0
; CHECK-NEXT: call void @lanecl.effects()
; CHECK-NEXT: %leave = call i1 @lanecl.leave()
; CHECK-NEXT: br i1 %leave, label %while.end, label %while.body.backedge
; MASKED-LABEL: define void @done(
; MASKED: cmpxchg
; MASKED: store atomic i32 0
; MASKED: call void @__lanecl_yield()
; MASKED-NOT: store atomic
; MASKED-LABEL: define void @left_at_once(
; MASKED-NOT: call void @lanecl.effects
; MASKED-NOT: call i1 @lanecl.leave
define void @done(ptr addrspace(1) %lock, ptr addrspace(1) %sum) "lanecl-source-order" {
entry:
  %done = alloca i8, align 1
  store i8 0, ptr %done, align 1
  br label %while.cond
while.cond:
  %d = load i8, ptr %done, align 1
  %again = icmp eq i8 %d, 0
  br i1 %again, label %while.body, label %while.end
while.body:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %if.then, label %if.end
if.then:
  %s = load i32, ptr addrspace(1) %sum, align 4
  %t = add i32 %s, 1
  store i32 %t, ptr addrspace(1) %sum, align 4
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  store i8 1, ptr %done, align 1
  br label %if.end
if.end:
  br label %while.cond
while.end:
  ret void
}

; The block of the `break` is no part of the loop that LLVM sees. It stands before the loop's last one, also in SPIR-V.
; CHECK-LABEL: define void @left_at_once(
; CHECK: store atomic i32 0
; CHECK-NEXT: call void @lanecl.effects()
; CHECK-NEXT: %leave = call i1 @lanecl.leave()
; CHECK-NEXT: br i1 %leave, label %{{.*}}, label %for.cond.backedge
define void @left_at_once(ptr addrspace(1) %lock) {
entry:
  br label %for.cond
for.cond:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %if.then, label %if.end
if.then:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %for.end
if.end:
  br label %for.cond
for.end:
  ret void
}

; There nobody knows which lanes are to meet in the ballot.
; CHECK-LABEL: define void @left_with_ballot(
; CHECK-NOT: lanecl.leave
; CHECK: ret void
define void @left_with_ballot(ptr addrspace(1) %lock, ptr addrspace(1) %out) {
entry:
  br label %for.cond
for.cond:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %if.then, label %if.end
if.then:
  %lanes = call i64 @_Z15__lanecl_balloti(i32 1) convergent
  store i64 %lanes, ptr addrspace(1) %out, align 8
  br label %for.end
if.end:
  br label %for.cond
for.end:
  ret void
}

; The same holds after a `continue`, up to the end of the statement, which Clang names.
; CHECK-LABEL: define void @continued(
; CHECK: store atomic i32 0
; CHECK-NEXT: call void @lanecl.effects()
; CHECK-NEXT: %leave = call i1 @lanecl.leave()
; CHECK: store i32 7
; CHECK-NOT: lanecl.leave
; CHECK: ret void
define void @continued(ptr addrspace(1) %lock, ptr addrspace(1) %out) "lanecl-source-order" {
entry:
  br label %for.cond
for.cond:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %if.end, label %if.then
if.then:
  br label %for.cond
if.end:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %for.end
for.end:
  store i32 7, ptr addrspace(1) %out, align 4
  ret void
}

; What follows a loop that only waits does not belong to it.
; CHECK-LABEL: define void @spins(
; CHECK-NOT: lanecl.leave
; CHECK: ret void
define void @spins(ptr addrspace(1) %lock) "lanecl-source-order" {
entry:
  br label %while.cond
while.cond:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %while.end, label %while.body
while.body:
  br label %while.cond
while.end:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}

; But where nothing tells it from what `done` became, as in SPIR-V, what gives back the lock does. What follows does not.
; CHECK-LABEL: define void @spins_in_spirv(
; CHECK: store i32 5
; CHECK-NEXT: store atomic i32 0
; CHECK-NEXT: call void @lanecl.effects()
; CHECK-NEXT: %leave = call i1 @lanecl.leave()
; CHECK: store i32 7
; CHECK-NOT: lanecl.leave
; CHECK: ret void
define void @spins_in_spirv(ptr addrspace(1) %lock, ptr addrspace(1) %out) {
entry:
  br label %while.cond
while.cond:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %while.end, label %while.cond
while.end:
  store i32 5, ptr addrspace(1) %out, align 4
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  store i32 7, ptr addrspace(1) %out, align 4
  ret void
}

; A store whose address is computed again counts, too.
; CHECK-LABEL: define void @spins_by_numbers(
; CHECK: store atomic i32 0
; CHECK: call i1 @lanecl.leave()
define void @spins_by_numbers(ptr addrspace(1) %locks, i64 %a, i64 %b) {
entry:
  br label %try
try:
  %lock = getelementptr i32, ptr addrspace(1) %locks, i64 %a
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %take, label %try
take:
  %same = getelementptr i32, ptr addrspace(1) %locks, i64 %b
  store atomic i32 0, ptr addrspace(1) %same release, align 4
  ret void
}

; In a function, also one that is called in a loop. Lanes wait in the inner loop for those that have left the outer one.
; CHECK-LABEL: define void @around(
; CHECK: store atomic i32 2
; CHECK-NEXT: call void @lanecl.effects()
; CHECK-NEXT: %leave{{.*}} = call i1 @lanecl.leave()
; CHECK: ret void
define internal void @wait(ptr addrspace(1) %flag) "lanecl-source-order" {
entry:
  br label %while.cond
while.cond:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %while.body, label %while.end
while.body:
  br label %while.cond
while.end:
  ret void
}
define internal void @tell(ptr addrspace(1) %flag) "lanecl-source-order" {
entry:
  store atomic i32 2, ptr addrspace(1) %flag release, align 4
  ret void
}
define void @around(ptr addrspace(1) %flag, i32 %mine) "lanecl-source-order" {
entry:
  br label %for.cond
for.cond:
  %i = phi i32 [ 0, %entry ], [ %next, %if.end ]
  %is_mine = icmp eq i32 %i, %mine
  br i1 %is_mine, label %if.then, label %if.end
if.then:
  call void @tell(ptr addrspace(1) %flag)
  br label %for.end
if.end:
  call void @wait(ptr addrspace(1) %flag)
  %next = add i32 %i, 1
  br label %for.cond
for.end:
  ret void
}

; Nobody waits in loops that go on only if others succeed.
; CHECK-LABEL: define void @tries(
; CHECK-NOT: lanecl
; CHECK: ret void
define void @tries(ptr addrspace(1) %sum, ptr addrspace(1) %out) "lanecl-source-order" {
entry:
  br label %for.cond
for.cond:
  %old = load i32, ptr addrspace(1) %sum, align 4
  %new = mul i32 %old, 3
  %pair = cmpxchg ptr addrspace(1) %sum, i32 %old, i32 %new seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %if.then, label %if.end
if.then:
  store i32 %new, ptr addrspace(1) %out, align 4
  br label %for.end
if.end:
  br label %for.cond
for.end:
  ret void
}

; Nobody waits in loops that end by their count, either.
; CHECK-LABEL: define void @searches(
; CHECK-NOT: lanecl
; CHECK: ret void
define void @searches(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) "lanecl-source-order" {
entry:
  br label %for.cond
for.cond:
  %i = phi i64 [ 0, %entry ], [ %next, %if.end ]
  %place = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  %found = icmp ugt i32 %x, %n
  br i1 %found, label %if.then, label %if.end
if.then:
  store i64 %i, ptr addrspace(1) %out, align 8
  br label %for.end
if.end:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %for.cond, label %for.end
for.end:
  ret void
}

; What each turn does is not copied to an exit, which LLVM would do for a known `done`.
; CHECK-LABEL: define void @in_each_turn(
; CHECK-COUNT-1: atomicrmw sub
; CHECK-NOT: atomicrmw sub
; CHECK: ret void
; MASKED-LABEL: define void @in_each_turn(
; MASKED: atomicrmw sub
; MASKED: call void @__lanecl_yield()
define void @in_each_turn(ptr addrspace(1) %lock, ptr addrspace(1) %sum) "lanecl-source-order" {
entry:
  %done = alloca i8, align 1
  store i8 0, ptr %done, align 1
  br label %while.cond
while.cond:
  %d = load i8, ptr %done, align 1
  %again = icmp eq i8 %d, 0
  br i1 %again, label %while.body, label %while.end
while.body:
  %old = atomicrmw add ptr addrspace(1) %lock, i32 1 monotonic, align 4
  %got = icmp eq i32 %old, 0
  br i1 %got, label %if.then, label %if.end
if.then:
  %s = load i32, ptr addrspace(1) %sum, align 4
  %t = add i32 %s, 1
  store i32 %t, ptr addrspace(1) %sum, align 4
  fence acq_rel
  store i8 1, ptr %done, align 1
  br label %if.end
if.end:
  %count = atomicrmw sub ptr addrspace(1) %lock, i32 1 monotonic, align 4
  br label %while.cond
while.end:
  ret void
}

; Producers of SPIR-V may put what follows a loop before the loop's last block. What has a barrier is never done alone,
; also when the barrier is in a function: all lanes come to it when the last one has left the loop.
; CHECK-LABEL: define void @shares_behind(
; CHECK-NOT: call i1 @lanecl.leave
; CHECK-LABEL: define void @waits_behind(
; CHECK-NOT: call i1 @lanecl.leave
; CHECK: ret void
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent
define internal void @share(i32 %x, ptr addrspace(3) %place, ptr addrspace(3) %other, ptr addrspace(1) %out) {
entry:
  store i32 %x, ptr addrspace(3) %place, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %y = load i32, ptr addrspace(3) %other, align 4
  store i32 %y, ptr addrspace(1) %out, align 4
  ret void
}
define void @shares_behind(ptr addrspace(1) %in, i64 %begin, i64 %step, i64 %end, ptr addrspace(3) %place,
                           ptr addrspace(3) %other, ptr addrspace(1) %out) {
entry:
  br label %turn
turn:
  %i = phi i64 [ %begin, %entry ], [ %next, %add ]
  %sum = phi i32 [ 0, %entry ], [ %more, %add ]
  %again = icmp ult i64 %i, %end
  br i1 %again, label %add, label %behind
behind:
  call void @share(i32 %sum, ptr addrspace(3) %place, ptr addrspace(3) %other, ptr addrspace(1) %out)
  ret void
add:
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %at, align 4
  %more = add i32 %sum, %x
  %next = add i64 %i, %step
  br label %turn
}
define internal void @wait_and_share(i32 %x, ptr addrspace(3) %place, ptr addrspace(1) %lock, ptr addrspace(1) %out) {
entry:
  store i32 %x, ptr addrspace(3) %place, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  br label %try
try:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %done, label %try
done:
  store i32 7, ptr addrspace(1) %out, align 4
  ret void
}
define void @waits_behind(ptr addrspace(1) %in, i64 %begin, i64 %step, i64 %end, ptr addrspace(3) %place,
                          ptr addrspace(1) %lock, ptr addrspace(1) %out) {
entry:
  br label %turn
turn:
  %i = phi i64 [ %begin, %entry ], [ %next, %add ]
  %sum = phi i32 [ 0, %entry ], [ %more, %add ]
  %again = icmp ult i64 %i, %end
  br i1 %again, label %add, label %behind
behind:
  call void @wait_and_share(i32 %sum, ptr addrspace(3) %place, ptr addrspace(1) %lock, ptr addrspace(1) %out)
  ret void
add:
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %at, align 4
  %more = add i32 %sum, %x
  %next = add i64 %i, %step
  br label %turn
}
