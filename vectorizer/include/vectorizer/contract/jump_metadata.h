// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Metadata that the frontend attaches to branches for the vectorizer.
#pragma once

namespace lanecl::vectorizer {

// On the branch of a statement break, continue, goto or return, which has no other code; empty. Other branches without
// a condition belong to no statement.
inline constexpr const char *kJumpStatement = "lanecl.jump";

} // namespace lanecl::vectorizer
