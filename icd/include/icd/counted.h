// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers with nouns in messages: "1 error", "2 errors", "3 launches".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanecl::icd {

// Returns the ending that a regular noun has after the number.
constexpr std::string_view pluralEnding(uint64_t count, std::string_view noun) {
  if (count == 1)
    return "";
  return noun.ends_with("ch") || noun.ends_with("s") ? "es" : "s";
}

// Returns the number and the noun, which is given in the singular and must have a regular plural.
inline std::string counted(uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(pluralEnding(count, noun));
}

} // namespace lanecl::icd
