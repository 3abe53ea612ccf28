// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/function_parameters.h"

#include "analysis/functions/extended_functions.h"
#include "analysis/functions/kept_functions.h"
#include "kernel/launch/launch_abi.h"
#include "kernel/launch/program_variables.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns a copy of the function that has the kernel's parameters before its own; the body moves there.
static Function *withLaunch(Function &old) {
  const ArrayRef<Type *> launch = lanesFunctionType(old.getContext())->params();
  Function *extended = extendFunction(old, {.before = {launch.begin(), launch.end()}});
  describeLanesParameters(*extended);
  return extended;
}

// Passes the launch on in a call. The caller must have the parameters already.
static void passLaunch(CallBase &call, Function &callee) {
  assert(hasLanesParameters(*call.getFunction()) &&
         "callers know the launch: kernels, and functions that are extended");
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < kLanesParameterCount; ++i)
    arguments.push_back(call.getFunction()->getArg(i));
  call.replaceAllUsesWith(extendCall(call, callee, arguments, {}));
  call.eraseFromParent();
}

PreservedAnalyses FunctionParametersPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *> kept;
  for (Function &function : module)
    if (isKept(function))
      kept.push_back(&function);
  SmallVector<std::pair<Function *, Function *>> changed;
  for (Function *function : kept) {
    manager.clear(*function, function->getName());
    changed.emplace_back(function, withLaunch(*function));
  }
  for (const auto &[old, extended] : changed) {
    for (User *user : make_early_inc_range(old->users()))
      passLaunch(*cast<CallBase>(user), *extended);
    placeProgramVariables(*extended, context);
  }
  for (const auto &[old, extended] : changed) {
    assert(old->use_empty() && "all calls pass the launch now");
    old->eraseFromParent();
  }
  return changed.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
