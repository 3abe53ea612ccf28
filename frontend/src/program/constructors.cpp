// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the kernel that constructs program scope variables.
#include "program/constructors.h"

#include "frontend/frontend.h"
#include "program/generated_kernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <map>
#include <vector>

namespace lanecl::frontend {
namespace {

// Returns the entries of llvm.global_ctors or llvm.global_dtors by their priorities. Entries of the same priority keep
// the order of the list.
std::multimap<uint64_t, llvm::Function *> readList(const llvm::GlobalVariable &list) {
  std::multimap<uint64_t, llvm::Function *> entries;
  if (const auto *array = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer()))
    // An entry is { priority, function, associated data }.
    for (const llvm::Use &element : array->operands()) {
      const auto *fields = llvm::cast<llvm::ConstantStruct>(element);
      if (auto *function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()))
        entries.emplace(llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue(), function);
    }
  return entries;
}

} // namespace

// In SPIR-V the functions of these lists are kernels. Only the generated kernel calls them, so they become functions.
std::vector<llvm::Function *> takeList(llvm::Module &program, const char *name) {
  std::vector<llvm::Function *> functions;
  llvm::GlobalVariable *list = program.getNamedGlobal(name);
  if (!list || !list->hasInitializer())
    return functions;
  for (const auto &[priority, function] : readList(*list)) {
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    functions.push_back(function);
  }
  list->eraseFromParent();
  return functions;
}

void lowerConstructors(llvm::Module &program) {
  const std::vector<llvm::Function *> constructors = takeList(program, "llvm.global_ctors");
  if (constructors.empty())
    return;
  llvm::Function *kernel = makeKernel(program, kConstructor, constructors);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(program.getContext(), "entry", kernel));
  builder.SetCurrentDebugLocation(placeOf(*kernel));
  for (llvm::Function *constructor : constructors)
    builder.CreateCall(constructor)->setCallingConv(constructor->getCallingConv());
  builder.CreateRetVoid();
}

bool hasConstructor(const llvm::Module &program) {
  return program.getFunction(kConstructor) != nullptr;
}

} // namespace lanecl::frontend
