// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Links libclc and LaneCL's own modules, and prepares the result for the vectorizer.
#pragma once

#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace lanecl::builtins {

// Returns the name of a primitive without prefix and parameters: "block_read_ui8" for "_Z23__lanecl_block_read_ui8…".
// The result is empty if the function's name has not the primitives' prefix.
llvm::StringRef primitiveName(const llvm::Function &function);

// Links libclc into `own`. LaneCL's definitions take precedence: libclc's definitions of the same name are removed.
// Returns whether linking succeeded.
bool linkBehind(llvm::Module &own, std::unique_ptr<llvm::Module> libclc);

// Defines the local memory of the work-group functions, because OpenCL C cannot declare local memory outside kernels.
void defineCollectiveScratch(llvm::Module &library);

// Removes target attributes, and sets SPIR's calling convention and a linkage with which a kernel links only the
// functions that it needs.
void finishLibrary(llvm::Module &library);

// Returns the functions that are called but neither defined here nor provided by the vectorizer, one per line. The
// result is empty if all is well.
std::string unresolvedCalls(const llvm::Module &library);

} // namespace lanecl::builtins
