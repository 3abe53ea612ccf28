// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Build errors of the passes. Being unable to vectorize something is a result for the user, never an assertion:
// a pass reports it here, leaves valid IR behind and returns; the runner stops after that pass.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace lanecl::vectorizer {

class Diagnostics {
public:
  // In Clang's style: "file:line:column: error: message", with a note for each call the location was inlined through.
  void error(const llvm::Instruction &at, const llvm::Twine &message);
  void error(const llvm::Function &in, const llvm::DebugLoc &location, const llvm::Twine &message);
  void error(const llvm::Twine &message);

  bool hasErrors() const { return !errors.empty(); }
  std::string text() const; // one per line

private:
  std::vector<std::string> errors;
};

} // namespace lanecl::vectorizer
