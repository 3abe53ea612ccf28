// What the frontend says to the vectorizer about how functions are laid out.
#pragma once

namespace lanecl::vectorizer {

// An attribute of functions that come from Clang as it emits them: blocks stand in the order of the source text, so
// that what stands between a loop's first and last block belongs to the loop's statement.
inline constexpr const char *kSourceOrder = "lanecl-source-order";

} // namespace lanecl::vectorizer
