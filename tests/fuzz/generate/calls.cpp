// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the kernel's own functions.
#include "generate/open_values.h"

#include <algorithm>
#include <functional>

namespace lanecl::fuzz {

namespace {

// Returns the variable that the pointer leads to, or -1 if it leads to memory or if that is not known.
int rootOf(const ExprPtr &pointer) {
  if (pointer->kind != Expr::Kind::Address)
    return -1;
  const Expr &place = *pointer->args[0];
  return place.kind == Expr::Kind::Load ? -1 : int(place.variable);
}

// Returns whether nothing else that is passed may lead to what a restrict pointer points to.
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
  // Whether the work-items must reach it together.
  const bool by_all = callee.needs == Level::Group || callee.whole_sub_groups;
  return !(by_all && place.level > callee.needs) && place.loops < 2 && !(m.reading && local) &&
         !(m.busy >= 0 && (local || callee.loads_local));
}

// An argument for a fixed parameter must be settled.
ExprPtr openArgument(Maker &m, const Variable &p) {
  return p.fixed ? settledValue(m, p.type) : openExpr(m, p.type, 2);
}

// Returns the arguments, or null for an argument that nothing visible fits. For a pointer parameter, `address` returns
// the argument.
std::vector<ExprPtr> argumentsOf(Maker &m, const Function &callee,
                                 const std::function<ExprPtr(const Variable &)> &address) {
  std::vector<ExprPtr> arguments;
  for (unsigned i = 0; i < callee.parameters; ++i) {
    const Variable &p = callee.variables[i];
    arguments.push_back(p.pointer ? address(p) : p.open ? openArgument(m, p) : m.expr(p.type, p.level, 2));
  }
  return arguments;
}

void addCall(Maker &m, Block &out, Stmt call) {
  const Function &callee = m.kernel.functions[call.callee];
  m.function.stores_local |= callee.stores_local;
  m.function.loads_local |= callee.loads_local;
  m.function.whole_sub_groups |= callee.whole_sub_groups;
  out.push_back(std::move(call));
}

// Returns the first parameter that is a restrict pointer to a single element, or null.
const Variable *restrictElement(const Function &callee) {
  const auto end = callee.variables.begin() + callee.parameters;
  const auto found = std::find_if(callee.variables.begin(), end,
                                  [](const Variable &p) { return p.pointer && p.restrict_ && p.count == 1; });
  return found != end ? &*found : nullptr;
}

} // namespace

// Calls a helper function where its level allows that, with any addresses for its pointers.
void makeCall(Maker &m, Block &out, const Place &place) {
  if (m.kernel.functions.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Call, .callee = m.below(unsigned(m.kernel.functions.size()))};
  const Function callee = m.kernel.functions[s.callee];
  if (!mayCall(m, callee, place) || !m.chooseVariable(Level::Lane, s.target, callee.result))
    return;
  s.values = argumentsOf(m, callee, [&](const Variable &p) {
    return m.address({p.type, p.count, p.space, p.constant}, m.visible.size(), !p.restrict_);
  });
  if (std::count(s.values.begin(), s.values.end(), nullptr) == 0 && keepsRestrict(m, callee, s.values))
    addCall(m, out, std::move(s));
}

// Makes a loop whose turns pass the same elements in another order:
//   for (int k = 0; k < 5; ++k)
//     x = helper0(7, &v[(k + 1) & 3], &v[(k + 3) & 3]);
void makeSwaps(Maker &m, Block &out, const Place &place) {
  if (m.kernel.functions.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Call, .callee = m.below(unsigned(m.kernel.functions.size()))};
  const Function callee = m.kernel.functions[s.callee];
  const Variable *element = restrictElement(callee);
  if (element == nullptr || !mayCall(m, callee, place) || !m.chooseVariable(Level::Lane, s.target, callee.result))
    return;
  const auto arrays = m.variablesWhere([&](const Variable &v) {
    return v.array && v.type == element->type && v.count >= callee.parameters && !v.fixed && v.level == Level::Lane;
  });
  if (arrays.empty())
    return m.declareArray(out, element->type);
  const unsigned array = m.pick(arrays), count = m.function.variables[array].count;
  Stmt loop{.kind = Stmt::Kind::For, .values = {m.constant(kInt, 0), m.constant(kInt, 2 + m.below(5))}, .number = 1};
  loop.target.variable = m.addVariable({.type = kInt, .fixed = true});
  unsigned next = m.below(count);
  s.values = argumentsOf(m, callee, [&](const Variable &p) {
    const ExprPtr number = m.operation(Op::Add, kInt, {m.variable(loop.target.variable), m.constant(kInt, next++)});
    const ExprPtr subscript = m.operation(Op::And, kInt, {number, m.constant(kInt, int64_t(count) - 1)});
    return make({.kind = Expr::Kind::Address,
                 .type = p.type,
                 .args = {make({.kind = Expr::Kind::Element, .type = p.type, .args = {subscript}, .variable = array})},
                 .pointer = true,
                 .space = p.space});
  });
  addCall(m, loop.blocks.emplace_back(), std::move(s));
  out.push_back(std::move(loop));
}

} // namespace lanecl::fuzz
