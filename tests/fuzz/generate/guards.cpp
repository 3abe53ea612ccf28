// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate/guards.h"

namespace lanecl::fuzz {

std::vector<Outcome> evaluateLaunches(const Kernel &kernel, Unguarded &unguarded) {
  std::vector<unsigned> widths{0};
  if (kernel.required_width)
    widths = {kernel.required_width};
  else if (asksForSubGroups(kernel))
    widths = {8, 16, 32};
  std::vector<Outcome> outcomes;
  for (unsigned i = 0; i < kernel.launches.size(); ++i)
    for (unsigned width : widths) {
      Unknown unknown;
      Contents contents = evaluate(kernel, kernel.launches[i], width ? width : 16, unguarded, nullptr, &unknown);
      outcomes.push_back({i, width, std::move(contents), std::move(unknown.bits)});
    }
  return outcomes;
}

namespace {

// Replaces every expression of the kernel by what `change` returns for it.
template <class F> void changeExpressions(Kernel &kernel, F &&change) {
  for (Function &function : kernel.functions)
    forEachStatement(function.body,
                     [&](Stmt &s) { forEachExpression(s, [&](ExprPtr &e) { e = rewrite(e, change); }); });
}

} // namespace

void addGuards(Kernel &kernel, const Unguarded &unguarded) {
  for (Function &function : kernel.functions)
    forEachStatement(function.body, [&](Stmt &s) {
      if (s.kind == Stmt::Kind::SubGroupCall && !s.values.empty())
        s.guarded |= unguarded.calls.contains(s.values[0].get());
    });
  changeExpressions(kernel, [&](const ExprPtr &original, Expr copy) {
    copy.guarded |= unguarded.expressions.contains(original.get());
    return make(std::move(copy));
  });
  for (unsigned f = 0; f < kernel.functions.size(); ++f)
    forEachStatement(kernel.functions[f].body, [&](Stmt &s) {
      if (s.kind != Stmt::Kind::Declare || !s.values.empty() || !unguarded.variables.contains({f, s.target.variable}))
        return;
      const Type type = leavesOf(kernel.functions[f].variables[s.target.variable].type, kernel.records)[0];
      const ExprPtr zero = make({.type = {type.base, 1}});
      s.values.push_back(type.lanes == 1 ? zero : make({.kind = Expr::Kind::Construct, .type = type, .args = {zero}}));
    });
}

void removeGuards(Kernel &kernel) {
  changeExpressions(kernel, [](const ExprPtr &, Expr copy) {
    copy.guarded = false;
    return make(std::move(copy));
  });
  for (Function &function : kernel.functions)
    forEachStatement(function.body, [](Stmt &s) { s.guarded = false; });
}

} // namespace lanecl::fuzz
