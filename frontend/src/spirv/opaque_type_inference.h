// Which pointers of a translated module are images, samplers, events, pipes or reservations.
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

// What they are is known from the kernels' argument lists and from the names of built-in functions. From there it goes
// through phis, selects, private variables, calls and returns until nothing new is found.
class OpaqueTypeInference {
public:
  explicit OpaqueTypeInference(llvm::Module &module);

  bool found() const { return !types.empty(); }
  // All three null where nothing is known.
  llvm::Type *of(const llvm::Value *value) const { return types.lookup(value); }
  llvm::Type *ofResult(const llvm::Function *function) const { return results.lookup(function); }
  llvm::Type *ofContents(const llvm::AllocaInst *variable) const; // what is stored to a private variable

private:
  void note(const llvm::Value *value, llvm::Type *type);
  void noteResult(const llvm::Function *function, llvm::Type *type);
  void seed(llvm::Function &function);
  void seedPipeFunction(llvm::Function &function);
  void seedKernel(llvm::Function &kernel);
  void propagate(llvm::Instruction &instruction);
  void unify(llvm::Value *a, llvm::Value *b);
  void unifyMemory(llvm::Value *pointer, llvm::Value *value);
  void propagateCall(llvm::CallInst &call);

  llvm::LLVMContext &context;
  bool changed = false;
  llvm::DenseMap<const llvm::Value *, llvm::Type *> types, contents;
  llvm::DenseMap<const llvm::Function *, llvm::Type *> results;
};

// Whether the function asks a pipe for its packets: the translator gives one name to the functions for pipes that are
// read and those that are written.
bool asksPipe(const llvm::Function &function);

} // namespace lanecl::frontend::spirv
