// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A rule that a kernel has broken, as reports show it.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <array>
#include <cstdint>
#include <string>

namespace lanecl::icd {

using Ids3 = std::array<uint64_t, 3>;

struct Finding {
  abi::CheckRule rule = abi::CheckRule::ReadOutOfBounds;
  std::string kernel, function, file, calls; // calls: "NAME FILE:LINE\n" for each, the innermost first
  uint32_t line = 0, column = 0;
  std::string source; // the text of the line; empty: not known

  // Of the first time.
  std::string what; // with the values, "reading 4 bytes …"
  Ids3 group{}, global_id{};
  uint32_t sub_group = 0;
  uint64_t lanes = 0; // that broke the rule together; the global id is that of the first

  uint64_t times = 1; // sub-groups
};

bool isError(abi::CheckRule rule);         // else a warning: a value is undefined, not the behaviour
const char *idOf(abi::CheckRule rule);     // "out-of-bounds"
const char *demandOf(abi::CheckRule rule); // the rule in words

std::string lanesText(uint64_t lanes); // as 0-3,7
std::string asText(const Finding &finding);
std::string asJson(const Finding &finding); // an object on one line

} // namespace lanecl::icd
