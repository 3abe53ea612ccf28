// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Updates under locks. In the printed text, `cells` are the locks, `sums` is what they protect, and `k` is the number
// of the lock.
#include "print/printer.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

using Way = Locking::Way;
using Shape = Locking::Shape;

constexpr const char *kFence = "mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n";

bool isOfGroup(const MemoryObject &object) {
  return object.role == MemoryObject::Role::LocalLocks;
}

std::string cell(LockCell which) {
  return "(cells + " + std::to_string(unsigned(which) * kLocks) + " + k)";
}

std::string sum(LockSum which) {
  return "sums[" + std::to_string(unsigned(which) * kLocks) + " + k]";
}

} // namespace

void Printer::startLocks() {
  for (const MemoryObject &object : kernel.memories) {
    if (!isOfGroup(object))
      continue;
    line() << "if (get_local_linear_id() == 0)\n";
    line() << "  for (uint k = 0u; k < " << kLockCells << "u; ++k)\n";
    line() << "    " << object.name << "[k] = 0u;\n";
    line() << "barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
}

// Returns an expression that takes the lock if it is free, and tells whether it did.
std::string Printer::taken(const Stmt &s) {
  const std::string space = isOfGroup(kernel.memories[s.memory]) ? "local" : "global";
  const std::string scope = space == "local" ? "memory_scope_work_group" : "memory_scope_device";
  const auto tried = [&](const std::string &place) -> std::string {
    switch (s.locking.way) {
    case Way::Compare: return "atomic_cmpxchg(" + place + ", 0u, 1u) == 0u";
    case Way::CompareExplicit:
      return "(none = 0u, atomic_compare_exchange_strong_explicit((volatile " + space + " atomic_uint *)" + place +
             ", &none, 1u, memory_order_acquire, memory_order_relaxed, " + scope + "))";
    case Way::Flag:
      return "!atomic_flag_test_and_set_explicit((volatile " + space + " atomic_flag *)" + place +
             ", memory_order_acquire, " + scope + ")";
    case Way::Exchange: return "atomic_xchg(" + place + ", 1u) == 0u";
    case Way::Increment:
      return "atomic_fetch_add_explicit((volatile " + space + " atomic_uint *)" + place +
             ", 1u, memory_order_acquire, " + scope + ") == 0u";
    case Way::Bit: return "set_bit_" + space + "(" + place + ")";
    case Way::Ticket: return "atomic_or(" + place + ", 0u) == mine";
    case Way::Mailbox: break;
    }
    return {};
  };
  const std::string place = cell(s.locking.way == Way::Ticket ? LockCell::Called : LockCell::Lock);
  if (s.locking.way == Way::Bit)
    helpers.insert("bool set_bit_" + space + "(volatile " + space + R"( uint *place) {
  uint old = *place, expected;
  do {
    expected = old;
    old = atomic_cmpxchg(place, expected, expected | 1u);
  } while (old != expected);
  return old == 0u;
}
)");
  if (!s.locking.calls)
    return tried(place);
  const std::string name = "try_lock_" + std::to_string(unsigned(s.locking.way)) + "_" + space;
  helpers.insert("bool " + name + "(volatile " + space + " uint *place, uint mine) {\n  uint none;\n  return " +
                 tried("place") + ";\n}\n");
  return name + "(" + place + ", " + (s.locking.way == Way::Ticket ? "mine" : "0u") + ")";
}

void Printer::giveLock(const Stmt &s) {
  const bool of_group = isOfGroup(kernel.memories[s.memory]);
  const std::string space = of_group ? "local" : "global";
  const std::string scope = of_group ? "memory_scope_work_group" : "memory_scope_device";
  const std::string place = cell(s.locking.way == Way::Ticket ? LockCell::Called : LockCell::Lock);
  const bool is_explicit =
      s.locking.way == Way::CompareExplicit || s.locking.way == Way::Flag || s.locking.way == Way::Increment;
  if (!is_explicit || of_group)
    line() << kFence;
  switch (s.locking.way) {
  case Way::Compare: line() << "atomic_xchg(" << place << ", 0u);\n"; break;
  case Way::CompareExplicit:
  case Way::Increment:
    line() << "atomic_store_explicit((volatile " << space << " atomic_uint *)" << place
           << ", 0u, memory_order_release, " << scope << ");\n";
    break;
  case Way::Flag:
    line() << "atomic_flag_clear_explicit((volatile " << space << " atomic_flag *)" << place
           << ", memory_order_release, " << scope << ");\n";
    break;
  case Way::Exchange: line() << "*" << place << " = 0u;\n"; break;
  case Way::Bit: line() << "atomic_and(" << place << ", 0u);\n"; break;
  case Way::Ticket: line() << "atomic_inc(" << place << ");\n"; break;
  case Way::Mailbox: break;
  }
}

