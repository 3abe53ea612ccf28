// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The loops in which turns are waited for. `place` is the memory of the turns, `due` the turn that is waited for.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

using Via = Turns::Via;
using Beside = Turns::Beside;
using Loop = Turns::Loop;

// More turns than any loop has while the others come by.
constexpr const char *kFar = "4000000000u";

// Of the first work-item of the sub-group, or of the work-group.
std::string isFirst(bool relays) {
  return relays ? "get_local_linear_id() == 0u" : "get_sub_group_local_id() == 0u";
}

} // namespace

// Whose turn it is.
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

// A function that asks, and stores the answer where its caller wants it.
std::string Printer::asker(const Stmt &s) {
  const std::string space = isRelay(s) ? "global" : "local";
  const std::string name = "ask_" + space + std::to_string(unsigned(s.turns.ask)) + (s.turns.is_wide ? "_wide" : "");
  helpers.insert("void " + name + "(" + space + " uint *place, uint due, uint *seen) { *seen = " + asked(s) + "; }\n");
  return name;
}

// A function that asks for all of the sub-group, through a word of it.
std::string Printer::askerOfSubGroup(const Stmt &s) {
  const std::string name = "ask_word" + std::to_string(unsigned(s.turns.ask)) + (s.turns.is_wide ? "_wide" : "");
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

// The variables that the answer goes through, before the loop.
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

// Whose turn it is, by way of `via`. Answers only grow.
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

// That the counter has not come to its end, which is always so.
std::string Printer::isCounting(const Stmt &s) const {
  const std::string count = "atomic_inc((volatile local uint *)place + 3)";
  switch (s.turns.beside) {
  case Beside::Nothing: break;
  case Beside::Counter: return std::string("turns++ < ") + kFar;
  case Beside::Word: return count + " < " + kFar;
  case Beside::WordForAll: return "sub_group_broadcast(" + isFirst(false) + " ? " + count + " : 0u, 0u) < " + kFar;
  case Beside::NoSteps: return "(turns += step) < 5u";
  }
  return {};
}

void Printer::waitForTurn(const Stmt &s) {
  startAsking(s);
  startCounting(s);
  const std::string counts = isCounting(s), yes = answer(s) + (s.turns.passes ? " >= due" : " == due");
  const std::string no = (counts.empty() ? "" : counts + " && ") + answer(s) + (s.turns.passes ? " < due" : " != due");
  const std::string label = std::to_string(labels++) + "_" + kernel.name;
  const auto endless = [&](const std::string &before) {
    line() << "for (;;) {\n";
    if (!counts.empty())
      line() << "  if (!(" << counts << "))\n" << std::string(size_t(indent) * 2 + 4, ' ') << "break;\n";
    text << before;
    line() << "  if (" << yes << ")\n";
    line() << "    break;\n";
    line() << "}\n";
  };
  if (s.turns.loop >= Loop::Goto)
    line() << "volatile uint missed = 0u;\n";
  switch (s.turns.loop) {
  case Loop::While: line() << "while (" << no << ") {}\n"; break;
  case Loop::DoWhile:
    line() << "uint now;\n";
    line() << "do\n";
    line() << "  now = " << answer(s) << ";\n";
    line() << "while (" << (counts.empty() ? "" : counts + " && ") << "now" << (s.turns.passes ? " < due" : " != due")
           << ");\n";
    break;
  case Loop::Endless: endless(""); break;
  case Loop::Goto:
    line() << "if ((due & 1u) != 0u) goto check_" << label << ";\n";
    line() << "do {\n";
    line() << "  ++missed;\n";
    line() << "check_" << label << ":;\n";
    line() << "} while (" << no << ");\n";
    break;
  case Loop::Switch:
    line() << "switch (due & 1u) {\n";
    line() << "case 0u:\n";
    endless("++missed;\ncase 1u:\n");
    line() << "}\n";
    break;
  case Loop::TwoLabels:
    line() << "if ((due & 1u) != 0u) goto second_" << label << ";\n";
    line() << "first_" << label << ":\n";
    line() << "++missed;\n";
    line() << "if (!(" << no << ")) goto end_" << label << ";\n";
    line() << "second_" << label << ":\n";
    line() << "if (" << no << ") goto first_" << label << ";\n";
    line() << "end_" << label << ":;\n";
    break;
  }
  if (s.turns.ask > Turns::Ask::Plain)
    turnFence(s);
}

} // namespace lanecl::fuzz
