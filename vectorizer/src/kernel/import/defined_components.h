// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `defined-components`: an undefined component of a vector gets a value, so that it cannot make its neighbours
// undefined.
//
// OpenCL leaves the fourth component of as_uchar4(uchar3) open, and no other. LLVM calls it poison, and whatever
// contains a poison bit is poison as a whole: a bitcast of the vector to an integer, or a load of the stored vector as
// another type. An undef component is no better where a branch asks for it.
//
//   shufflevector <3 x i8> %v, poison, <0, 1, 2, poison>  ->  shufflevector <3 x i8> %v, zeroinitializer, <0, 1, 2, 3>
//   insertelement <4 x i8> undef, i8 %x, 0                ->  insertelement <4 x i8> zeroinitializer, i8 %x, 0
//
// LLVM's passes keep what is defined, so this runs before them. It runs once more when variables have become values,
// because a program may have written them in part. `lanecl check` reports the use of undefined components, so there
// they stay undef.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DefinedComponentsPass : public llvm::PassInfoMixin<DefinedComponentsPass> {
public:
  explicit DefinedComponentsPass(const PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  const PassContext &context;
};

} // namespace lanecl::vectorizer
