// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which values of a function may be computed from what nobody has written. All others need no look at run time.
#pragma once

#include "vectorizer/check.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Memory that is never unwritten: constants, and what launches keep of themselves.
bool isAlwaysWritten(const llvm::Instruction &access, const llvm::Value &pointer, Reach reach);

// Whether a pointer certainly points to local or private memory.
bool pointsToOwnMemory(const llvm::Value &pointer);

// What may be unwritten of what kept functions get and return.
struct PassedShadows {
  llvm::DenseMap<const llvm::Argument *, llvm::Argument *> arguments; // with their shadows; null: there is none yet
  llvm::DenseSet<const llvm::Function *> results;
};

class UnwrittenValues {
public:
  // Arguments of kernels are given, those of other functions may be anything. With `passed`, all functions are there
  // that a kernel needs: arguments and results are given but for those.
  UnwrittenValues(llvm::Function &function, bool is_kernel, Reach reach, const PassedShadows *passed = nullptr);

  bool mayBe(const llvm::Value *value) const;

private:
  bool isSource(const llvm::Instruction &instruction, Reach reach) const;
  bool isAlwaysKnown(const llvm::Instruction &instruction) const;
  void add(const llvm::Value &value);

  const PassedShadows *const passed;
  llvm::DenseSet<const llvm::Value *> values;
};

} // namespace lanecl::vectorizer
