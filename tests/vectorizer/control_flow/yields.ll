; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

; A sub-group yields where the end of a loop is decided by what others write.
; RUN: lanecl-opt -p yields %s | FileCheck %s

target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define void @reads_atomically(
; CHECK: load atomic
; CHECK: call void @__lanecl_yield()
define void @reads_atomically(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @reads_volatile_local(
; CHECK: call void @__lanecl_yield()
define void @reads_volatile_local(ptr addrspace(3) %flag) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(3) %flag, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The loop tests a variable of its own.
; CHECK-LABEL: define void @reads_private(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @reads_private(i32 %n) {
entry:
  %variable = alloca i32, align 4
  store volatile i32 %n, ptr %variable, align 4
  br label %loop
loop:
  %x = load volatile i32, ptr %variable, align 4
  %next = sub i32 %x, 1
  store volatile i32 %next, ptr %variable, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: define void @locks(
; CHECK: cmpxchg
; CHECK: call void @__lanecl_yield()
define void @locks(ptr addrspace(1) %lock) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 acquire monotonic, align 4
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %end, label %loop
end:
  ret void
}

; The exchange fails only if another work-item was quicker.
; CHECK-LABEL: define void @adds(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @adds(ptr addrspace(1) %sum, float %x) {
entry:
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %sum, align 4
  %new = fadd float %old, %x
  %old.bits = bitcast float %old to i32
  %new.bits = bitcast float %new to i32
  %pair = cmpxchg volatile ptr addrspace(1) %sum, i32 %old.bits, i32 %new.bits monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %failed = icmp ne i32 %seen, %old.bits
  br i1 %failed, label %loop, label %end
end:
  ret void
}

; The same holds with the value that the last exchange found, and with another exit before it.
; CHECK-LABEL: define void @maximum(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @maximum(ptr addrspace(1) %most, i32 %x) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %try ]
  %less = icmp slt i32 %expected, %x
  br i1 %less, label %try, label %end
try:
  %pair = cmpxchg ptr addrspace(1) %most, i32 %expected, i32 %x monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; It waits until there is something to take, whatever the exchange does.
; CHECK-LABEL: define void @pops(
; CHECK: call void @__lanecl_yield()
define void @pops(ptr addrspace(1) %head) {
entry:
  br label %loop
loop:
  %old = load atomic i32, ptr addrspace(1) %head monotonic, align 4
  %empty = icmp eq i32 %old, 0
  br i1 %empty, label %loop, label %try
try:
  %new = sub i32 %old, 1
  %pair = cmpxchg ptr addrspace(1) %head, i32 %old, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Each turn brings the end nearer.
; CHECK-LABEL: define void @takes_work(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_work(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An increment takes a lock that a store gives back.
; CHECK-LABEL: define void @takes_by_increment(
; CHECK: call void @__lanecl_yield()
define void @takes_by_increment(ptr addrspace(1) %lock) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %lock, i32 1 acquire, align 4
  %got = icmp eq i32 %old, 0
  br i1 %got, label %release, label %next
release:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %next
next:
  br i1 %got, label %end, label %loop
end:
  ret void
}

; The store that gives the lock back stands behind the loop, as in code for a debugger, where the found value has a
; variable.
; CHECK-LABEL: define void @gives_back_behind(
; CHECK: call void @__lanecl_yield()
define void @gives_back_behind(ptr addrspace(1) %lock) {
entry:
  %variable = alloca i32
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %lock, i32 1 acquire, align 4
  store i32 %old, ptr %variable
  %value = load i32, ptr %variable
  %got = icmp eq i32 %value, 0
  br i1 %got, label %release, label %loop
release:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}

; The comparison decides nothing about the loop.
; CHECK-LABEL: define void @takes_work_and_asks(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_work_and_asks(ptr addrspace(1) %next, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %is_first = icmp eq i32 %i, 0
  %x = select i1 %is_first, i32 5, i32 6
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %place, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Stores that are known to be to another place do not change what is counted.
; CHECK-LABEL: define void @takes_work_and_stores(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_work_and_stores(ptr addrspace(1) noalias %next, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store atomic i32 %i, ptr addrspace(1) %place monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The inner loop repeats only where another work-item was quicker; the loop around it waits for the bit.
; CHECK-LABEL: define void @sets_bit(
; CHECK: cmpxchg
; CHECK: call void @__lanecl_yield()
define void @sets_bit(ptr addrspace(1) %word) {
entry:
  br label %loop
loop:
  %first = load i32, ptr addrspace(1) %word, align 4
  br label %try
try:
  %old = phi i32 [ %first, %loop ], [ %found, %try ]
  %set = or i32 %old, 1
  %pair = cmpxchg ptr addrspace(1) %word, i32 %old, i32 %set monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %has, label %try
has:
  %bit = and i32 %found, 1
  %taken = icmp eq i32 %bit, 0
  br i1 %taken, label %end, label %loop
end:
  ret void
}

; Adding zero is reading.
; CHECK-LABEL: define void @adds_nothing(
; CHECK: call void @__lanecl_yield()
define void @adds_nothing(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 0 monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The number of turns ends it, and there is work in each.
; CHECK-LABEL: define void @polls(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @polls(ptr addrspace(1) %found, ptr addrspace(1) %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %work ]
  %x = load volatile i32, ptr addrspace(1) %found, align 4
  %stop = icmp ne i32 %x, 0
  br i1 %stop, label %end, label %work
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 1, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; As above, but there are few turns.
; CHECK-LABEL: define void @polls_shortly(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @polls_shortly(ptr addrspace(1) %found, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %work ]
  %x = load volatile i32, ptr addrspace(1) %found, align 4
  %stop = icmp ne i32 %x, 0
  br i1 %stop, label %end, label %work
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 1, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The number of turns ends it, and they read the same few elements again and again.
; CHECK-LABEL: define void @polls_in_turn(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @polls_in_turn(ptr addrspace(1) %found, ptr addrspace(1) %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %work ]
  %place = and i64 %i, 3
  %element = getelementptr i32, ptr addrspace(1) %found, i64 %place
  %x = load volatile i32, ptr addrspace(1) %element, align 4
  %stop = icmp ne i32 %x, 0
  br i1 %stop, label %end, label %work
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 1, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Each turn reads another element.
; CHECK-LABEL: define void @polls_each(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @polls_each(ptr addrspace(1) %found, ptr addrspace(1) %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %work ]
  %element = getelementptr i32, ptr addrspace(1) %found, i64 %i
  %x = load volatile i32, ptr addrspace(1) %element, align 4
  %stop = icmp ne i32 %x, 0
  br i1 %stop, label %end, label %work
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 1, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; There is nothing but waiting in its turns.
; CHECK-LABEL: define void @tries(
; CHECK: call void @__lanecl_yield()
define void @tries(ptr addrspace(1) %found, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %x = load volatile i32, ptr addrspace(1) %found, align 4
  %stop = icmp ne i32 %x, 0
  br i1 %stop, label %end, label %again
again:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The condition goes through a phi whose values are constants.
; CHECK-LABEL: define void @remembers(
; CHECK: call void @__lanecl_yield()
define void @remembers(ptr addrspace(1) %lock) {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %take, label %after
take:
  store volatile i32 2, ptr addrspace(1) %lock
  br label %after
after:
  %done = phi i1 [ true, %take ], [ false, %loop ]
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Others of the work-group get on to the barrier in each turn, and nobody else writes its local memory.
; CHECK-LABEL: define void @meets(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @meets(ptr addrspace(3) %changed) {
entry:
  br label %loop
loop:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %x = load volatile i32, ptr addrspace(3) %changed, align 4
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Another work-group may have to write it.
; CHECK-LABEL: define void @meets_and_waits(
; CHECK: call void @__lanecl_yield()
define void @meets_and_waits(ptr addrspace(1) %changed) {
entry:
  br label %loop
loop:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %x = load volatile i32, ptr addrspace(1) %changed, align 4
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
; The lock is taken in one of two ways, which meet before it is noted.
; CHECK-LABEL: define void @takes_either_way(
; CHECK: call void @__lanecl_yield()
define void @takes_either_way(ptr addrspace(1) %lock, i1 %by_exchange) {
entry:
  br label %loop
loop:
  br i1 %by_exchange, label %exchange, label %increment
exchange:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire, align 4
  %was_free = icmp eq i32 %old, 0
  br i1 %was_free, label %take, label %rest
increment:
  %number = atomicrmw add ptr addrspace(1) %lock, i32 1 acquire, align 4
  %is_first = icmp eq i32 %number, 0
  br i1 %is_first, label %take, label %rest
take:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %after
rest:
  br label %after
after:
  %done = phi i1 [ true, %take ], [ false, %rest ]
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The same with the program's variable in memory, as code for a debugger has it.
; CHECK-LABEL: define void @notes_in_memory(
; CHECK: call void @__lanecl_yield()
define void @notes_in_memory(ptr addrspace(1) %lock, i1 %by_exchange) {
entry:
  %done = alloca i32, align 4
  store i32 0, ptr %done, align 4
  br label %loop
loop:
  %x = load i32, ptr %done, align 4
  %again = icmp eq i32 %x, 0
  br i1 %again, label %body, label %end
body:
  br i1 %by_exchange, label %exchange, label %increment
exchange:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire, align 4
  %was_free = icmp eq i32 %old, 0
  br i1 %was_free, label %take, label %after
increment:
  %number = atomicrmw add ptr addrspace(1) %lock, i32 1 acquire, align 4
  %is_first = icmp eq i32 %number, 0
  br i1 %is_first, label %take, label %after
take:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  store i32 1, ptr %done, align 4
  br label %after
after:
  br label %loop
end:
  ret void
}

; What others write decides which of two conditions ends the loop.
; CHECK-LABEL: define void @chooses_condition(
; CHECK: call void @__lanecl_yield()
define void @chooses_condition(ptr addrspace(1) %flag, i1 %a, i1 %b) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %first, label %second
first:
  br i1 %a, label %loop, label %end
second:
  br i1 %b, label %loop, label %end
end:
  ret void
}

; The same with two conditions on either side.
; CHECK-LABEL: define void @chooses_conditions(
; CHECK: call void @__lanecl_yield()
define void @chooses_conditions(ptr addrspace(1) %flag, i1 %a, i1 %b, i1 %c, i1 %d, i1 %e, i1 %f) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %first, label %second
first:
  br i1 %a, label %first.then, label %first.else
first.then:
  br i1 %b, label %loop, label %end
first.else:
  br i1 %c, label %loop, label %end
second:
  br i1 %d, label %second.then, label %second.else
second.then:
  br i1 %e, label %loop, label %end
second.else:
  br i1 %f, label %loop, label %end
end:
  ret void
}

; What others write decides something, but not when the loop ends.
; CHECK-LABEL: define void @notes_beside(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @notes_beside(ptr addrspace(1) noalias %flag, ptr addrspace(1) noalias %next, i32 %n) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %first, label %second
first:
  store volatile i32 1, ptr addrspace(1) %flag
  br label %both
second:
  store volatile i32 2, ptr addrspace(1) %flag
  br label %both
both:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; One side of the branch has no end at all, so it decides.
; CHECK-LABEL: define void @may_stay(
; CHECK: call void @__lanecl_yield()
define void @may_stay(ptr addrspace(1) %flag, ptr addrspace(1) %out, i1 %a) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %inner, label %leave
inner:
  store volatile i32 1, ptr addrspace(1) %out
  br i1 %a, label %inner, label %loop
leave:
  ret void
}

; Each turn leads away from the end, which only another work-item can bring.
; CHECK-LABEL: define void @counts_away(
; CHECK: call void @__lanecl_yield()
define void @counts_away(ptr addrspace(1) %lock) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %lock, i32 1 acquire, align 4
  %was_taken = icmp sgt i32 %old, 0
  br i1 %was_taken, label %loop, label %end
end:
  ret void
}

; The same with the sides exchanged, and left where the comparison is true.
; CHECK-LABEL: define void @counts_down_away(
; CHECK: call void @__lanecl_yield()
define void @counts_down_away(ptr addrspace(1) %count) {
entry:
  br label %loop
loop:
  %old = atomicrmw sub ptr addrspace(1) %count, i32 1 acquire, align 4
  %is_there = icmp slt i32 0, %old
  br i1 %is_there, label %leave, label %loop
leave:
  br label %end
end:
  ret void
}

; The loop ends without the help of others.
; CHECK-LABEL: define void @counts_down(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @counts_down(ptr addrspace(1) %left) {
entry:
  br label %loop
loop:
  %old = atomicrmw sub ptr addrspace(1) %left, i32 1 monotonic, align 4
  %more = icmp slt i32 1, %old
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The store may give back what the addition takes, by another name, if both arguments point to the same memory. That is
; unlikely, so the sub-group yields in one of 64 turns.
; CHECK-LABEL: define void @may_be_given_back(
; CHECK: %turns = phi i32 [ [[NEXT:%.*]], %{{.*}} ], [ 0, %entry ]
; CHECK: [[NEXT]] = add i32 %turns, 1
; CHECK: [[LOW:%.*]] = and i32 [[NEXT]], 63
; CHECK: [[IS_DUE:%.*]] = icmp eq i32 [[LOW]], 0
; CHECK: br i1 [[IS_DUE]]
; CHECK: call void @__lanecl_yield()
define void @may_be_given_back(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  store atomic i32 0, ptr addrspace(1) %q release, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The store is to the word behind the counter.
; CHECK-LABEL: define void @notes_behind_counter(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @notes_behind_counter(ptr addrspace(1) %p, i32 %n) {
entry:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  store atomic i32 %i, ptr addrspace(1) %q release, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Whatever they count, both of them only rise.
; CHECK-LABEL: define void @counts_together(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @counts_together(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %k = atomicrmw add ptr addrspace(1) %q, i32 3 monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The counters are compared for statistics. None of them is the other one's end, whichever is greater.
; CHECK-LABEL: define void @compares_counters(
; CHECK-NOT: i32 {{.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @compares_counters(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %k = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, align 4
  %far = add i32 %k, 8
  %less = icmp slt i32 %i, %far
  br i1 %less, label %count, label %next
count:
  %fewer = getelementptr i32, ptr addrspace(1) %p, i64 2
  %old = atomicrmw add ptr addrspace(1) %fewer, i32 1 monotonic, align 4
  br label %next
next:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; A counter that falls comes to one that rises, but others may lower that: the sub-group yields in one of 64 turns.
; CHECK-LABEL: define void @comes_to_counter(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @comes_to_counter(ptr addrspace(1) %p) {
entry:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  br label %loop
loop:
  %i = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic, align 4
  %k = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, align 4
  %more = icmp sgt i32 %i, %k
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Beside the flag there is a counter, which is 1000 after so many turns at most.
; CHECK-LABEL: define void @rises_to_end(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @rises_to_end(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %more = icmp ult i32 %i, 1000
  br i1 %more, label %ask, label %end
ask:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The first value of the counter is not known, so it may have very far to fall.
; CHECK-LABEL: define void @falls_to_end(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @falls_to_end(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic, align 4
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %ask, label %end
ask:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; It may begin at a negative number, far from 1000.
; CHECK-LABEL: define void @rises_from_negative(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @rises_from_negative(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, 1000
  br i1 %more, label %ask, label %end
ask:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The deadline also holds when the counter wraps around.
; CHECK-LABEL: define void @deadline(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @deadline(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %left = sub i32 %i, 2000000000
  %more = icmp slt i32 %left, 0
  br i1 %more, label %ask, label %end
ask:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The quotient takes 4096 turns for each step.
; CHECK-LABEL: define void @rises_slowly(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @rises_slowly(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %slow = udiv i32 %i, 4096
  %more = icmp ult i32 %slow, 1000000
  br i1 %more, label %ask, label %end
ask:
  %x = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; LLVM leaves the plain read in the loop, since the counter might be there.
; CHECK-LABEL: define void @reads_its_end(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @reads_its_end(ptr addrspace(1) %p, ptr addrspace(1) %count) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %n = load i32, ptr addrspace(1) %count, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The loop itself moves its end.
; CHECK-LABEL: define void @moves_its_end(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @moves_its_end(ptr addrspace(1) %p, ptr addrspace(1) %count) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %n = load i32, ptr addrspace(1) %count, align 4
  %moved = add i32 %i, 7
  store i32 %moved, ptr addrspace(1) %count, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Others may move the end, since a fence lets the loop see what they write.
; CHECK-LABEL: define void @sees_its_end_moved(
; CHECK: and i32 {{%.*}}, 63
; CHECK: call void @__lanecl_yield()
define void @sees_its_end_moved(ptr addrspace(1) %p, ptr addrspace(1) %count) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  fence acquire
  %n = load i32, ptr addrspace(1) %count, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; One of them may lower what the other one raises, if both arguments point to the same memory.
; CHECK-LABEL: define void @counts_against(
; CHECK: %turns = phi i32 [ [[NEXT:%.*]], %{{.*}} ], [ 0, %entry ]
; CHECK: [[NEXT]] = add i32 %turns, 1
; CHECK: [[LOW:%.*]] = and i32 [[NEXT]], 63
; CHECK: [[IS_DUE:%.*]] = icmp eq i32 [[LOW]], 0
; CHECK: br i1 [[IS_DUE]]
; CHECK: call void @__lanecl_yield()
define void @counts_against(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %k = atomicrmw sub ptr addrspace(1) %q, i32 1 monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An amount that is not known may be zero, or negative, which is unlikely.
; CHECK-LABEL: define void @adds_any(
; CHECK: %turns = phi i32 [ [[NEXT:%.*]], %{{.*}} ], [ 0, %entry ]
; CHECK: [[NEXT]] = add i32 %turns, 1
; CHECK: [[LOW:%.*]] = and i32 [[NEXT]], 63
; CHECK: [[IS_DUE:%.*]] = icmp eq i32 [[LOW]], 0
; CHECK: br i1 [[IS_DUE]]
; CHECK: call void @__lanecl_yield()
define void @adds_any(ptr addrspace(1) %p, i32 %amount, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 %amount monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Whether the memory is the same is not the question: both accesses are by one argument.
; CHECK-LABEL: define void @gives_back_by_index(
; CHECK-NOT: %turns
; CHECK: call void @__lanecl_yield()
define void @gives_back_by_index(ptr addrspace(1) %p, i64 %at, i32 %n) {
entry:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %at
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %k = atomicrmw sub ptr addrspace(1) %q, i32 1 monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An amount of zero that is known asks for what others add.
; CHECK-LABEL: define void @adds_zero(
; CHECK-NOT: %turns
; CHECK: call void @__lanecl_yield()
define void @adds_zero(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 0 monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Two ways lead to the next turn; each counts it.
; CHECK-LABEL: define void @counts_on_both_ways(
; CHECK: %turns = phi i32 [ [[ONE:%.*]], %{{.*}} ], [ [[OTHER:%.*]], %{{.*}} ], [ 0, %entry ]
; CHECK-DAG: [[ONE]] = add i32 %turns, 1
; CHECK-DAG: [[OTHER]] = add i32 %turns, 1
; CHECK: ret void
define void @counts_on_both_ways(ptr addrspace(1) %p, i32 %amount, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 %amount monotonic, align 4
  %more = icmp ult i32 %i, %n
  br i1 %more, label %next, label %end
next:
  %is_odd = trunc i32 %i to i1
  br i1 %is_odd, label %loop, label %even
even:
  fence acquire
  br label %loop
end:
  ret void
}

; The answer goes through local memory before the loop asks for it. Without a barrier in between, the work-item itself
; reads it.
; CHECK-LABEL: define void @hands_over(
; CHECK-NOT: %turns
; CHECK: call void @__lanecl_yield()
define void @hands_over(ptr addrspace(1) %flag, ptr addrspace(3) %word) {
entry:
  br label %loop
loop:
  %seen = atomicrmw or ptr addrspace(1) %flag, i32 0 monotonic, align 4
  store i32 %seen, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %x = load i32, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The word is local and each turn passes barriers, but what it holds comes from elsewhere.
; CHECK-LABEL: define void @hands_over_volatile(
; CHECK: call void @__lanecl_yield()
define void @hands_over_volatile(ptr addrspace(1) %flag, ptr addrspace(3) %word) {
entry:
  br label %loop
loop:
  %seen = atomicrmw or ptr addrspace(1) %flag, i32 0 monotonic, align 4
  store volatile i32 %seen, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %x = load volatile i32, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; What is stored in the loop has nothing to do with the word that it asks for.
; CHECK-LABEL: define void @notes_elsewhere(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @notes_elsewhere(ptr addrspace(1) %flag, ptr addrspace(3) noalias %word, ptr addrspace(3) noalias %other) {
entry:
  br label %loop
loop:
  %seen = atomicrmw or ptr addrspace(1) %flag, i32 0 monotonic, align 4
  store i32 %seen, ptr addrspace(3) %other, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %x = load i32, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The memory of another argument would have to be the same.
; CHECK-LABEL: define void @notes_by_another_argument(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @notes_by_another_argument(ptr addrspace(1) %flag, ptr addrspace(1) %ends, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %seen = atomicrmw or ptr addrspace(1) %flag, i32 0 monotonic, align 4
  store i32 %seen, ptr addrspace(1) %out, align 4
  %i.next = add i32 %i, 1
  %end.of.row = load i32, ptr addrspace(1) %ends, align 4
  %more = icmp ult i32 %i.next, %end.of.row
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Two arrays change places from turn to turn.
; CHECK-LABEL: define void @exchanges(
; CHECK: call void @__lanecl_yield()
define void @exchanges(ptr addrspace(1) %flag, i64 %at) {
entry:
  %a = alloca [8 x i32]
  %b = alloca [8 x i32]
  br label %loop
loop:
  %now = phi ptr [ %a, %entry ], [ %before, %loop ]
  %before = phi ptr [ %b, %entry ], [ %now, %loop ]
  %seen = load volatile i32, ptr addrspace(1) %flag, align 4
  %to = getelementptr i32, ptr %now, i64 %at
  store i32 %seen, ptr %to, align 4
  %from = getelementptr i32, ptr %before, i64 %at
  %x = load i32, ptr %from, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; Whether something is stored depends on what others write.
; CHECK-LABEL: define void @notes_under_condition(
; CHECK: call void @__lanecl_yield()
define void @notes_under_condition(ptr addrspace(1) %flag, ptr addrspace(3) %word) {
entry:
  br label %loop
loop:
  %seen = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %is_set = icmp ne i32 %seen, 0
  br i1 %is_set, label %note, label %ask
note:
  store i32 1, ptr addrspace(3) %word, align 4
  br label %ask
ask:
  %x = load i32, ptr addrspace(3) %word, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The loop copies a structure.
; CHECK-LABEL: define void @copies(
; CHECK: call void @__lanecl_yield()
define void @copies(ptr addrspace(1) %flag) {
entry:
  %state = alloca [2 x i32]
  %copy = alloca [2 x i32]
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(1) %flag, align 4
  store i32 %seen, ptr %state, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %state, i64 8, i1 false)
  %x = load i32, ptr %copy, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; A barrier that names global memory is a fence: others may have written.
; CHECK-LABEL: define void @reads_behind_barrier(
; CHECK: call void @__lanecl_yield()
define void @reads_behind_barrier(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  call void @_Z26__lanecl_sub_group_barrierj(i32 2)
  %x = load i32, ptr addrspace(1) %flag, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}
declare void @_Z26__lanecl_sub_group_barrierj(i32) convergent

; A barrier that names only local memory is no fence for global memory.
; CHECK-LABEL: define void @reads_behind_local_barrier(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @reads_behind_local_barrier(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  call void @_Z26__lanecl_sub_group_barrierj(i32 1)
  %x = load i32, ptr addrspace(1) %flag, align 4
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}

; The loop reads a block of flags.
; CHECK-LABEL: define void @reads_block(
; CHECK: call void @__lanecl_yield()
define void @reads_block(ptr addrspace(1) %flags) {
entry:
  br label %loop
loop:
  fence acquire
  %x = call i32 @_Z23__lanecl_block_read_ui1PU3AS1Kj(ptr addrspace(1) %flags)
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %end
end:
  ret void
}
declare i32 @_Z23__lanecl_block_read_ui1PU3AS1Kj(ptr addrspace(1)) convergent

; Nobody waits for so many turns.
; CHECK-LABEL: define void @counts_for_ever(
; CHECK: call void @__lanecl_yield()
define void @counts_for_ever(ptr addrspace(1) %found, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %f = atomicrmw or ptr addrspace(1) %found, i32 0 monotonic, align 4
  %none = icmp eq i32 %f, 0
  br i1 %none, label %next, label %end
next:
  store i32 %i, ptr addrspace(1) %out, align 4
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, -2
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same holds where it is not known with which of two numbers it begins.
; CHECK-LABEL: define void @counts_for_ever_from(
; CHECK-NOT: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @counts_for_ever_from(ptr addrspace(1) %found, ptr addrspace(1) %out, i1 %first) {
entry:
  %from = zext i1 %first to i32
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %i.next, %next ]
  %f = atomicrmw or ptr addrspace(1) %found, i32 0 monotonic, align 4
  %none = icmp eq i32 %f, 0
  br i1 %none, label %next, label %end
next:
  store i32 %i, ptr addrspace(1) %out, align 4
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, -2
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An amount that is known to be positive brings the end nearer.
; CHECK-LABEL: define void @adds_size(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @adds_size(ptr addrspace(1) %p, i32 range(i32 1, 1025) %size, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 %size monotonic, align 4
  %at = shl i32 %i, 2
  %more = icmp ult i32 %at, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Another work-item sets the bit.
; CHECK-LABEL: define void @asks_bit(
; CHECK: call void @__lanecl_yield()
define void @asks_bit(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %p, i32 2 monotonic, align 4
  %bit = and i32 %i, 1
  %more = icmp eq i32 %bit, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The step leads away from the end, and something else decides.
; CHECK-LABEL: define void @counts_away_or_else(
; CHECK: call void @__lanecl_yield()
define void @counts_away_or_else(ptr addrspace(1) %p, i32 %seed) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %seed, %entry ], [ %x.next, %loop ]
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 acquire, align 4
  %was_taken = icmp sgt i32 %old, 0
  %x.next = mul i32 %x, 5
  %not_yet = icmp ne i32 %x.next, 7
  %more = select i1 %was_taken, i1 %not_yet, i1 false
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The step leads to the end, whatever else decides.
; CHECK-LABEL: define void @counts_and_else(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @counts_and_else(ptr addrspace(1) %p, i32 %n, i32 %seed) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %seed, %entry ], [ %x.next, %loop ]
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 acquire, align 4
  %is_before = icmp slt i32 %i, %n
  %x.next = mul i32 %x, 5
  %not_yet = icmp ne i32 %x.next, 7
  %more = select i1 %is_before, i1 %not_yet, i1 false
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The loop takes from a semaphore. If it is empty, no exchange is tried.
; CHECK-LABEL: define void @takes_if_there(
; CHECK: call void @__lanecl_yield()
define void @takes_if_there(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %old = load i32, ptr addrspace(1) %p, align 4
  %is_there = icmp sgt i32 %old, 0
  br i1 %is_there, label %try, label %loop
try:
  %less = sub i32 %old, 1
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %less acquire monotonic, align 4
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %end, label %loop
end:
  ret void
}

; The exchange's success repeats the loop.
; CHECK-LABEL: define void @waits_for_change(
; CHECK: call void @__lanecl_yield()
define void @waits_for_change(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = phi i32 [ 0, %entry ], [ %old, %loop ]
  %pair = cmpxchg ptr addrspace(1) %p, i32 %seen, i32 %seen acquire monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %same = extractvalue { i32, i1 } %pair, 1
  br i1 %same, label %loop, label %end
end:
  ret void
}

; The same holds if the loop tests the value that the exchange has found.
; CHECK-LABEL: define void @waits_for_other_value(
; CHECK: call void @__lanecl_yield()
define void @waits_for_other_value(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = phi i32 [ 0, %entry ], [ %old, %loop ]
  %pair = cmpxchg ptr addrspace(1) %p, i32 %seen, i32 %seen acquire monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %old, %seen
  br i1 %same, label %loop, label %end
end:
  ret void
}

; The first lane takes work for its sub-group.
; CHECK-LABEL: define void @takes_for_all(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_for_all(ptr addrspace(1) %next, i1 %leads, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %is_first = icmp eq i32 %lane, 0
  br label %loop
loop:
  br i1 %is_first, label %take, label %share
take:
  %taken = atomicrmw add ptr addrspace(1) %next, i32 16 monotonic, align 4
  br label %share
share:
  %mine = phi i32 [ %taken, %take ], [ 0, %loop ]
  %i = call i32 @_Z18__lanecl_broadcastij(i32 %mine, i32 0)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; There may be no lane that takes any.
; CHECK-LABEL: define void @one_takes_for_all(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @one_takes_for_all(ptr addrspace(1) %next, i1 %leads, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %is_first = icmp eq i32 %lane, 0
  br label %loop
loop:
  br i1 %leads, label %take, label %share
take:
  %taken = atomicrmw add ptr addrspace(1) %next, i32 16 monotonic, align 4
  br label %share
share:
  %mine = phi i32 [ %taken, %take ], [ 0, %loop ]
  %i = call i32 @_Z18__lanecl_broadcastij(i32 %mine, i32 0)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The first lane may have left the loop.
; CHECK-LABEL: define void @takes_for_those_there(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @takes_for_those_there(ptr addrspace(1) %next, i1 %leads, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %is_first = icmp eq i32 %lane, 0
  br label %loop
loop:
  br i1 %is_first, label %take, label %share
take:
  %taken = atomicrmw add ptr addrspace(1) %next, i32 16 monotonic, align 4
  br label %share
share:
  %mine = phi i32 [ %taken, %take ], [ 0, %loop ]
  %i = call i32 @_Z24__lanecl_broadcast_firsti(i32 %mine)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The others keep their zero.
; CHECK-LABEL: define void @takes_for_itself(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @takes_for_itself(ptr addrspace(1) %next, i1 %leads, i32 %n) {
entry:
  %lane = call i32 @_Z16__lanecl_lane_idv()
  %is_first = icmp eq i32 %lane, 0
  br label %loop
loop:
  br i1 %is_first, label %take, label %share
take:
  %taken = atomicrmw add ptr addrspace(1) %next, i32 16 monotonic, align 4
  br label %share
share:
  %mine = phi i32 [ %taken, %take ], [ 0, %loop ]
  %i = add i32 %mine, 0
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Every active lane adds to the counter.
; CHECK-LABEL: define void @takes_with_others(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_with_others(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %mine = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %i = call i32 @_Z24__lanecl_broadcast_firsti(i32 %mine)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Work for all of the work-group is told by local memory.
; CHECK-LABEL: define void @takes_for_group(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @takes_for_group(ptr addrspace(1) %next, ptr addrspace(3) %word, i1 %leads, i32 %n) {
entry:
  br label %loop
loop:
  br i1 %leads, label %take, label %share
take:
  %taken = atomicrmw add ptr addrspace(1) %next, i32 16 monotonic, align 4
  store i32 %taken, ptr addrspace(3) %word, align 4
  br label %share
share:
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %i = load i32, ptr addrspace(3) %word, align 4
  call void @_Z27__lanecl_work_group_barrierj(i32 1)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Clang writes `if (i >= n) break;` like this in a block with variables of its own.
; CHECK-LABEL: define void @takes_work_and_breaks(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_work_and_breaks(ptr addrspace(1) noalias %next, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %work, label %cleanup
work:
  %old = atomicrmw xchg ptr addrspace(1) %out, i32 %i monotonic, align 4
  br label %cleanup
cleanup:
  %dest = phi i32 [ 0, %work ], [ 2, %loop ]
  switch i32 %dest, label %never [
    i32 0, label %loop
    i32 2, label %end
  ]
never:
  unreachable
end:
  ret void
}

; A comparison tests the value.
; CHECK-LABEL: define void @takes_work_and_compares(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @takes_work_and_compares(ptr addrspace(1) noalias %next, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %work, label %cleanup
work:
  %old = atomicrmw xchg ptr addrspace(1) %out, i32 %i monotonic, align 4
  br label %cleanup
cleanup:
  %dest = phi i32 [ 0, %work ], [ 2, %loop ]
  %again = icmp ult i32 %dest, 2
  br i1 %again, label %loop, label %end
end:
  ret void
}

; `if (i >= n) continue;`: the number leads to the next turn.
; CHECK-LABEL: define void @continues(
; CHECK: call void @__lanecl_yield()
define void @continues(ptr addrspace(1) noalias %next, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %work, label %cleanup
work:
  %old = atomicrmw xchg ptr addrspace(1) %out, i32 %i monotonic, align 4
  br label %cleanup
cleanup:
  %dest = phi i32 [ 2, %work ], [ 0, %loop ]
  switch i32 %dest, label %never [
    i32 0, label %loop
    i32 2, label %end
  ]
never:
  unreachable
end:
  ret void
}

; As in code for a debugger, a variable is in memory, and its value comes from its own last one.
; CHECK-LABEL: define void @counts_in_memory(
; CHECK: call void @__lanecl_yield()
define void @counts_in_memory(ptr addrspace(1) %flag, i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %loop
loop:
  %before = load i32, ptr %i
  %after = add i32 %before, 1
  store i32 %after, ptr %i
  %seen = load volatile i32, ptr addrspace(1) %flag
  %none = icmp eq i32 %seen, 0
  %count = load i32, ptr %i
  %few = icmp ult i32 %count, %n
  %more = select i1 %few, i1 %none, i1 false
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A counter of tries has far to go, and something else ends the loop.
; CHECK-LABEL: define void @tries_long(
; CHECK: %turns = phi
; CHECK: call void @__lanecl_yield()
define void @tries_long(ptr addrspace(1) %tries, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %tries, i32 1 monotonic, align 4
  %f = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %none = icmp eq i32 %f, 0
  %few = icmp ult i32 %i, 1000000000
  %more = select i1 %few, i1 %none, i1 false
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The counter does not have so far to go.
; CHECK-LABEL: define void @tries_shortly(
; CHECK-NOT: @__lanecl_yield
; CHECK: ret void
define void @tries_shortly(ptr addrspace(1) %tries, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr addrspace(1) %tries, i32 1 monotonic, align 4
  %f = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %none = icmp eq i32 %f, 0
  %few = icmp ult i32 %i, 1000
  %more = select i1 %few, i1 %none, i1 false
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i32 @_Z16__lanecl_lane_idv()
declare i32 @_Z18__lanecl_broadcastij(i32, i32) convergent nounwind
declare i32 @_Z24__lanecl_broadcast_firsti(i32) convergent nounwind
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
; CHECK: attributes #{{[0-9]+}} = { {{.*}}"lanecl-gets-on" }
