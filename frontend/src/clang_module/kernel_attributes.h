// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the attributes of kernels from the syntax tree, which knows how they were written.
#pragma once

#include "clang_access/clang_calls.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

// Returns a consumer that records each kernel's attributes as written, and reports sub-group sizes that the device does
// not have as errors.
std::unique_ptr<clang::ASTConsumer> makeKernelAttributeReader(clang::CompilerInstance &compiler,
                                                              const std::vector<unsigned> &sub_group_sizes,
                                                              AttributeTexts &texts);

} // namespace lanecl::frontend
