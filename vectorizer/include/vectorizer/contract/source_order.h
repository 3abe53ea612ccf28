// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How the frontend tells the vectorizer about the order of a function's blocks.
#pragma once

namespace lanecl::vectorizer {

// An attribute of functions that come from Clang as it emits them: blocks are in the order of the source text, so that
// all blocks between a loop's first and last one belong to the loop's statement. They also have the names that Clang
// gives them, as for.end: so what stands behind a loop's last block and before the statement's end belongs to it, too.
inline constexpr const char *kSourceOrder = "lanecl-source-order";

} // namespace lanecl::vectorizer
