// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rejects kernels that a removed declaration leaves with an undeclared variable.
#include "reduce/scopes.h"

#include <algorithm>
#include <set>

namespace lanecl::fuzz {

namespace {

// The numbers of the declared variables.
using Scope = std::set<unsigned>;

// Returns whether all variables of the expression are declared.
bool isDeclared(const Expr &e, const Scope &scope) {
  const bool named = e.kind == Expr::Kind::Variable || e.kind == Expr::Kind::Element;
  return (!named || scope.contains(e.variable)) &&
         std::all_of(e.args.begin(), e.args.end(), [&](const ExprPtr &arg) { return isDeclared(*arg, scope); });
}

// Returns whether the block declares its variables before their uses. `scope` is a copy, because declarations end with
// the block.
bool declaresAll(const Block &block, Scope scope) {
  using Kind = Stmt::Kind;
  for (const Stmt &s : block) {
    const bool is_sub_group_call = s.kind == Kind::SubGroupCall && !givesNothing(infoOf(s.sub_group).kind);
    const bool has_target =
        s.kind == Kind::Assign || is_sub_group_call || s.kind == Kind::Call || s.kind == Kind::TakeTurns;
    Scope inner = scope;
    if (s.kind == Kind::For || s.kind == Kind::While || s.kind == Kind::DoWhile)
      inner.insert(s.target.variable);
    if (s.kind == Kind::While || s.kind == Kind::DoWhile || s.kind == Kind::Declare)
      scope.insert(s.target.variable);
    if (has_target && !(s.target.element ? isDeclared(*s.target.element, scope) : scope.contains(s.target.variable)))
      return false;
    for (const ExprPtr &e : s.values)
      if (!isDeclared(*e, scope))
        return false;
    for (const Block &nested : s.blocks)
      if (!declaresAll(nested, inner))
        return false;
  }
  return true;
}

} // namespace

bool declaresAll(const Kernel &kernel) {
  return std::all_of(kernel.functions.begin(), kernel.functions.end(), [](const Function &f) {
    Scope scope;
    for (unsigned i = 0; i < f.parameters; ++i)
      scope.insert(i);
    return declaresAll(f.body, std::move(scope));
  });
}

} // namespace lanecl::fuzz
