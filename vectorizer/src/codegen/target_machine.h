// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM's code generator for a processor.
#pragma once

#include "codegen/processor.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace lanecl::vectorizer {

// One per compilation: target machines are not thread-safe. Null with a reason when LLVM lacks the x86 target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Processor &processor, bool optimize, std::string &error);

// The attributes by which a function is compiled for the target, with registers as wide as it has.
void addTargetAttributes(llvm::Function &function, const llvm::TargetMachine &target);

} // namespace lanecl::vectorizer
