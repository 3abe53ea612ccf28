// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Build errors that passes report. Being unable to vectorize something is a result for the user and never an assertion:
// a pass reports it here, leaves valid IR and returns. The pass runner stops after that pass.
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

// Collects the errors of one compilation.
class Diagnostics {
public:
  // Adds an error in Clang's style: "file:line:column: error: message", with a note for each call through which the
  // location was inlined. The second form is for a place in `in`; a location without a line becomes the function's. An
  // error that is known already is not added again.
  void error(const llvm::Instruction &at, const llvm::Twine &message);
  void error(const llvm::Function &in, const llvm::DebugLoc &location, const llvm::Twine &message);
  // Adds an error without a place.
  void error(const llvm::Twine &message);

  bool hasErrors() const { return !errors.empty(); }
  // Returns all errors, one per line.
  std::string text() const;

private:
  std::vector<std::string> errors;
};

} // namespace lanecl::vectorizer
