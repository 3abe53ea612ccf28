// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The loops that wait for a turn. In the printed text, `place` is the memory of the turns, and `due` is the turn that
// is waited for.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

using Via = Turns::Via;
using Beside = Turns::Beside;
using Loop = Turns::Loop;

// Returns the condition that holds in the first work-item of the work-group or, for turns of sub-groups, of the
// sub-group.
std::string isFirst(bool relays) {
  return relays ? "get_local_linear_id() == 0u" : "get_sub_group_local_id() == 0u";
}

// Returns the end of a helper's name, which is different for each way of asking.
std::string suffix(const Turns &turns) {
  return std::to_string(unsigned(turns.ask)) + (turns.is_wide ? "_wide" : "");
}

std::string isDue(const Stmt &s) {
  return s.turns.passes ? " >= due" : " == due";
}

std::string isNotDue(const Stmt &s) {
  return s.turns.passes ? " < due" : " != due";
}

} // namespace

// Returns the expression that asks whose turn it is.
std::string Printer::asked(const Stmt &s) const {
  switch (s.turns.ask) {
  case Turns::Ask::Acquire:
    return "atomic_load_explicit(" + turnPointer(s, true) + ", memory_order_acquire, " + scopeOf(s) + ")";
  case Turns::Ask::Plain: return "atomic_load(" + turnPointer(s, true) + ")";
  case Turns::Ask::Volatile: return "*" + turnPointer(s, false);
  case Turns::Ask::Or: return "atomic_or(" + turnPointer(s, false) + ", 0u)";
  case Turns::Ask::Exchange: return "atomic_cmpxchg(" + turnPointer(s, false) + ", due, due)";
  }
  return {};
}

// Defines a function that asks and stores the answer through a pointer. Returns the function's name.
std::string Printer::asker(const Stmt &s) {
  const std::string space = isRelay(s) ? "global" : "local";
  const std::string name = "ask_" + space + suffix(s.turns);
  helpers.insert("void " + name + "(" + space + " uint *place, uint due, uint *seen) { *seen = " + asked(s) + "; }\n");
  return name;
}

// Defines a function in which the first work-item asks, and the others of the sub-group read its answer in local
// memory.
std::string Printer::askerOfSubGroup(const Stmt &s) {
  const std::string name = "ask_word" + suffix(s.turns);
  helpers.insert("uint " + name + "(local uint *place, uint due, local uint *word) {\n  if (" + isFirst(false) +
                 ") *word = " + asked(s) + R"(;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  const uint seen = *word;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  return seen;
}
)");
  return name;
}

// Declares, before the loop, the variables that the answer is stored in.
void Printer::startAsking(const Stmt &s) {
  const std::string chosen = "((due + (uint)get_local_linear_id()) & 1u) != 0u";
  switch (s.turns.via) {
  case Via::Variable: line() << "uint a = 0u, b = 0u, *to = " << chosen << " ? &a : &b;\n"; break;
  case Via::Cell:
    line() << "local uint *cells = place + " << kTurnCells + kMostWaitingSubGroups
           << "u + 2u * (uint)get_local_linear_id(), *to = " << chosen << " ? cells : cells + 1;\n";
    line() << "cells[0] = cells[1] = 0u;\n";
    break;
  case Via::Arrays: line() << "uint these[4] = {0u}, those[4] = {0u}, *to = these, *from = those, *other;\n"; break;
  case Via::Output: line() << "uint seen;\n"; break;
  case Via::Ring: line() << "struct { uint seen[4], count; } ring = {{0u}, 0u};\n"; break;
  case Via::Word: line() << "local uint *word = place + " << kTurnCells << "u + get_sub_group_id();\n"; break;
  case Via::Nothing:
  case Via::Least:
  case Via::Broadcast: break;
  }
}

// Returns the expression that asks whose turn it is and passes the answer through `via`. The numbers of turns only
// rise, so an earlier answer never says that a turn has come when it has not.
std::string Printer::answer(const Stmt &s) {
  const std::string ask = asked(s), scope = isRelay(s) ? "work_group" : "sub_group";
  switch (s.turns.via) {
  case Via::Nothing: break;
  case Via::Variable: return "(*to = " + ask + ", a | b)";
  case Via::Cell: return "(*to = " + ask + ", cells[0] | cells[1])";
  case Via::Arrays:
    return "(other = to, to = from, from = other, to[due & 3u] = " + ask + ", min(to[due & 3u], from[due & 3u]))";
  case Via::Output: return "(" + asker(s) + "(place, due, &seen), seen)";
  case Via::Ring: return "(ring.seen[ring.count & 3u] = " + ask + ", ring.seen[ring.count++ & 3u])";
  case Via::Word: return askerOfSubGroup(s) + "(place, due, word)";
  case Via::Least: return scope + "_reduce_min(" + ask + ")";
  case Via::Broadcast:
    return scope + "_broadcast(" + isFirst(isRelay(s)) + " ? " + ask + " : 0u, " + (isRelay(s) ? "0, 0, 0)" : "0u)");
  }
  return ask;
}

