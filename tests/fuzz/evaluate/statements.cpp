// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Statements that one work-item runs alone.
#include "evaluate/flow.h"
#include "evaluate/operations.h"
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

void WorkGroup::block(const Block &statements, Item &item) {
  for (const Stmt &s : statements) {
    statement(s, item);
    if (item.flow != Flow::Next)
      return;
  }
}

void WorkGroup::startLoop(const Stmt &s, Item &item) {
  const size_t where = place(item, s.target.variable);
  item.stack[where] = s.kind == Stmt::Kind::For ? bits(s.values[0], item) : 0;
  item.assigned[where] = true;
  item.unknown[where] = 0;
}

Truth WorkGroup::again(const Stmt &s, Item &item) {
  const uint64_t counter = item.stack[place(item, s.target.variable)];
  if (s.kind != Stmt::Kind::For)
    return counter < uint64_t(s.number) ? truthOf(value(s.values[0], item)) : Truth{false};
  const Wide now = wide(variableAt(s.target.variable).type.base, counter);
  const Value end = value(s.values[1], item);
  const Range bound = rangeOf(s.values[1]->type.base, {end.c[0], end.unknown[0]});
  if (bound.lowest != bound.highest)
    truthOf(end); // throws if the number of turns depends on bits that are not settled
  const bool first = s.number < 0 ? now > bound.lowest : now < bound.lowest,
             last = s.number < 0 ? now > bound.highest : now < bound.highest;
  const Wide end_now = wide(s.values[1]->type.base, end.c[0]);
  return {s.number < 0 ? now > end_now : now < end_now, first == last};
}

void WorkGroup::count(const Stmt &s, Item &item) {
  const Type type = variableAt(s.target.variable).type;
  uint64_t &counter = item.stack[place(item, s.target.variable)];
  uint64_t step = s.kind == Stmt::Kind::For ? uint64_t(s.number) : 1;
  if (s.kind == Stmt::Kind::For && s.values.size() > 2)
    step = bits(s.values[2], item);
  const Result next = operate(Op::Add, type, counter, truncated(type.base, step), 0);
  if (next.undefined)
    throw Rejected("a loop's counter overflows");
  counter = next.bits;
}

// Runs the loop's body once. Returns whether the work-item stays in the loop.
bool WorkGroup::runRound(const Stmt &s, Item &item) {
  const bool counts_last = s.kind == Stmt::Kind::For;
  if (!counts_last)
    count(s, item);
  block(s.blocks[0], item);
  if (!goesOn(item))
    return false;
  if (counts_last)
    count(s, item);
  return true;
}

// Runs the remaining rounds of a loop. If it is unknown whether there is another round, that round is evaluated as one
// of two ways.
void WorkGroup::goOn(const Stmt &s, Item &item, bool first_round) {
  for (bool checks = !first_round || s.kind != Stmt::Kind::DoWhile;; checks = true) {
    const Truth truth = checks ? again(s, item) : Truth{true};
    const auto another = [&] {
      if (runRound(s, item))
        goOn(s, item, false);
    };
    if (!truth.known)
      return eitherWay(item, truth.holds, another, [] {});
    if (!truth.holds || !runRound(s, item))
      return;
  }
}

void WorkGroup::loop(const Stmt &s, Item &item) {
  startLoop(s, item);
  goOn(s, item, true);
}

size_t WorkGroup::chosenCase(const Stmt &s, uint64_t bits) const {
  return std::min<size_t>(bits & 7, s.blocks.size() - 1);
}

// Runs the cases of a switch from case `first` until one does not fall through.
void WorkGroup::cases(const Stmt &s, size_t first, Item &item) {
  for (size_t i = first; i < s.blocks.size(); ++i) {
    block(s.blocks[i], item);
    if (item.flow != Flow::Next || !s.falls_through[i])
      break;
  }
  if (item.flow == Flow::Break)
    item.flow = Flow::Next;
}

// Runs a switch on a value with unknown bits. Every value not below `from` that the bits may have is evaluated as one
// of the ways.
void WorkGroup::anyCase(const Stmt &s, const Value &v, uint64_t from, Item &item) {
  const auto isPossible = [&](uint64_t bits) { return ((bits ^ v.c[0]) & ~v.unknown[0] & 7) == 0; };
  uint64_t next = from + 1;
  while (next < 8 && !isPossible(next))
    ++next;
  const auto here = [&] { cases(s, chosenCase(s, from), item); };
  if (next == 8)
    return here();
  eitherWay(item, (v.c[0] & 7) == from, here, [&] { anyCase(s, v, next, item); });
}

// Runs the case that the value chooses, and those that it falls through to.
void WorkGroup::switchStatement(const Stmt &s, Item &item) {
  const Value v = value(s.values[0], item);
  if ((v.unknown[0] & 7) == 0)
    return cases(s, chosenCase(s, v.c[0]), item);
  if (!v.settled)
    throw Rejected("a switch on an uninitialized value");
  anyCase(s, v, v.c[0] & ~v.unknown[0] & 7, item);
}

// Runs one side of an `if`, or both if unknown bits decide.
void WorkGroup::branch(const Stmt &s, Item &item) {
  const Truth truth = truthOf(value(s.values[0], item));
  if (truth.known)
    return block(s.blocks[truth.holds ? 0 : 1], item);
  eitherWay(item, truth.holds, [&] { block(s.blocks[0], item); }, [&] { block(s.blocks[1], item); });
}

// Runs a statement for one work-item.
void WorkGroup::statement(const Stmt &s, Item &item) {
  spend();
  look(s, item);
  using Kind = Stmt::Kind;
  switch (s.kind) {
  case Kind::Declare: return declare(s, item);
  case Kind::Assign: return assign(s.target, value(s.values[0], item), item);
  case Kind::Store: return store(s, item);
  case Kind::VectorStore: return vectorStore(s, item);
  case Kind::Atomic: return atomic(s, item);
  case Kind::If: return branch(s, item);
  case Kind::For:
  case Kind::While:
  case Kind::DoWhile: return loop(s, item);
  case Kind::Switch: return switchStatement(s, item);
  case Kind::Break: item.flow = Flow::Break; return;
  case Kind::Continue: item.flow = Flow::Continue; return;
  case Kind::Return:
    if (!s.values.empty())
      item.result = value(s.values[0], item);
    item.flow = Flow::Return;
    return;
  case Kind::Lock: return lock(s, item);
  case Kind::Call: return call(s, {&item});
  case Kind::Barrier:
  case Kind::TakeTurns:
  case Kind::SubGroupCall: throw std::logic_error("a statement that needs others is run for one work-item");
  }
}

} // namespace lanecl::fuzz
