// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/recursion.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace lanecl::frontend {
namespace {

std::string sourceName(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  name.consume_front("__clang_ocl_kern_imp_");
  return llvm::demangle(name);
}

std::string location(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return {};
  return subprogram->getFilename().str() + ":" + std::to_string(subprogram->getLine()) + ": ";
}

} // namespace

bool rejectRecursion(const llvm::Module &module, std::string &log) {
  // The call graph is built from a mutable module but changes nothing in it.
  llvm::CallGraph graph(const_cast<llvm::Module &>(module));
  bool clean = true;
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    const llvm::Function *function = component->front()->getFunction();
    if (!component.hasCycle() || !function || function->isDeclaration())
      continue;
    clean = false;
    log += location(*function) + "error: recursion is not supported in OpenCL C: '" + sourceName(*function) +
           "' calls itself";
    if (component->size() > 1)
      for (llvm::CallGraphNode *node : llvm::drop_begin(*component))
        if (node->getFunction())
          log += ", by way of '" + sourceName(*node->getFunction()) + "'";
    log += "\n";
  }
  return clean;
}

} // namespace lanecl::frontend
