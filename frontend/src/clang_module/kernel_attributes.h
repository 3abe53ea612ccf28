// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the kernels' attributes from the syntax tree, where they are as written.
#pragma once

#include "clang_access/clang_calls.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

// Records the kernels' attributes as written, and rejects sub-group sizes that the device does not have.
std::unique_ptr<clang::ASTConsumer> makeKernelAttributeReader(clang::CompilerInstance &compiler,
                                                              const std::vector<unsigned> &sub_group_sizes,
                                                              AttributeTexts &texts);

} // namespace lanecl::frontend
