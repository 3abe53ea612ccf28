// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Walks over statements or expressions up to the chosen position, and changes what is there.
#include "reduce/edit.h"

namespace lanecl::fuzz {

bool Edit::statement(Block &block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (left-- == 0)
      return changeStatement(block, i);
    for (Block &nested : block[i].blocks)
      if (statement(nested))
        return true;
    if (reached) // reached, but it could not be changed
      return false;
  }
  return false;
}

// Removes the statement, or replaces it by one of its blocks.
bool Edit::changeStatement(Block &block, size_t i) {
  reached = true;
  const Stmt s = block[i];
  if (way > s.blocks.size())
    return false;
  block.erase(block.begin() + ptrdiff_t(i));
  if (way > 0)
    block.insert(block.begin() + ptrdiff_t(i), s.blocks[way - 1].begin(), s.blocks[way - 1].end());
  return true;
}

bool Edit::expression(Block &block) {
  for (Stmt &s : block) {
    if (s.target.element && visitArgs(s.target.element)) // only its arguments change; the target stays an element
      return true;
    for (size_t i = 0; i < s.values.size(); ++i) {
      const bool stays = s.kind == Stmt::Kind::Atomic && i == 0; // it names a place, and must stay a Load
      if (!reached && (stays ? visitArgs(s.values[i]) : visit(s.values[i])))
        return true;
    }
    for (Block &nested : s.blocks)
      if (!reached && expression(nested))
        return true;
    if (reached)
      return false;
  }
  return false;
}

bool Edit::visit(ExprPtr &e) {
  if (left-- == 0) {
    reached = true;
    return changeExpression(e);
  }
  return visitArgs(e);
}

// Visits the operands. Expressions are shared, so a change replaces every expression from the change up to the root.
bool Edit::visitArgs(ExprPtr &e) {
  for (size_t i = 0; i < e->args.size(); ++i) {
    ExprPtr arg = e->args[i];
    const bool stays = e->kind == Expr::Kind::Address || (e->kind == Expr::Kind::Part && i == 0); // it names a place
    const bool changed = stays ? visitArgs(arg) : visit(arg);
    if (changed) {
      Expr copy = *e;
      copy.args[i] = arg;
      e = make(std::move(copy));
    }
    if (reached)
      return changed;
  }
  return false;
}

// Replaces the expression by a part of itself, or by a constant.
bool Edit::changeExpression(ExprPtr &e) {
  constexpr unsigned kParts = 4;
  if (way < kParts) {
    if (way >= e->args.size() || !(e->args[way]->type == e->type) || e->args[way]->pointer != e->pointer ||
        e->kind == Expr::Kind::Address)
      return false;
    e = e->args[way];
    return true;
  }
  if (e->kind == Expr::Kind::Constant ||
      (e->kind == Expr::Kind::Construct && e->args.size() == 1 && e->args[0]->kind == Expr::Kind::Constant))
    return false;
  const Type type = e->type;
  if (e->pointer || isRecord(type))
    return false;
  e = make({.type = {type.base, 1}, .number = way - kParts});
  if (type.lanes > 1)
    e = make({.kind = Expr::Kind::Construct, .type = type, .args = {e}});
  return true;
}

} // namespace lanecl::fuzz
