// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every kernel built with -g shows beside its own variables.
//
//   __lanecl_frame            the header of the debug frame (vectorizer/contract/debug_frame.h)
//   __lanecl_frame_address    its address; a debugger that writes it sees another sub-group's variables
//   __lanecl_listed           a zero; who looks at it lists all variables (codegen/lane_questions.h)
//   __ocl_dbg_gid0 … 2        the selected work-item's global id, as Intel's debugger calls it
//   __ocl_dbg_lid0 … 2        its local id
//   __ocl_dbg_grid0 … 2       its work-group's id
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

struct OwnVariable {
  llvm::DILocalVariable *variable;
  llvm::DIExpression *expression; // begins with the frame's address
};

llvm::DILocalVariable *frameAddressVariable(llvm::DISubprogram &subprogram);
// `is_kept`: the debug frame is that of a kept function, and the selected lane is in the kernel's frame.
llvm::SmallVector<OwnVariable> ownVariables(llvm::DISubprogram &subprogram, bool is_kept);

} // namespace lanecl::vectorizer
