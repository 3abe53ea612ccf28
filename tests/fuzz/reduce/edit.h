// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One change of a function's body.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

// Changes the statement or expression at a position, counted in the order of the text, in one of several ways.
class Edit {
public:
  Edit(unsigned position, unsigned way_) : left(position), way(way_) {}

  // Return whether something was changed.
  bool statement(Block &block);
  bool expression(Block &block);
  // Whether there is no such position any more.
  bool exhausted() const { return !reached; }

  // Statements: removed, or replaced by one of their blocks. Expressions: replaced by one of four operands, by 0 or by
  // 1.
  static constexpr unsigned kWays = 6;

private:
  unsigned left;
  unsigned way;
  bool reached = false;

  bool changeStatement(Block &block, size_t i);
  bool visit(ExprPtr &e);
  bool visitArgs(ExprPtr &e);
  bool changeExpression(ExprPtr &e);
};

} // namespace lanecl::fuzz
