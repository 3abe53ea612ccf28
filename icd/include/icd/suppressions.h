// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A file of findings that are not reported, for check mode and the tool that reads the file before: a line for each,
// `check kernel file:line`, where * stands for any text; # begins a comment.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanecl::icd {

struct Suppression {
  size_t line; // in its file, from 1 on
  std::string rule, kernel, place;

  std::string text() const { return rule + " " + kernel + " " + place; }
};

// What is wrong with the lines is appended to `errors`, each with "FILE:LINE: "; the others are returned.
std::vector<Suppression> readSuppressions(const std::string &path, std::string &errors);

// `place` is "file:line". Null: it is not suppressed.
const Suppression *findSuppression(const std::vector<Suppression> &all, const std::string &rule,
                                   const std::string &kernel, const std::string &place);

} // namespace lanecl::icd
