// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A rule that a kernel has broken, as reports show it.
#pragma once

#include "icd/check_rules.h"
#include "vectorizer/contract/check_site.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::icd {

using Ids3 = std::array<uint64_t, 3>;

struct SourcePlace {
  std::string file{};
  uint32_t line = 0, column = 0; // 0: not known
  std::string function{};        // that has the place; empty: not known
  uint32_t function_line = 0;    // where its name stands
};

struct Finding {
  const CheckRuleText *rule = nullptr;
  Severity severity = Severity::Error;
  std::string kernel, function;
  SourcePlace place;
  std::vector<SourcePlace> calls; // that led to the place, the innermost first
  std::string source;             // the text of the line; empty: not known
  SourcePlace other;              // of the access that races with it; without a file: there is none
  std::string other_source;

  // Of the first time.
  std::string what; // with the values, "reading 4 bytes …"
  Ids3 group{}, global_id{};
  uint32_t sub_group = 0;
  uint64_t lanes = 0; // that broke the rule together; the global id is that of the first

  size_t suppressed_by = 0; // line of the file of suppressions; 0: it is reported
  uint64_t number = 0;      // in the order of finding, of all processes; 0: another process has reported it
  uint64_t times = 1;       // sub-groups
};

const CheckRuleText &ruleOf(abi::CheckRule rule);

// What CheckSite::calls says: the function of `place`, and the calls that led there.
std::vector<SourcePlace> readCalls(const char *calls, SourcePlace &place);

std::string lanesText(uint64_t lanes); // as 0-3,7
std::string asText(const Finding &finding);
std::string asJson(const Finding &finding); // an object on one line

} // namespace lanecl::icd
