// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the values of a function that may be uninitialized or computed from such values. Only these need a shadow.
#pragma once

#include "vectorizer/check.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Whether an access reads memory that is always initialized: constants, and what launches keep for themselves. Memory
// outside `reach` counts as initialized.
bool isAlwaysWritten(const llvm::Instruction &access, const llvm::Value &pointer, Reach reach);

// Whether a pointer certainly points to local or private memory.
bool pointsToOwnMemory(const llvm::Value &pointer);

// The arguments and results of kept functions that may be uninitialized.
struct ArgumentShadows {
  llvm::DenseMap<const llvm::Argument *, llvm::Argument *> arguments; // with their shadows; null: there is none yet
  llvm::DenseSet<const llvm::Function *> results;
};

class UnwrittenValues {
public:
  // Arguments of a kernel are initialized; those of other functions may be anything. If `passed` is given, the module
  // holds all functions that the kernel calls, so only the arguments and results in `passed` may be uninitialized.
  UnwrittenValues(llvm::Function &function, bool is_kernel, Reach reach, const ArgumentShadows *passed = nullptr);

  // Whether the value may be uninitialized, or computed from an uninitialized value.
  bool mayBe(const llvm::Value *value) const;

private:
  bool isSource(const llvm::Instruction &instruction, Reach reach) const;
  bool isAlwaysKnown(const llvm::Instruction &instruction) const;
  void add(const llvm::Value &value);

  const ArgumentShadows *const passed;
  llvm::DenseSet<const llvm::Value *> values;
};

} // namespace lanecl::vectorizer
