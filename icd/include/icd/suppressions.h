// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the file that lists findings not to be reported. Check mode applies it, and `lanecl check` validates it before
// the program starts. Each line is `rule kernel file:line`, where * stands for any text; # starts a comment. Example:
// `data-race-of-equal-values histogram *` suppresses that warning everywhere in the kernel `histogram`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanecl::icd {

struct Suppression {
  size_t line; // where the suppression stands in its file, counted from 1
  std::string rule, kernel, place;

  std::string text() const { return rule + " " + kernel + " " + place; }
};

// Returns the suppressions of the well-formed lines. Appends a message for each other line to `errors`, as
// "FILE:LINE: reason".
std::vector<Suppression> readSuppressions(const std::string &path, std::string &errors);

// Returns the suppression that matches the finding, or null. `place` is "file:line".
const Suppression *findSuppression(const std::vector<Suppression> &all, const std::string &rule,
                                   const std::string &kernel, const std::string &place);

} // namespace lanecl::icd
