// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// libclc's module made to fit ours: same address spaces, mangled names, calling convention and data layout.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace lanecl::builtins {

// Reads libclc's NVPTX bitcode and renumbers its address spaces to SPIR's. Null with a reason in `error` on failure.
std::unique_ptr<llvm::Module> loadLibclc(const std::string &path, llvm::LLVMContext &context, std::string &error);

} // namespace lanecl::builtins
