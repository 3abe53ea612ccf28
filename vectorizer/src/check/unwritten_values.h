// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which values of a function may be computed from what nobody has written. All others need no look at run time.
#pragma once

#include "vectorizer/check.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Memory that is never unwritten: constants, and what launches keep of themselves.
bool isAlwaysWritten(const llvm::Instruction &access, const llvm::Value &pointer, Reach reach);

// Whether a pointer certainly points to local or private memory.
bool pointsToOwnMemory(const llvm::Value &pointer);

class UnwrittenValues {
public:
  // Arguments of kernels are given, those of other functions may be anything.
  UnwrittenValues(llvm::Function &function, bool is_kernel, Reach reach);

  bool mayBe(const llvm::Value *value) const;

private:
  void add(const llvm::Value &value);
  llvm::DenseSet<const llvm::Value *> values;
};

} // namespace lanecl::vectorizer
