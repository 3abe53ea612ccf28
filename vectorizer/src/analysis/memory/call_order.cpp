// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/memory/call_order.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Adds the root and all functions that it calls, callees first. The depth-first search has a stack of its own, because
// chains of calls may be long.
static void addCalleesFirst(Function &root, SmallPtrSetImpl<Function *> &seen, SmallVectorImpl<Function *> &order) {
  struct Visit {
    Function *function;
    SmallVector<Function *> callees;
  };
  SmallVector<Visit> open;
  const auto enter = [&](Function &function) {
    assert(none_of(open, [&](const Visit &visit) { return visit.function == &function; }) && "there is no recursion");
    if (function.isDeclaration() || !seen.insert(&function).second)
      return;
    Visit visit{&function, {}};
    for (Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
        visit.callees.push_back(call->getCalledFunction());
    open.push_back(std::move(visit));
  };
  enter(root);
  while (!open.empty()) {
    if (open.back().callees.empty()) {
      order.push_back(open.pop_back_val().function);
      continue;
    }
    enter(*open.back().callees.pop_back_val());
  }
}

SmallVector<Function *> callersFirst(Module &module) {
  SmallVector<Function *> order;
  SmallPtrSet<Function *, 16> seen;
  for (Function &function : module)
    addCalleesFirst(function, seen, order);
  std::reverse(order.begin(), order.end());
  return order;
}

} // namespace lanecl::vectorizer
