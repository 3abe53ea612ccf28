// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Smaller launches of a kernel, and the kernel without functions, memory and parameters that its text does not use.
#include "reduce/shrink.h"

#include <algorithm>
#include <set>

namespace lanecl::fuzz {

namespace {

// Adds kernels in which one launch has no offset, fewer dimensions, fewer work-groups or smaller ones.
void addSmallerRanges(const Kernel &kernel, size_t launch, std::vector<Kernel> &candidates) {
  const auto change = [&](auto &&edit) {
    candidates.push_back(kernel);
    edit(candidates.back().launches[launch]);
  };
  const NDRange &range = kernel.launches[launch];
  if (range.offset != std::vector<size_t>(range.offset.size(), 0))
    change([](NDRange &r) { r.offset.clear(); });
  if (range.open)
    change([](NDRange &r) { r.open = false; });
  if (range.global.size() > 1 && range.global.back() == 1)
    change([](NDRange &r) {
      r.global.pop_back();
      r.local.pop_back();
      if (!r.offset.empty())
        r.offset.pop_back();
    });
  for (size_t dim = 0; dim < range.global.size(); ++dim) {
    if (range.global[dim] > range.local[dim])
      change([=](NDRange &r) { r.global[dim] = r.local[dim]; });
    if (range.local[dim] > 1 && !kernel.required_local) {
      change([=](NDRange &r) { r.global[dim] = r.local[dim] = r.local[dim] / 2; });
      change([=](NDRange &r) { r.global[dim] = r.local[dim] = r.local[dim] - 1; });
    }
  }
}

} // namespace

std::vector<Kernel> withSmallerLaunches(const Kernel &kernel) {
  std::vector<Kernel> candidates;
  for (size_t i = 0; kernel.launches.size() > 1 && i < kernel.launches.size(); ++i) {
    candidates.push_back(kernel);
    candidates.back().launches.erase(candidates.back().launches.begin() + ptrdiff_t(i));
  }
  if (kernel.required_local) {
    candidates.push_back(kernel);
    candidates.back().required_local = false;
  }
  if (kernel.required_width) {
    candidates.push_back(kernel);
    candidates.back().required_width = 0;
  }
  if (kernel.shares_buffer) {
    candidates.push_back(kernel);
    candidates.back().shares_buffer = false;
  }
  for (size_t i = 0; i < kernel.launches.size(); ++i)
    addSmallerRanges(kernel, i, candidates);
  return candidates;
}

namespace {

// What the text names.
struct Uses {
  std::set<unsigned> functions, memories, parameters;

  void expression(const Expr &e) {
    if (usesMemory(e))
      memories.insert(e.memory);
    if (e.kind == Expr::Kind::Parameter)
      parameters.insert(unsigned(e.number));
    for (const ExprPtr &arg : e.args)
      expression(*arg);
  }
  void statement(Stmt s) {
    if (usesMemory(s))
      memories.insert(s.memory);
    if (s.kind == Stmt::Kind::Call)
      functions.insert(s.callee);
    forEachExpression(s, [&](ExprPtr &e) { expression(*e); });
  }
  explicit Uses(const Kernel &kernel) {
    functions.insert(unsigned(kernel.functions.size() - 1));
    for (size_t f = kernel.functions.size(); f-- > 0;) // callers come after the functions that they call
      if (functions.contains(unsigned(f)))
        forEachStatement(kernel.functions[f].body, [&](const Stmt &s) { statement(s); });
    for (unsigned memory : std::set<unsigned>(memories))
      if (kernel.memories[memory].role == MemoryObject::Role::Twin)
        memories.insert(kernel.memories[memory].twin);
  }
};

// Removes the unused elements. Returns the new number of each element.
template <class T> std::vector<unsigned> keep(std::vector<T> &list, const std::set<unsigned> &used) {
  std::vector<unsigned> numbers(list.size());
  std::vector<T> kept;
  for (unsigned i = 0; i < list.size(); ++i) {
    numbers[i] = unsigned(kept.size());
    if (used.contains(i))
      kept.push_back(list[i]);
  }
  list = std::move(kept);
  return numbers;
}

} // namespace

Kernel withoutUnused(const Kernel &original) {
  Kernel kernel = original;
  const Uses uses(kernel);
  const std::vector<unsigned> functions = keep(kernel.functions, uses.functions);
  const std::vector<unsigned> memories = keep(kernel.memories, uses.memories);
  const std::vector<unsigned> parameters = keep(kernel.parameters, uses.parameters);
  for (MemoryObject &object : kernel.memories)
    if (object.role == MemoryObject::Role::Twin)
      object.twin = memories[object.twin];
  for (Function &function : kernel.functions)
    forEachStatement(function.body, [&](Stmt &s) {
      s.callee = s.kind == Stmt::Kind::Call ? functions[s.callee] : 0;
      if (usesMemory(s))
        s.memory = memories[s.memory];
      forEachExpression(s, [&](ExprPtr &root) {
        root = rewrite(root, [&](const ExprPtr &, Expr copy) {
          if (usesMemory(copy))
            copy.memory = memories[copy.memory];
          if (copy.kind == Expr::Kind::Parameter)
            copy.number = parameters[size_t(copy.number)];
          return make(std::move(copy));
        });
      });
    });
  return kernel;
}

} // namespace lanecl::fuzz
