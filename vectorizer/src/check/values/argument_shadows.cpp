// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/argument_shadows.h"

#include "analysis/functions/extended_functions.h"
#include "analysis/functions/kept_functions.h"
#include "analysis/memory/call_order.h"
#include "check/values/shadow_values.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Finds the arguments and results that may be uninitialized. It goes from function to function until nothing is added.
class Finder {
public:
  Finder(Module &module, Reach reach) : order(callersFirst(module)), reach(reach) {}

  ArgumentShadows run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Function *function : order)
        changed |= look(*function);
      for (Function *function : reverse(order))
        changed |= look(*function);
    }
    return std::move(found);
  }

private:
  // Adds what one function returns and passes to others. Returns whether that is anything new.
  bool look(Function &function) {
    const UnwrittenValues values(function, !isKept(function), reach, &found);
    const auto mayBe = [&](const Value *value) {
      return value != nullptr && hasShadow(value->getType()) && values.mayBe(value);
    };
    bool changed = false;
    for (Instruction &instruction : instructions(function)) {
      const auto *back = dyn_cast<ReturnInst>(&instruction);
      if (back != nullptr && isKept(function) && mayBe(back->getReturnValue()))
        changed |= found.results.insert(&function).second;
      if (Function *callee = keptCallee(instruction))
        for (const auto &[parameter, argument] : zip_equal(callee->args(), cast<CallBase>(instruction).args()))
          if (mayBe(argument))
            changed |= found.arguments.try_emplace(&parameter, nullptr).second;
    }
    return changed;
  }

  const SmallVector<Function *> order;
  const Reach reach;
  ArgumentShadows found;
};

// Makes the function return a structure of its value and a shadow of zeros.
void returnShadow(Function &function) {
  for (BasicBlock &block : function)
    if (auto *back = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> b(back);
      Value *value = back->getReturnValue();
      Value *both = b.CreateInsertValue(PoisonValue::get(function.getReturnType()), value, 0);
      b.CreateRet(b.CreateInsertValue(both, Constant::getNullValue(shadowType(value->getType())), 1));
      back->eraseFromParent();
    }
}

// Replaces a call by one that passes zeros as shadows.
void callExtended(CallBase &call, Function &extended, bool returns_shadow) {
  SmallVector<Value *> written;
  for (const Argument &parameter : drop_begin(extended.args(), call.arg_size()))
    written.push_back(Constant::getNullValue(parameter.getType()));
  CallInst *made = extendCall(call, extended, {}, written);
  IRBuilder<> b(&call);
  call.replaceAllUsesWith(returns_shadow ? b.CreateExtractValue(made, 0) : made);
  call.eraseFromParent();
}

// Adds the parameters and the result to a function. What was found out about the old function then belongs to the new
// one.
void extend(Function &old, ArgumentShadows &found) {
  Extension extension;
  SmallVector<unsigned> unwritten;
  for (const Argument &argument : old.args())
    if (found.arguments.erase(&argument)) {
      unwritten.push_back(argument.getArgNo());
      extension.behind.push_back(shadowType(argument.getType()));
    }
  const bool returns_shadow = found.results.erase(&old);
  Type *result = old.getReturnType();
  if (returns_shadow)
    extension.result = StructType::get(old.getContext(), {result, shadowType(result)});
  const unsigned own = static_cast<unsigned>(old.arg_size());
  Function *extended = extendFunction(old, extension);
  for (const auto &[i, number] : enumerate(unwritten)) {
    Argument *shadow = extended->getArg(own + static_cast<unsigned>(i));
    shadow->setName(extended->getArg(number)->getName() + ".unwritten");
    found.arguments[extended->getArg(number)] = shadow;
  }
  if (returns_shadow) {
    returnShadow(*extended);
    markShadowResult(*extended);
    found.results.insert(extended);
  }
  for (User *user : make_early_inc_range(old.users()))
    callExtended(*cast<CallBase>(user), *extended, returns_shadow);
  assert(old.use_empty() && "all calls are of the extended function");
  old.eraseFromParent();
}

} // namespace

ArgumentShadows addShadowParameters(Module &module, Reach reach, FunctionAnalysisManager &analyses) {
  if (none_of(module, isKept))
    return ArgumentShadows();
  ArgumentShadows found = Finder(module, reach).run();
  SmallVector<Function *> changed;
  for (Function &function : module)
    if (isKept(function) &&
        (found.results.contains(&function) ||
         any_of(function.args(), [&](const Argument &argument) { return found.arguments.contains(&argument); })))
      changed.push_back(&function);
  for (Function *function : changed) {
    analyses.clear(*function, function->getName());
    extend(*function, found);
  }
  for (Function &function : module)
    analyses.invalidate(function, PreservedAnalyses::none());
  return found;
}

} // namespace lanecl::vectorizer
