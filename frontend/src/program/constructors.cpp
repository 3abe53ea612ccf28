// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/constructors.h"

#include "frontend/frontend.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace lanecl::frontend {
namespace {

constexpr const char *kList = "llvm.global_ctors";

struct Constructor {
  uint64_t priority;
  llvm::Function *function;
};

// In the order of their priorities, and of the list where these are the same.
std::vector<Constructor> readList(const llvm::GlobalVariable &list) {
  std::vector<Constructor> constructors;
  if (const auto *entries = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer()))
    for (const llvm::Use &entry : entries->operands()) {
      const auto *fields = llvm::cast<llvm::ConstantStruct>(entry);
      if (auto *function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()))
        constructors.push_back({llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue(), function});
    }
  llvm::stable_sort(constructors, [](const Constructor &a, const Constructor &b) { return a.priority < b.priority; });
  return constructors;
}

} // namespace

void lowerConstructors(llvm::Module &program) {
  llvm::GlobalVariable *list = program.getNamedGlobal(kList);
  if (!list || !list->hasInitializer())
    return;
  const std::vector<Constructor> constructors = readList(*list);
  list->eraseFromParent();
  if (constructors.empty())
    return;
  llvm::LLVMContext &context = program.getContext();
  auto *kernel = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                        llvm::GlobalValue::ExternalLinkage, kConstructor, program);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", kernel));
  for (const Constructor &constructor : constructors) {
    constructor.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    builder.CreateCall(constructor.function)->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  }
  builder.CreateRetVoid();
}

bool hasConstructor(const llvm::Module &program) {
  return program.getFunction(kConstructor) != nullptr;
}

} // namespace lanecl::frontend
