// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/generated_kernel.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace lanecl::frontend {

// The debug information looks like that of `callees`: the same unit and file, and the line of the first function with
// debug information.
llvm::Function *makeKernel(llvm::Module &program, const char *name, const std::vector<llvm::Function *> &callees) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(program.getContext()), false);
  auto *kernel = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, program);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  const auto placed = std::ranges::find_if(callees, [](llvm::Function *callee) { return callee->getSubprogram(); });
  if (placed == callees.end())
    return kernel;
  const llvm::DISubprogram *like = (*placed)->getSubprogram();
  llvm::DIBuilder debug(program, /*AllowUnresolved=*/false, like->getUnit());
  kernel->setSubprogram(debug.createFunction(
      like->getFile(), name, name, like->getFile(), like->getLine(),
      debug.createSubroutineType(debug.getOrCreateTypeArray({})), like->getLine(), llvm::DINode::FlagArtificial,
      llvm::DISubprogram::SPFlagDefinition, nullptr, nullptr, nullptr, nullptr, "", like->getKeyInstructionsEnabled()));
  debug.finalizeSubprogram(kernel->getSubprogram());
  return kernel;
}

llvm::DebugLoc placeOf(const llvm::Function &kernel) {
  llvm::DISubprogram *subprogram = kernel.getSubprogram();
  if (!subprogram)
    return {};
  return llvm::DILocation::get(kernel.getContext(), subprogram->getLine(), 0, subprogram);
}

} // namespace lanecl::frontend
