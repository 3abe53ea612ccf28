// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM's code generator for a processor.
#pragma once

#include "codegen/processor.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace lanecl::vectorizer {

// Creates a target machine for one compilation, because target machines are not thread-safe. Returns null with a reason
// if LLVM lacks the x86 target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetProcessor &processor, bool optimize,
                                                         std::string &error);

// Adds the attributes by which LLVM compiles a function for this target, with its widest vector registers.
void addTargetAttributes(llvm::Function &function, const llvm::TargetMachine &target);

} // namespace lanecl::vectorizer
