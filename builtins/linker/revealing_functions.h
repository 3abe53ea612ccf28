// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out by which functions of the library a work-item may learn how work-items are grouped. If a kernel calls none
// of them, its work-groups and sub-groups may be chosen freely.
#pragma once

#include <llvm/IR/Module.h>
#include <string>

namespace lanecl::builtins {

// Returns a line for each function that tells something, sorted by name:
//
//   TELLING_FUNCTION("sub_group_any", SubGroups)
//
// The name is the one in OpenCL C, which all overloads share. What a function tells follows from the lane primitives
// that it calls, or the functions that it calls do. The result is empty with a reason in `error` if a primitive is not
// in vectorizer/contract/lane_primitives.def.
std::string revealingFunctions(const llvm::Module &library, std::string &error);

} // namespace lanecl::builtins
