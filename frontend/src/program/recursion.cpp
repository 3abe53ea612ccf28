// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds cycles in the call graph and decides which of them are errors.
#include "program/recursion.h"

#include "program/constant_recursion.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace lanecl::frontend {
namespace {

// Returns the name that the source has, without the prefix of a kernel's body (program/linker.cpp).
std::string sourceName(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  name.consume_front("__clang_ocl_kern_imp_");
  return llvm::demangle(name);
}

// Returns the place where the function is defined, as a prefix of a message, or an empty text without debug
// information.
std::string location(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return {};
  return subprogram->getFilename().str() + ":" + std::to_string(subprogram->getLine()) + ": ";
}

// Reports a cycle with the names of its functions.
void reject(llvm::ArrayRef<llvm::Function *> cycle, std::string &log) {
  log += location(*cycle[0]) +
         "error: recursion is not supported in OpenCL C, unless it ends by constant arguments: '" +
         sourceName(*cycle[0]) + "' calls itself";
  for (const llvm::Function *function : llvm::drop_begin(cycle))
    log += ", through '" + sourceName(*function) + "'";
  log += "\n";
}

using Cycle = llvm::SmallVector<llvm::Function *, 2>;

// Returns the strongly connected components of the call graph that contain a cycle.
std::vector<Cycle> cyclesIn(llvm::Module &module) {
  llvm::CallGraph graph(module);
  std::vector<Cycle> cycles;
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    const llvm::Function *first = component->front()->getFunction();
    if (!component.hasCycle() || !first || first->isDeclaration())
      continue;
    Cycle &cycle = cycles.emplace_back();
    for (llvm::CallGraphNode *node : *component)
      if (node->getFunction())
        cycle.push_back(node->getFunction());
  }
  return cycles;
}

// Returns all kernels, and the functions that they call or refer to, directly or through others.
llvm::DenseSet<const llvm::Function *> reachedByKernels(const llvm::Module &module) {
  llvm::DenseSet<const llvm::Function *> reached;
  llvm::SmallVector<const llvm::Function *> work;
  const auto visit = [&](const llvm::Function &function) {
    if (reached.insert(&function).second)
      work.push_back(&function);
  };
  for (const llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      visit(function);
  // Every use of a function counts, not only a call, because its address may be stored.
  while (!work.empty())
    for (const llvm::Instruction &instruction : llvm::instructions(*work.pop_back_val()))
      for (const llvm::Use &operand : instruction.operands())
        if (const auto *used = llvm::dyn_cast<llvm::Function>(operand))
          visit(*used);
  return reached;
}

} // namespace

bool rejectRecursion(llvm::Module &module, Extent extent, std::string &log) {
  const std::vector<Cycle> cycles = cyclesIn(module);
  if (cycles.empty())
    return true;
  llvm::DenseSet<llvm::Function *> recursive;
  for (const Cycle &cycle : cycles)
    recursive.insert(cycle.begin(), cycle.end());
  const llvm::DenseSet<llvm::Function *> ended = endConstantRecursion(module, recursive);
  const llvm::DenseSet<const llvm::Function *> reached = reachedByKernels(module);
  bool clean = true;
  // A cycle that no kernel reaches is no error in a whole program. In a part of a program, where later kernels may call
  // it, it is none only if calls with constant arguments led to it, which have been replaced.
  for (const Cycle &cycle : cycles) {
    const bool is_harmless =
        extent == Extent::Program || any_of(cycle, [&](llvm::Function *function) { return ended.contains(function); });
    if (is_harmless && !reached.contains(cycle[0])) {
      for (llvm::Function *function : cycle)
        if (extent == Extent::Program)
          function->deleteBody();
      continue;
    }
    reject(cycle, log);
    clean = false;
  }
  return clean;
}

} // namespace lanecl::frontend
