// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A finding is a rule that was broken at one place of the program, with all that reports show about it. Kernels and the
// host program can both break rules; a finding about the host program has no kernel.
#pragma once

#include "icd/check_rules.h"
#include "vectorizer/contract/check_site.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::icd {

using Ids3 = std::array<uint64_t, 3>;

struct SourceLocation {
  std::string file{};
  uint32_t line = 0, column = 0; // 0: not known
  std::string function{};        // the function that contains the place; empty: not known
  uint32_t function_line = 0;    // the line with the function's name
};

struct Finding {
  const CheckRuleText *rule = nullptr;
  Severity severity = Severity::Error;
  std::string kernel, function; // the kernel, empty for the host program; the function whose call broke the rule
  SourceLocation place;
  std::vector<SourceLocation> calls; // the calls that led to the place, the innermost first
  std::string source;                // the text of the line; empty: not known
  SourceLocation other;              // the access that races with this one; without a file: there is none
  std::string other_source;

  // From the first occurrence, or from the first one after Findings::take().
  std::string what; // with the values, "reading 4 bytes …"
  Ids3 group{}, global_id{};
  uint32_t sub_group = 0;
  uint64_t lanes = 0; // the mask of lanes that broke the rule together; global_id belongs to the lowest one

  size_t suppressed_by = 0; // line of the suppression file that matches; 0: none does
  uint64_t number = 0;      // rank in the order of finding over all processes; 0: not printed by this process
  uint64_t times = 1;       // how often a sub-group, or the host program, has broken the rule here
};

// Returns the rule that the compiler's number stands for.
const CheckRuleText &ruleOf(abi::CheckRule rule);

// Parses CheckSite::calls: stores the function of `place` in it, and returns the calls that led there.
std::vector<SourceLocation> readCalls(const char *calls, SourceLocation &place);

// Returns a mask of lanes as text, such as "0-3,7".
std::string lanesText(uint64_t lanes);
// Returns the report as printed on stderr, several lines.
std::string asText(const Finding &finding);
// Returns the finding as a JSON object on one line.
std::string asJson(const Finding &finding);

} // namespace lanecl::icd
