// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/local_variables.h"

#include "analysis/lane_target.h"
#include "kernel/import/debug_info.h"
#include "kernel/launch/launch_abi.h"
#include "vectorizer/contract/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace lanecl::vectorizer {

Value *loadLocalMemory(IRBuilderBase &builder, Value *worker) {
  LoadInst *local =
      loadLaunchField(builder, builder.getPtrTy(kLocal), worker, offsetof(abi::WorkerMemory, local), "local.memory");
  Metadata *alignment = ConstantAsMetadata::get(builder.getInt64(abi::kMemoryAlignment));
  local->setMetadata(LLVMContext::MD_align, MDNode::get(builder.getContext(), alignment));
  return local;
}

static bool usedIn(const GlobalVariable &variable, const Function &kernel) {
  return any_of(variable.users(), [&](const User *user) {
    auto *instruction = dyn_cast<Instruction>(user);
    return instruction && instruction->getFunction() == &kernel;
  });
}

void placeLocalVariables(Function &kernel, PassContext &context) {
  KernelFacts &facts = context.facts;
  Module &module = *kernel.getParent();
  const DataLayout &layout = module.getDataLayout();
  SmallVector<Constant *> candidates;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == kLocal)
      candidates.push_back(&variable);
  // Constant expressions may be shared between functions; instructions belong to one.
  convertUsersOfConstantsToInstructions(candidates);

  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *local = nullptr;
  // Variables are placed one after the other, each at its alignment, in the order of the module.
  for (Constant *candidate : candidates) {
    auto *variable = cast<GlobalVariable>(candidate);
    if (!usedIn(*variable, kernel))
      continue;
    Type *type = variable->getValueType();
    const Align alignment = std::min(variable->getAlign().value_or(layout.getPrefTypeAlign(type)), Align(128));
    facts.local_bytes = alignTo(facts.local_bytes, alignment);
    if (!local)
      local = loadLocalMemory(builder, kernel.getArg(kWorkerParameter));
    Value *address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), local, facts.local_bytes, variable->getName());
    if (context.debug)
      showVariable(builder, *variable, address);
    variable->replaceUsesWithIf(address, [&](const Use &use) {
      auto *instruction = dyn_cast<Instruction>(use.getUser());
      return instruction && instruction->getFunction() == &kernel;
    });
    facts.local_bytes += layout.getTypeAllocSize(type);
    if (variable->use_empty())
      variable->eraseFromParent();
  }
}

} // namespace lanecl::vectorizer
