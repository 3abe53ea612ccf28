// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Links libclc and our own modules and prepares the result for the vectorizer.
#pragma once

#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace lanecl::builtins {

// Our definitions take precedence: libclc's of the same name are removed before it is linked into `own`.
bool linkBehind(llvm::Module &own, std::unique_ptr<llvm::Module> libclc);

// Local memory for the work-group functions, which OpenCL C cannot declare outside of kernels.
void defineCollectiveScratch(llvm::Module &library);

// Removes target attributes, and sets SPIR's calling convention and a linkage by which a kernel links only what it
// needs.
void finishLibrary(llvm::Module &library);

// Functions that are called but neither defined here nor provided by the vectorizer, one per line. Empty is good.
std::string unresolvedCalls(const llvm::Module &library);

} // namespace lanecl::builtins
