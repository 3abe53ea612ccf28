// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads libclc and adapts its NVPTX bitcode to SPIR.
#include "libclc.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace lanecl::builtins {
namespace {

void replaceAll(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The constant address space is 4 for NVPTX and 2 for SPIR, where 4 is the generic one. The number occurs in types and
// in mangled names. Both can be replaced in the textual form, where both spellings have the same length.
std::unique_ptr<llvm::Module> renumberAddressSpaces(const llvm::Module &module, std::string &error) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  replaceAll(text, "addrspace(4)", "addrspace(2)");
  replaceAll(text, "U3AS4", "U3AS2");
  llvm::SMDiagnostic diagnostic;
  auto result = llvm::parseAssemblyString(text, diagnostic, module.getContext());
  if (!result)
    error = diagnostic.getMessage().str();
  return result;
}

// Erases assumptions, which are for NVPTX's optimizer. Here they would only keep unneeded values alive.
void eraseAssumptions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
        if (llvm::isa<llvm::AssumeInst>(instruction))
          instruction.eraseFromParent();
}

// Makes sums of signed integers wrap. libclc is C, where signed overflow is undefined, but some of its sums overflow
// for an exponent or an addend of any size. LaneCL's own modules are compiled so that sums wrap, too.
void eraseOverflowPromises(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction))
        instruction.setHasNoSignedWrap(false);
}

} // namespace

std::unique_ptr<llvm::Module> loadLibclc(const std::string &path, llvm::LLVMContext &context, std::string &error) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(path, diagnostic, context);
  if (!module) {
    error = path + ": " + diagnostic.getMessage().str();
    return nullptr;
  }
  module = renumberAddressSpaces(*module, error);
  if (module) {
    eraseAssumptions(*module);
    eraseOverflowPromises(*module);
  }
  return module;
}

} // namespace lanecl::builtins