// Prints a second lock under the first one. Work-items with different locks may want it at the same time.
void Printer::takeInner() {
  line() << "bool both = false;\n";
  line() << "while (!both)\n";
  branch("atomic_cmpxchg(" + cell(LockCell::Inner) + ", 0u, 1u) == 0u", [&] {
    line() << kFence;
    line() << sum(LockSum::OfInner) << " += 1u;\n";
    line() << kFence;
    line() << "atomic_xchg(" << cell(LockCell::Inner) << ", 0u);\n";
    line() << "both = true;\n";
  });
}

// Prints the statements between taking and releasing the lock, and the release.
void Printer::underLock(const Stmt &s) {
  const std::string protected_sum = sum(sumOf(s.locking.way));
  line() << kFence;
  if (s.locking.late)
    line() << "value = " << expr(s.values[1]) << ";\n";
  if (s.locking.nested)
    takeInner();
  if (!s.locking.branches) {
    line() << protected_sum << " += value;\n";
    giveLock(s);
    return;
  }
  branch(expr(s.values[2]), [&] {
    line() << protected_sum << " += value;\n";
    giveLock(s);
  });
  line() << "else\n";
  branch("true", [&] {
    line() << protected_sum << " = value + " << protected_sum << ";\n";
    giveLock(s);
  });
}

// Prints one attempt to take the lock. `end` is the text that ends the loop.
void Printer::lockOnce(const Stmt &s, const std::string &end) {
  branch(taken(s), [&] {
    underLock(s);
    line() << end << "\n";
  });
}

// Prints a loop that takes the lock in one round and uses and gives it back in the next.
void Printer::lockByStates(const Stmt &s) {
  line() << "uint state = 0u;\n";
  line() << "while (state != 2u)\n";
  branch("state == 0u", [&] { branch(taken(s), [&] { line() << "state = 1u;\n"; }); });
  line() << "else\n";
  branch("true", [&] {
    underLock(s);
    line() << "state = 2u;\n";
  });
}

// Prints a loop that switches on whether the lock was taken.
void Printer::lockBySwitch(const Stmt &s) {
  line() << "bool done = false;\n";
  line() << "while (!done)\n";
  line() << "  switch (" << taken(s) << " ? 1 : 0) {\n";
  line() << "  case 1:\n";
  branch("true", [&] { underLock(s); });
  line() << "    done = true;\n";
  line() << "    break;\n";
  line() << "  default: break;\n";
  line() << "  }\n";
}

// Prints the use of a mailbox. A work-item that wants to put something into a full mailbox waits, and takes nothing out
// before it has put something in.
void Printer::useMailbox(const Stmt &s) {
  const std::string mail = cell(LockCell::Mail), letter = cell(LockCell::Letter);
  const bool breaks = s.locking.shape >= Shape::Break;
  line() << "bool put = false, done = false;\n";
  line() << (breaks ? "for (;;)\n" : s.locking.shape == Shape::DoWhile ? "do\n" : "while (!done)\n");
  branch("!put", [&] {
    branch("atomic_cmpxchg(" + mail + ", 0u, 1u) == 0u", [&] {
      if (s.locking.late)
        line() << "value = " << expr(s.values[1]) << ";\n";
      line() << "*" << letter << " = value;\n";
      line() << kFence;
      line() << "atomic_xchg(" << mail << ", 2u);\n";
      line() << "put = true;\n";
    });
  });
  line() << "else\n";
  branch("atomic_cmpxchg(" + mail + ", 2u, 3u) == 2u", [&] {
    line() << kFence;
    line() << sum(LockSum::OfMail) << " += *" << letter << ";\n";
    line() << "*" << letter << " = 0u;\n";
    line() << kFence;
    line() << "atomic_xchg(" << mail << ", 0u);\n";
    line() << (breaks ? "break;\n" : "done = true;\n");
  });
  if (s.locking.shape == Shape::DoWhile && !breaks)
    line() << "while (!done);\n";
}

