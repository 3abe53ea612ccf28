// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Metadata by which the frontend tells the vectorizer about branches.
#pragma once

namespace lanecl::vectorizer {

// Empty metadata of a branch that is all the code of a break, continue, goto or return statement. Other unconditional
// branches do not belong to a statement, so debuggers do not stop at them.
inline constexpr const char *kJumpStatement = "lanecl.jump";

} // namespace lanecl::vectorizer
