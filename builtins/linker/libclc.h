// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads libclc's module and adapts it to LaneCL's: address spaces, mangled names, and promises that do not hold here.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace lanecl::builtins {

// Reads libclc's NVPTX bitcode and renumbers its address spaces to those of SPIR. Returns null with the reason in
// `error`.
std::unique_ptr<llvm::Module> loadLibclc(const std::string &path, llvm::LLVMContext &context, std::string &error);

} // namespace lanecl::builtins
