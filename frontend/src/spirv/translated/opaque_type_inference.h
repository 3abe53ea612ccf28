// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Infers which pointers of a translated module are images, samplers, events, pipes or reservations.
#pragma once

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class AllocaInst;
class CallInst;
class Function;
class Instruction;
class LLVMContext;
class Module;
class Type;
class Value;
} // namespace llvm

namespace lanecl::frontend::spirv {

// Types are known from the kernels' argument lists and from the names of built-in functions. They are propagated
// through phis, selects, private variables, calls and returns until nothing changes.
class OpaqueTypeInference {
public:
  explicit OpaqueTypeInference(llvm::Module &module);

  bool found() const { return !types.empty(); }
  // Return the type of a value, of a function's result, and of what a private variable holds. The result is null if
  // nothing is known.
  llvm::Type *of(const llvm::Value *value) const { return types.lookup(value); }
  llvm::Type *ofResult(const llvm::Function *function) const { return results.lookup(function); }
  llvm::Type *ofContents(const llvm::AllocaInst *variable) const; // what is stored to a private variable

private:
  void note(const llvm::Value *value, llvm::Type *type);
  void noteResult(const llvm::Function *function, llvm::Type *type);
  void seed(llvm::Function &function);
  void seedPipeFunction(llvm::Function &function);
  void seedPipeQueries(llvm::Function &function);
  void seedKernel(llvm::Function &kernel);
  void propagate(llvm::Module &module);
  void propagate(llvm::Instruction &instruction);
  void unify(llvm::Value *a, llvm::Value *b);
  void unifyMemory(llvm::Value *pointer, llvm::Value *value);
  void propagateCall(llvm::CallInst &call);

  llvm::LLVMContext &context;
  bool changed = false;
  llvm::DenseMap<const llvm::Value *, llvm::Type *> types, contents;
  llvm::DenseMap<const llvm::Function *, llvm::Type *> results;
};

// Whether the function queries the packets of a pipe. The translator gives it the same name for read_only and
// write_only pipes.
bool isPipeQuery(const llvm::Function &function);

} // namespace lanecl::frontend::spirv
