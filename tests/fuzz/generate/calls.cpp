// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the kernel's own functions.
#include "generate/open_values.h"

namespace lanecl::fuzz {

namespace {

// The variable in which it lies; -1 in memory, or where that is not known.
int rootOf(const ExprPtr &pointer) {
  if (pointer->kind != Expr::Kind::Address)
    return -1;
  const Expr &place = *pointer->args[0];
  return place.kind == Expr::Kind::Load ? -1 : int(place.variable);
}

// Nothing else that is handed over may lead to what a restrict pointer points to.
bool keepsRestrict(const Maker &m, const Function &callee, const std::vector<ExprPtr> &arguments) {
  bool any = false;
  std::set<int> roots;
  for (unsigned i = 0; i < callee.parameters; ++i)
    any |= callee.variables[i].restrict_;
  for (unsigned i = 0; any && i < callee.parameters; ++i) {
    if (!callee.variables[i].pointer)
      continue;
    const int root = rootOf(arguments[i]);
    if (root < 0 || m.function.variables[size_t(root)].pointer || !roots.insert(root).second)
      return false;
  }
  return true;
}

bool mayCall(const Maker &m, const Function &callee, const Place &place) {
  const bool local = callee.stores_local || callee.needs == Level::Group;
  const bool by_all = callee.needs == Level::Group || callee.whole_sub_groups; // work-items that must reach it together
  return !(by_all && place.level > callee.needs) && place.loops < 2 && !(m.reading && local) &&
         !(m.busy >= 0 && (local || callee.loads_local));
}

// A fixed one is settled.
ExprPtr openArgument(Maker &m, const Variable &p) {
  return p.fixed ? settledValue(m, p.type) : openExpr(m, p.type, 2);
}

} // namespace

void makeCall(Maker &m, Block &out, const Place &place) {
  if (m.kernel.functions.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Call, .callee = m.below(unsigned(m.kernel.functions.size()))};
  const Function callee = m.kernel.functions[s.callee];
  if (!mayCall(m, callee, place) || !m.chooseVariable(Level::Lane, s.target, callee.result))
    return;
  for (unsigned i = 0; i < callee.parameters; ++i) {
    const Variable &p = callee.variables[i];
    s.values.push_back(p.pointer ? m.address({p.type, p.count, p.space, p.constant}, m.visible.size(), !p.restrict_)
                       : p.open  ? openArgument(m, p)
                                 : m.expr(p.type, p.level, 2));
    if (!s.values.back())
      return;
  }
  if (!keepsRestrict(m, callee, s.values))
    return;
  m.function.stores_local |= callee.stores_local;
  m.function.loads_local |= callee.loads_local;
  m.function.whole_sub_groups |= callee.whole_sub_groups;
  out.push_back(s);
}

} // namespace lanecl::fuzz
