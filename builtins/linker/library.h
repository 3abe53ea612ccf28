// Puts libclc and our own modules together and finishes the result for use by the vectorizer.
#pragma once

#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace lanecl::builtins {

// Our definitions win: bodies of the same name leave libclc before it is linked behind `own`.
bool linkBehind(llvm::Module &own, std::unique_ptr<llvm::Module> libclc);

// Local memory for the work-group functions, which OpenCL C cannot declare outside of kernels.
void defineCollectiveScratch(llvm::Module &library);

// Target attributes away, SPIR calling convention, linkage that lets a kernel take what it needs and drop the rest.
void finishLibrary(llvm::Module &library);

// Functions that are called but neither defined here nor provided by the vectorizer, one per line. Empty is good.
std::string unresolvedCalls(const llvm::Module &library);

} // namespace lanecl::builtins
