// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An attribute by which the frontend tells the vectorizer that a function's blocks are in the order of the source text.
#pragma once

namespace lanecl::vectorizer {

// An attribute of functions whose IR comes directly from Clang. Their blocks are in the order of the source text, so
// all blocks between the first and the last block of a loop belong to the loop's statement. The blocks also have
// Clang's names, such as for.end. So blocks after a loop's last block that come before the statement's end belong to
// it, too.
inline constexpr const char *kSourceOrder = "lanecl-source-order";

} // namespace lanecl::vectorizer
