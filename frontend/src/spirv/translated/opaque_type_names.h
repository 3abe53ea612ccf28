// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Derives the types of images, samplers, events and pipes from the names of built-in functions and of argument types.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class LLVMContext;
class Type;
} // namespace llvm

namespace lanecl::frontend::spirv {

// Return the types that Clang 22 gives the samplers, events, reservations and pipes of OpenCL C.
llvm::Type *samplerType(llvm::LLVMContext &context);
llvm::Type *eventType(llvm::LLVMContext &context);
llvm::Type *reserveIdType(llvm::LLVMContext &context);
llvm::Type *pipeType(llvm::LLVMContext &context, bool written);

// Returns the type of a parameter by its name inside a mangled name, such as "ocl_image2d_ro", "ocl_sampler",
// "ocl_event" or "ocl_reserveid". Returns null for other names.
llvm::Type *typeOfMangled(llvm::LLVMContext &context, llvm::StringRef name);

// Returns the type of an argument by its name and access in the kernel's metadata, such as "image2d_t" and "read_only".
// Returns null for other names.
llvm::Type *typeOfArgument(llvm::LLVMContext &context, llvm::StringRef name, llvm::StringRef access);

// Reads the parameters in a mangled name (Itanium C++ ABI), one after the other.
class MangledParameters {
public:
  explicit MangledParameters(llvm::StringRef name);

  bool atEnd() const { return rest.empty(); }

  // Returns the name of the next parameter if that is passed by value and has a name, or else an empty string.
  llvm::StringRef next();

private:
  std::optional<llvm::StringRef> takeName();

  llvm::StringRef rest;
};

} // namespace lanecl::frontend::spirv
