// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/program_variables.h"

#include "kernel/import/debug_info.h"
#include "kernel/launch/launch_abi.h"
#include "vectorizer/contract/abi.h"
#include "vectorizer/contract/variable_metadata.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace lanecl::vectorizer {

bool isInProgramMemory(const GlobalVariable &variable) {
  return variable.hasMetadata(kVariableOffset);
}

static uint64_t offsetOf(const GlobalVariable &variable) {
  const MDNode *node = variable.getMetadata(kVariableOffset);
  return mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
}

static bool isInside(const Use &use, const Function &kernel) {
  const auto *instruction = dyn_cast<Instruction>(use.getUser());
  return instruction && instruction->getFunction() == &kernel;
}

// Replaces the variable by its address in the program's memory, inside the kernel.
static void replace(GlobalVariable &variable, Function &kernel, const PassContext &context) {
  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *block = loadLaunchField(builder, variable.getType(), kernel.getArg(kLaunchParameter),
                                 offsetof(abi::LaunchInfo, variables), "variables");
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offsetOf(variable), variable.getName());
  if (context.debug)
    showVariable(builder, variable, address);
  variable.replaceUsesWithIf(address, [&](const Use &use) { return isInside(use, kernel); });
}

void placeProgramVariables(Function &kernel, const PassContext &context) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : kernel.getParent()->globals())
    if (isInProgramMemory(variable))
      variables.push_back(&variable);
  convertUsersOfConstantsToInstructions(SmallVector<Constant *>(variables.begin(), variables.end()));
  for (GlobalVariable *variable : variables) {
    if (any_of(variable->uses(), [&](const Use &use) { return isInside(use, kernel); }))
      replace(*variable, kernel, context);
    // The program's memory holds the value; the initializer here would only keep other variables alive.
    if (variable->hasInitializer())
      variable->setInitializer(PoisonValue::get(variable->getValueType()));
  }
  for (GlobalVariable *variable : variables) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
}

} // namespace lanecl::vectorizer
