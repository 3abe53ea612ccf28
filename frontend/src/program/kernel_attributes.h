// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the kernels' attributes from the syntax tree, where they are as written.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

using AttributeTexts = std::map<std::string, std::string>; // by kernel: CL_KERNEL_ATTRIBUTES

// Records the kernels' attributes as written, and rejects sub-group sizes that the device does not have.
std::unique_ptr<clang::ASTConsumer> makeKernelAttributeReader(clang::CompilerInstance &compiler,
                                                              const std::vector<unsigned> &sub_group_sizes,
                                                              AttributeTexts &texts);

} // namespace lanecl::frontend
