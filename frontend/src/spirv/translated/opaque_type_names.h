// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Derives types of images, samplers, events and pipes from the names of built-in functions and of argument types.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class LLVMContext;
class Type;
} // namespace llvm

namespace lanecl::frontend::spirv {

llvm::Type *samplerType(llvm::LLVMContext &context);
llvm::Type *eventType(llvm::LLVMContext &context);
llvm::Type *reserveIdType(llvm::LLVMContext &context);
llvm::Type *pipeType(llvm::LLVMContext &context, bool written);

// Of a name in a mangled one, such as "ocl_image2d_ro", "ocl_sampler", "ocl_event" or "ocl_reserveid"; null for all
// else.
llvm::Type *typeOfMangled(llvm::LLVMContext &context, llvm::StringRef name);

// Of an argument as the kernel's metadata names it, such as "image2d_t" and "read_only"; null for all else.
llvm::Type *typeOfArgument(llvm::LLVMContext &context, llvm::StringRef name, llvm::StringRef access);

// The parameters in a mangled name (Itanium C++ ABI), one after the other.
class MangledParameters {
public:
  explicit MangledParameters(llvm::StringRef name);

  bool atEnd() const { return rest.empty(); }

  // The name of the next one when it is passed by value and has one, else an empty string.
  llvm::StringRef next();

private:
  std::optional<llvm::StringRef> takeName();

  llvm::StringRef rest;
};

} // namespace lanecl::frontend::spirv
