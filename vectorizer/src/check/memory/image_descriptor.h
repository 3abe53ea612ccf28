// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access to the descriptor of the image that a call of a built-in function gets as its first argument.
#pragma once

#include "vectorizer/contract/image.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Reads members of the image's abi::ImageDescriptor. `name` is the function's name in OpenCL C.
class ImageDescriptor {
public:
  ImageDescriptor(llvm::IRBuilderBase &b, llvm::CallBase &call, llvm::StringRef name);

  // Loads the i32 or i64 at a byte offset of abi::ImageDescriptor.
  llvm::Value *word(llvm::IRBuilderBase &b, uint64_t offset) const { return load(b, b.getInt32Ty(), offset); }
  llvm::Value *longWord(llvm::IRBuilderBase &b, uint64_t offset) const { return load(b, b.getInt64Ty(), offset); }

private:
  llvm::Value *load(llvm::IRBuilderBase &b, llvm::Type *type, uint64_t offset) const;

  llvm::Value *address;
};

} // namespace lanecl::vectorizer
