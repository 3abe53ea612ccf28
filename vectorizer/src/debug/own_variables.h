// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The variables that every kernel built with -g shows besides those of its source:
//
//   __lanecl_frame            the header of the debug frame (vectorizer/contract/debug_frame.h)
//   __lanecl_frame_address    its address; a debugger that writes it sees the variables of another sub-group
//   __lanecl_listed           a zero; reading it shows that all variables are listed (codegen/lane_questions.h)
//   __ocl_dbg_gid0 … 2        the global id of the selected work-item, named as by Intel's debugger
//   __ocl_dbg_lid0 … 2        its local id
//   __ocl_dbg_grid0 … 2       the id of its work-group
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

struct OwnVariable {
  llvm::DILocalVariable *variable;
  llvm::DIExpression *expression; // starts from the frame's address
};

// Returns the variable for the address of the frame.
llvm::DILocalVariable *frameAddressVariable(llvm::DISubprogram &subprogram);
// Returns the other variables. `is_kept`: the debug frame belongs to a kept function, so the selected lane is in the
// kernel's frame.
llvm::SmallVector<OwnVariable> ownVariables(llvm::DISubprogram &subprogram, bool is_kept);

} // namespace lanecl::vectorizer
