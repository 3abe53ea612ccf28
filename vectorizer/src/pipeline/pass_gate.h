// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Leaves passes out, to find the one that makes wrong code.
#pragma once

#include "vectorizer/left_out_passes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/OptBisect.h"

namespace lanecl::vectorizer {

// Reveals LLVM which optional passes run over the code of one context. LLVM asks before each run of a pass over a
// function or a loop: for our passes, for LLVM's own, and for those of its code generator. Passes that are required
// (RequiredPass, and LLVM's own such) run without a question.
//
// As LLVM's OptBisect does it, the runs are numbered from 1, and with LeftOutPasses::last_run each is listed on the
// standard error stream. The numbers begin again for each kernel that is compiled, whatever thread compiles it.
class PassGate final : public llvm::OptPassGate {
public:
  explicit PassGate(const LeftOutPasses &left_out) : left_out(left_out) {}

  bool isEnabled() const override;
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef code) const override;

private:
  const LeftOutPasses &left_out;
  mutable int runs = 0; // the questions so far; LLVM asks through a const function
};

} // namespace lanecl::vectorizer
