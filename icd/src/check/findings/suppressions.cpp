// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parses and applies the suppression file, see icd/suppressions.h.
#include "icd/suppressions.h"

#include "icd/check_rules.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fnmatch.h>

namespace lanecl::icd {
namespace {

// Whether the text matches the pattern, in which only * is special. fnmatch's other special characters are escaped,
// because names of files may contain them.
bool matches(const std::string &pattern, const std::string &text) {
  std::string plain;
  for (const char c : pattern)
    plain += std::string(c == '?' || c == '[' || c == '\\' ? "\\" : "") + c;
  return fnmatch(plain.c_str(), text.c_str(), 0) == 0;
}

// Returns the line up to a # that starts it or follows a blank; any other # belongs to a name.
std::string withoutComment(std::string line) {
  for (size_t at = 0; (at = line.find('#', at)) != std::string::npos; ++at)
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t')
      return line.substr(0, at);
  return line;
}

// Whether the text is "*", "FILE:LINE" with * for any part, or a pattern that ends in *.
bool isPlace(const std::string &place) {
  if (place == "*")
    return true;
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos)
    return place.ends_with('*');
  const std::string line = place.substr(colon + 1);
  return colon != 0 && !line.empty() && line.find_first_not_of("0123456789*") == std::string::npos;
}

// Returns what is wrong with the line, or "".
std::string problemOf(const Suppression &line) {
  if (line.place.empty())
    return "a line needs a rule, a kernel and a place, such as 'out-of-bounds my_kernel kernels/a.cl:12'";
  if (std::ranges::none_of(kCheckRules,
                           [&](const CheckRuleText &rule) { return matches(line.rule, std::string(rule.id)); }))
    return "unknown rule '" + line.rule + "'; the rules are " + knownRules();
  if (!isPlace(line.place))
    return "'" + line.place + "' is not a place; write FILE:LINE, where * matches anything";
  return {};
}

} // namespace

std::vector<Suppression> readSuppressions(const std::string &path, std::string &errors) {
  std::vector<Suppression> all;
  std::ifstream file(path);
  std::string line;
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    if (!file || file.bad())
      errors += path + ": " + std::strerror(errno) + "\n";
    return all;
  }
  for (size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(withoutComment(line));
    Suppression suppression{.line = number, .rule = {}, .kernel = {}, .place = {}};
    if (!(words >> suppression.rule))
      continue;
    words >> suppression.kernel >> std::ws;
    std::getline(words, suppression.place); // a file's name may have blanks
    suppression.place.erase(suppression.place.find_last_not_of(" \t\r") + 1);
    if (const std::string problem = problemOf(suppression); !problem.empty())
      errors += path + ":" + std::to_string(number) + ": " + problem + "\n";
    else
      all.push_back(std::move(suppression));
  }
  return all;
}

const Suppression *findSuppression(const std::vector<Suppression> &all, const std::string &rule,
                                   const std::string &kernel, const std::string &place) {
  const auto found = std::ranges::find_if(all, [&](const Suppression &line) {
    return matches(line.rule, rule) && matches(line.kernel, kernel) && matches(line.place, place);
  });
  return found == all.end() ? nullptr : &*found;
}

} // namespace lanecl::icd
