// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns. Each work-item counts the turns that it has reached, in private memory that functions get a pointer to.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

// Returns the number of the turn of participant i among n, see positionOf().
std::string position(Turns::Order order, const std::string &rotation) {
  switch (order) {
  case Turns::Order::Ascending: return "i";
  case Turns::Order::Descending: return "n - 1u - i";
  case Turns::Order::Rotated: return "(i + " + rotation + " % n) % n";
  case Turns::Order::EvenFirst: return "(i % 2u == 0u ? i / 2u : (n + 1u) / 2u + i / 2u)";
  }
  return "i";
}

} // namespace

std::string turnCounter(const MemoryObject &object) {
  return object.name + "_seen";
}

// Prints the start of the kernel: counters of turns, and the initial values of turns in local memory.
void Printer::startTurns() {
  for (const MemoryObject &object : kernel.memories) {
    if (!object.isOfTurns())
      continue;
    line() << "uint " << turnCounter(object) << "[1] = {0u};\n";
    if (object.role == MemoryObject::Role::Relay)
      continue;
    line() << "if (get_local_linear_id() == 0)\n";
    line() << "  for (uint i = 0u; i < " << kTurnCells << "u; ++i)\n";
    line() << "    " << object.name << "[i] = 0u;\n";
    line() << "barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
}

bool Printer::isRelay(const Stmt &s) const {
  return kernel.memories[s.memory].role == MemoryObject::Role::Relay;
}

// Returns a pointer to the cell that says whose turn it is.
std::string Printer::turnPointer(const Stmt &s, bool atomic) const {
  return std::string("(volatile ") + (isRelay(s) ? "global" : "local") +
         (atomic ? " atomic_uint *)place" : " uint *)place");
}

std::string Printer::scopeOf(const Stmt &s) const {
  return isRelay(s) || s.turns.is_wide ? "memory_scope_device" : "memory_scope_work_group";
}

// Returns the expression that passes the turn on.
std::string Printer::given(const Stmt &s) const {
  switch (s.turns.give) {
  case Turns::Give::Release:
    return "atomic_store_explicit(" + turnPointer(s, true) + ", due + 1u, memory_order_release, " + scopeOf(s) + ")";
  case Turns::Give::FetchAdd:
    return "atomic_fetch_add_explicit(" + turnPointer(s, true) + ", 1u, memory_order_acq_rel, " + scopeOf(s) + ")";
  case Turns::Give::Plain: return "atomic_store(" + turnPointer(s, true) + ", due + 1u)";
  case Turns::Give::Volatile: return "*" + turnPointer(s, false) + " = due + 1u";
  case Turns::Give::Increment: return "atomic_inc(" + turnPointer(s, false) + ")";
  case Turns::Give::Add: return "atomic_add(" + turnPointer(s, false) + ", 1u)";
  case Turns::Give::Exchange: return "atomic_xchg(" + turnPointer(s, false) + ", due + 1u)";
  }
  return {};
}

std::string Printer::meeting(const Stmt &s) const {
  return isRelay(s) ? "barrier(CLK_GLOBAL_MEM_FENCE)" : "sub_group_barrier(CLK_LOCAL_MEM_FENCE)";
}

void Printer::turnFence(const Stmt &s) {
  line() << "mem_fence(" << (isRelay(s) ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE") << ");\n";
}

// Prints that one work-item, which has waited, takes the turn.
void Printer::takeTurn(const Stmt &s) {
  if (s.turns.who != Turns::Who::All)
    line() << "found = place[1];\n";
  if (s.turns.late)
    line() << "value = " << expr(s.values[0]) << ";\n";
  line() << "place[1] = found * " << kTurnFactor << "u + value;\n";
  if (s.turns.give > Turns::Give::Plain)
    turnFence(s);
  line() << (s.turns.who == Turns::Who::Each ? "if (k + 1u == get_sub_group_size()) " : "") << given(s) << ";\n";
  if (s.turns.keeps)
    line() << target(s.target) << " = found;\n";
}

// Prints the variables that say which participant the work-item belongs to, and when its turn is.
void Printer::startTurn(const Stmt &s) {
  const MemoryObject &object = kernel.memories[s.memory];
  const bool relays = isRelay(s);
  const std::string seen = turnCounter(object) + "[0]";
  if (relays) {
    line() << "const uint n = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);\n";
    line() << "const uint i = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + "
              "get_group_id(0);\n";
    line() << "const uint due = " << position(kernel.group_order, std::to_string(kGroupRotation) + "u") << ";\n";
    line() << "global uint *place = " << object.name << " + " << kTurnCells << "u * " << seen << ";\n";
  } else {
    line() << "const uint n = get_num_sub_groups(), i = get_sub_group_id();\n";
    line() << "const uint due = " << seen << " * n + "
           << position(s.turns.order, s.turns.order == Turns::Order::Rotated ? "(" + expr(s.values[1]) + ")" : "")
           << ";\n";
    line() << "local uint *place = " << object.name << ";\n";
  }
  line() << "uint found = 0u, value = " << (s.turns.late ? "0u" : expr(s.values[0])) << ";\n";
  line() << "++" << seen << ";\n";
}

void Printer::branch(const std::string &condition, const std::function<void()> &inside) {
  braced("if (" + condition + ")", inside);
}

void Printer::braced(const std::string &head, const std::function<void()> &inside) {
  line() << head << " {\n";
  ++indent;
  inside();
  --indent;
  line() << "}\n";
}

// Lets the work-items of a sub-group wait one after the other.
void Printer::takeTurnEach(const Stmt &s) {
  line() << "for (uint k = 0u; k < get_sub_group_size(); ++k) {\n";
  ++indent;
  branch("get_sub_group_local_id() == k", [&] {
    waitForTurn(s);
    takeTurn(s);
  });
  line() << meeting(s) << ";\n";
  --indent;
  line() << "}\n";
}

// Lets all work-items wait in one loop, which each leaves after its turn.
void Printer::takeTurnInStep(const Stmt &s) {
  const std::string lanes = "((volatile local uint *)place + 2)";
  line() << "bool done = false;\n";
  line() << (s.turns.loop == Turns::Loop::DoWhile ? "do\n" : "while (!done)\n");
  branch("(" + asked(s) + ") == due && atomic_or(" + lanes + ", 0u) == get_sub_group_local_id()", [&] {
    turnFence(s);
    line() << "const uint last = get_sub_group_size() - 1u;\n";
    line() << "found = place[1];\n";
    if (s.turns.late)
      line() << "value = " << expr(s.values[0]) << ";\n";
    line() << "place[1] = found * " << kTurnFactor << "u + value;\n";
    turnFence(s);
    line() << "atomic_xchg(" << lanes << ", get_sub_group_local_id() == last ? 0u : get_sub_group_local_id() + 1u);\n";
    turnFence(s);
    line() << "if (get_sub_group_local_id() == last) " << given(s) << ";\n";
    if (s.turns.keeps)
      line() << target(s.target) << " = found;\n";
    line() << "done = true;\n";
  });
  if (s.turns.loop == Turns::Loop::DoWhile)
    line() << "while (!done);\n";
}

// Prints a block in which work-items wait for their turn and take it.
void Printer::takeTurns(const Stmt &s) {
  const bool relays = isRelay(s);
  const std::string count =
      relays ? "get_local_size(0) * get_local_size(1) * get_local_size(2)" : "get_sub_group_size()";
  const std::string taker = s.turns.who == Turns::Who::Last ? count + " - 1u" : "0u";
  const std::string takes = std::string(relays ? "get_local_linear_id()" : "get_sub_group_local_id()") + " == " + taker;
  const auto wait = [&] { waitForTurn(s); };
  const auto take = [&] { takeTurn(s); };
  line() << "{\n";
  ++indent;
  startTurn(s);
  switch (s.turns.who) {
  case Turns::Who::First:
  case Turns::Who::Last: branch(takes, [&] { wait(), take(); }); break;
  case Turns::Who::All:
    wait();
    line() << "found = place[1];\n";
    line() << meeting(s) << ";\n";
    branch(takes, take);
    break;
  case Turns::Who::Some: branch(takes + " || " + expr(s.values.back()), [&] { wait(), branch(takes, take); }); break;
  case Turns::Who::Each: takeTurnEach(s); break;
  case Turns::Who::InStep: takeTurnInStep(s); break;
  }
  if (!s.turns.keeps)
    line() << target(s.target) << " = " << spread(s, taker) << ";\n";
  --indent;
  line() << "}\n";
}

// Returns the expression that gives the value found to all work-items.
std::string Printer::spread(const Stmt &s, const std::string &taker) const {
  if (s.turns.who == Turns::Who::All || s.turns.who >= Turns::Who::Each)
    return "found";
  if (!isRelay(s))
    return "sub_group_broadcast(found, " + taker + ")";
  return s.turns.who == Turns::Who::Last
             ? "work_group_broadcast(found, get_local_size(0) - 1, get_local_size(1) - 1, get_local_size(2) - 1)"
             : "work_group_broadcast(found, 0, 0, 0)";
}

} // namespace lanecl::fuzz