void Printer::startCounting(const Stmt &s) {
  if (s.turns.beside == Beside::Counter || s.turns.beside == Beside::NoSteps)
    line() << "uint turns = 0u;\n";
  if (s.turns.beside == Beside::NoSteps)
    line() << "const uint step = place[4];\n";
}

// Returns the condition under which the counter lets the loop go on, or "true" if there is no counter. The condition
// always holds, because no counter reaches its limit.
std::string Printer::isCounting(const Stmt &s) const {
  const std::string count = "atomic_inc((volatile local uint *)place + 3)";
  switch (s.turns.beside) {
  case Beside::Nothing: break;
  case Beside::Counter: return std::string("turns++ < ") + kNeverReached;
  case Beside::Word: return count + " < " + kNeverReached;
  case Beside::WordForAll:
    return "sub_group_broadcast(" + isFirst(false) + " ? " + count + " : 0u, 0u) < " + kNeverReached;
  case Beside::NoSteps: return "(turns += step) < 5u";
  case Beside::Compared: {
    const std::string other = "atomic_inc((volatile local uint *)place + 5)";
    return "(" + count + " > " + other + " + 8u ? atomic_inc((volatile local uint *)place + 6) : 0u, true)";
  }
  }
  return "true";
}

// Prints a loop `for (;;)` that asks at its end. If `entry` is a label, the loop can be entered there, and turns that
// start at the loop's head are counted.
void Printer::waitEndlessly(const Stmt &s, const std::string &entry) {
  braced("for (;;)", [&] {
    line() << "if (!(" << isCounting(s) << ")) break;\n";
    if (!entry.empty()) {
      line() << "++missed;\n";
      line() << entry << "\n";
    }
    line() << "if (" << answer(s) << isDue(s) << ") break;\n";
  });
}

// Prints loops with two entries.
void Printer::waitEntered(const Stmt &s) {
  const std::string label = std::to_string(labels++) + "_" + kernel.name;
  const std::string waits = isCounting(s) + " && " + answer(s) + isNotDue(s);
  line() << "volatile uint missed = 0u;\n"; // volatile, so that the block between the entries is not empty
  switch (s.turns.loop) {
  case Loop::Goto:
    line() << "if ((due & 1u) != 0u) goto check_" << label << ";\n";
    line() << "do {\n";
    line() << "  ++missed;\n";
    line() << "check_" << label << ":;\n";
    line() << "} while (" << waits << ");\n";
    break;
  case Loop::Switch:
    line() << "switch (due & 1u) {\n";
    line() << "case 0u:\n";
    waitEndlessly(s, "case 1u:");
    line() << "}\n";
    break;
  default:
    line() << "if ((due & 1u) != 0u) goto second_" << label << ";\n";
    line() << "first_" << label << ":\n";
    line() << "++missed;\n";
    line() << "if (!(" << waits << ")) goto end_" << label << ";\n";
    line() << "second_" << label << ":\n";
    line() << "if (" << waits << ") goto first_" << label << ";\n";
    line() << "end_" << label << ":;\n";
  }
}

void Printer::waitForTurn(const Stmt &s) {
  startAsking(s);
  startCounting(s);
  switch (s.turns.loop) {
  case Loop::While: line() << "while (" << isCounting(s) << " && " << answer(s) << isNotDue(s) << ") {}\n"; break;
  case Loop::DoWhile:
    line() << "uint now;\n";
    line() << "do\n";
    line() << "  now = " << answer(s) << ";\n";
    line() << "while (" << isCounting(s) << " && now" << isNotDue(s) << ");\n";
    break;
  case Loop::Endless: waitEndlessly(s, ""); break;
  default: waitEntered(s);
  }
  if (s.turns.ask > Turns::Ask::Plain)
    turnFence(s);
}

} // namespace lanecl::fuzz