// Prints the loop in which a work-item tries to take the lock, in the statement's shape.
void Printer::lockInLoop(const Stmt &s) {
  const std::string label = std::to_string(labels++) + "_" + kernel.name;
  switch (s.locking.shape) {
  case Shape::While:
    line() << "bool done = false;\n";
    line() << "while (!done)\n";
    return lockOnce(s, "done = true;");
  case Shape::DoWhile:
    line() << "int done = 0;\n";
    line() << "do\n";
    lockOnce(s, "done = 1;");
    line() << "while (done == 0);\n";
    return;
  case Shape::Counted:
    line() << "for (uint left = " << s.locking.rounds << "u; left != 0u;)\n";
    return lockOnce(s, s.locking.way != Way::Ticket
                           ? "--left;"
                           : "if (--left != 0u) mine = atomic_inc(" + cell(LockCell::Ticket) + ");");
  case Shape::GivingUp:
    line() << "bool done = false;\n";
    line() << "for (uint turns = 0u; turns < " << kNeverReached << " && !done; ++turns)\n";
    return lockOnce(s, "done = true;");
  case Shape::Break: line() << "for (;;)\n"; return lockOnce(s, "break;");
  case Shape::BreakInElse:
    line() << "while (true)\n";
    branch("!(" + taken(s) + ")", [] {});
    line() << "else\n";
    return branch("true", [&] {
      underLock(s);
      line() << "break;\n";
    });
  case Shape::Goto:
    line() << "again_" << label << ":;\n";
    lockOnce(s, "goto out_" + label + ";");
    line() << "goto again_" << label << ";\n";
    line() << "out_" << label << ":;\n";
    return;
  case Shape::GotoElse:
    line() << "again_" << label << ":;\n";
    branch(taken(s), [&] { underLock(s); });
    line() << "else goto again_" << label << ";\n";
    return;
  case Shape::Switch: return lockBySwitch(s);
  case Shape::States: return lockByStates(s);
  case Shape::Entered:
    line() << "bool done = false;\n";
    line() << "volatile uint missed = 0u;\n";
    line() << "if ((k & 1u) != 0u) goto enter_" << label << ";\n";
    return braced("while (!done)", [&] {
      line() << "++missed;\n";
      line() << "enter_" << label << ":;\n";
      lockOnce(s, "done = true;");
    });
  case Shape::FlagInArray:
    line() << "uint done[4] = {0u};\n";
    line() << "while (done[k & 3u] == 0u)\n";
    return lockOnce(s, "done[k & 3u] = 1u;");
  }
}

// Prints a critical section, with the lock and what it protects in variables of a block of its own.
void Printer::lock(const Stmt &s) {
  const MemoryObject &object = kernel.memories[s.memory];
  const bool of_group = isOfGroup(object);
  const auto global = std::find_if(kernel.memories.begin(), kernel.memories.end(),
                                   [](const MemoryObject &o) { return o.role == MemoryObject::Role::Locks; });
  line() << "{\n";
  ++indent;
  line() << "const uint k = (uint)(" << expr(s.values[0]) << ") % " << kLocks << "u;\n";
  line() << "volatile " << (of_group ? "local" : "global") << " uint *cells = " << object.name << ";\n";
  line() << "global uint *sums = " << global->name << " + " << kLockCells << "u";
  if (of_group)
    text << " + " << kLockSums << "u * (1u + (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
         << "get_num_groups(0) + get_group_id(0)))";
  text << ";\n";
  line() << "uint none = 0u, value = " << (s.locking.late ? "0u" : expr(s.values[1])) << ";\n";
  if (s.locking.way == Way::Mailbox) {
    useMailbox(s);
  } else {
    if (s.locking.way == Way::Ticket)
      line() << "uint mine = atomic_inc(" << cell(LockCell::Ticket) << ");\n";
    lockInLoop(s);
  }
  --indent;
  line() << "}\n";
}

} // namespace lanecl::fuzz
