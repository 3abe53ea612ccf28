// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/place_reports.h"

#include "analysis/functions/extended_functions.h"
#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "check/check_calls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Appends the parameter to a kept function. Calls pass null until passCalls() fills it in.
static Function *addCallParameter(Function &old) {
  Type *fields = PointerType::get(old.getContext(), kConstant);
  Function *extended = extendFunction(old, {.behind = {fields}});
  extended->getArg(extended->arg_size() - 1)->setName("call");
  for (User *user : make_early_inc_range(old.users())) {
    auto *call = cast<CallBase>(user);
    call->replaceAllUsesWith(extendCall(*call, *extended, {}, {Constant::getNullValue(fields)}));
    call->eraseFromParent();
  }
  old.eraseFromParent();
  return extended;
}

// Makes all calls of kept functions in this function pass an abi::CheckCall.
static void passCalls(Function &caller, Value *own_call) {
  for (Instruction &instruction : make_early_inc_range(instructions(caller)))
    if (keptCallee(instruction) != nullptr) {
      auto &call = cast<CallBase>(instruction);
      call.setArgOperand(call.arg_size() - 1, createCheckCall(call, own_call));
    }
}

PreservedAnalyses PlaceReportsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *> kept, all;
  copy_if(make_pointer_range(module), std::back_inserter(kept),
          [](const Function *function) { return isKept(*function); });
  for (Function *function : kept) {
    functions.clear(*function, function->getName());
    addCallParameter(*function);
  }
  copy_if(make_pointer_range(module), std::back_inserter(all),
          [](const Function *function) { return !function->isDeclaration(); });
  for (Function *function : all) {
    Value *own_call = isKept(*function) ? function->getArg(function->arg_size() - 1) : nullptr;
    removeMarks(*function);
    placeReports(*function, own_call);
    passCalls(*function, own_call);
  }
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
