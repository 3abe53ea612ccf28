// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Adapts Clang's IR to what the rest of LaneCL expects.
#include "program/finish_module.h"

#include "vectorizer/contract/source_order.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lanecl::frontend {
namespace {

// Drops the promises of finite values. Programs that make them use infinities all the same: -INFINITY starts a maximum.
// With the flags such values would be poison, while on a GPU they work as expected.
void dropFiniteMath(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::FPMathOperator>(instruction))
      continue;
    instruction.setHasNoNaNs(false);
    instruction.setHasNoInfs(false);
  }
  // Attributes of the function promise the same for all its instructions.
  for (const char *name : {"no-infs-fp-math", "no-nans-fp-math", "unsafe-fp-math", "approx-func-fp-math"})
    function.removeFnAttr(name);
}

// Keeps the definition of a C99 `inline` function without `static`. The language leaves the external definition to
// another unit, which OpenCL programs do not have.
void keepInlineDefinition(llvm::Function &function) {
  if (function.hasAvailableExternallyLinkage())
    function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

} // namespace

bool isKernel(const llvm::Function &function) {
  return !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

void finishModule(llvm::Module &module, const AttributeTexts &attributes) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    keepInlineDefinition(function);
    dropFiniteMath(function);
    if (!isKernel(function))
      continue;
    // SPIR-V modules come without texts, so their kernels get empty ones.
    const auto found = attributes.find(function.getName().str());
    const std::string &text = found != attributes.end() ? found->second : std::string();
    function.setMetadata(kAttributesMetadata, llvm::MDNode::get(context, llvm::MDString::get(context, text)));
  }
}

void usePlainConversions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const llvm::Intrinsic::ID id = call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
      if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat)
        continue;
      const auto opcode = id == llvm::Intrinsic::fptosi_sat ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
      auto *plain = llvm::CastInst::Create(opcode, call->getArgOperand(0), call->getType(), "", call->getIterator());
      plain->takeName(call);
      plain->setDebugLoc(call->getDebugLoc());
      call->replaceAllUsesWith(plain);
      call->eraseFromParent();
    }
}

void markSourceOrder(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(vectorizer::kSourceOrder);
}

} // namespace lanecl::frontend
