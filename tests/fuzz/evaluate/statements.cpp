// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Statements of one work-item.
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
}

bool WorkGroup::again(const Stmt &s, Item &item) {
  const uint64_t counter = item.stack[place(item, s.target.variable)];
  if (s.kind != Stmt::Kind::For)
    return counter < uint64_t(s.number) && bits(s.values[0], item) != 0;
  const Wide now = wide(variableAt(s.target.variable).type.base, counter), bound = integer(s.values[1], item);
  return s.number < 0 ? now > bound : now < bound;
}

void WorkGroup::count(const Stmt &s, Item &item) {
  const Type type = variableAt(s.target.variable).type;
  uint64_t &counter = item.stack[place(item, s.target.variable)];
  const uint64_t step = s.kind == Stmt::Kind::For ? uint64_t(s.number) : 1;
  const Result next = operate(Op::Add, type, counter, truncated(type.base, step), 0);
  if (next.undefined)
    throw Rejected("a loop's counter overflows");
  counter = next.bits;
}

void WorkGroup::loop(const Stmt &s, Item &item) {
  startLoop(s, item);
  const bool counts_last = s.kind == Stmt::Kind::For;
  for (bool go = s.kind == Stmt::Kind::DoWhile || again(s, item); go; go = again(s, item)) {
    if (!counts_last)
      count(s, item);
    block(s.blocks[0], item);
    if (!goesOn(item))
      return;
    if (counts_last)
      count(s, item);
  }
}

size_t WorkGroup::chosenCase(const Stmt &s, Item &item) {
  return std::min<size_t>(bits(s.values[0], item) & 7, s.blocks.size() - 1);
}

void WorkGroup::switchStatement(const Stmt &s, Item &item) {
  for (size_t i = chosenCase(s, item); i < s.blocks.size(); ++i) {
    block(s.blocks[i], item);
    if (item.flow != Flow::Next || !s.falls_through[i])
      break;
  }
  if (item.flow == Flow::Break)
    item.flow = Flow::Next;
}

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
  case Kind::If: return block(s.blocks[bits(s.values[0], item) != 0 ? 0 : 1], item);
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
  case Kind::Call: return call(s, {&item});
  case Kind::Barrier:
  case Kind::TakeTurns:
  case Kind::SubGroupCall: throw std::logic_error("a statement that needs others is run for one work-item");
  }
}

} // namespace lanecl::fuzz
