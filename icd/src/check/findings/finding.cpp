// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text and the JSON of findings.
#include "check/findings/finding.h"

#include "faults/fault_text.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

namespace lanecl::icd {

using abi::CheckRule;

namespace {

// The rules that kernels report, in the order of CheckRule.
constexpr const CheckRuleText *kRulesOfKernels[] = {
#define CHECK_RULE(Enumerator, id) findCheckRule(id),
#include "vectorizer/contract/check_rules.def"
};
static_assert(std::ranges::none_of(kRulesOfKernels, [](const CheckRuleText *rule) { return rule == nullptr; }),
              "each rule of check_rules.def is in the table of icd/check_rules.h");

std::string idsText(const Ids3 &ids) {
  FaultText text;
  text.ids(ids);
  return std::string(text.text());
}

bool continuesCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; // UTF-8
}

// Returns the source line with a caret below the column. Lines with macros can have thousands of characters; only those
// around the column are shown. Tabs are kept, so that the caret stands below the column whatever their width.
std::string sourceText(const std::string &line, const SourceLocation &place) {
  constexpr size_t kMost = 160, kBefore = 60;
  constexpr std::string_view kLeftOut = "...";
  const size_t column = std::min<size_t>(place.column == 0 ? 0 : place.column - 1, line.size());
  size_t begin = line.size() > kMost && column > kBefore ? column - kBefore : 0;
  size_t end = std::min(line.size(), begin + kMost);
  while (begin != column && continuesCharacter(line[begin]))
    ++begin;
  while (end != line.size() && continuesCharacter(line[end]))
    ++end;
  const std::string_view before = begin == 0 ? "" : kLeftOut, behind = end == line.size() ? "" : kLeftOut;
  std::string blanks = std::string(before) + line.substr(begin, column - begin);
  std::erase_if(blanks, continuesCharacter);
  std::replace_if(blanks.begin(), blanks.end(), [](char c) { return c != '\t'; }, ' ');
  return "    " + std::string(before) + line.substr(begin, end - begin) + std::string(behind) + "\n    " + blanks +
         "^\n";
}

const char *nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Ignored: break;
  }
  return "ignored";
}

// Returns the line of the report with the place and the kernel, or "" if both are unknown.
std::string placeText(const Finding &finding) {
  const SourceLocation &at = finding.place;
  std::string text;
  if (at.line != 0)
    text = at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  if (!finding.kernel.empty())
    text += (text.empty() ? "in kernel '" : " in kernel '") + finding.kernel + "'";
  return text.empty() ? text : "  " + text + "\n";
}

std::string workItemsText(const Finding &finding) {
  return "  work-group " + idsText(finding.group) + ", sub-group " + std::to_string(finding.sub_group) + ", lanes " +
         lanesText(finding.lanes) + "; the first is global id " + idsText(finding.global_id) + "\n";
}

// Returns the lines of the report with the place of the other access of a race, or "".
std::string otherText(const Finding &finding) {
  const SourceLocation &at = finding.other;
  if (at.line == 0)
    return "";
  return "  the other access: " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + "\n" +
         (finding.other_source.empty() ? "" : sourceText(finding.other_source, at));
}

nlohmann::ordered_json callsJson(const Finding &finding) {
  auto calls = nlohmann::ordered_json::array();
  for (const SourceLocation &call : finding.calls)
    calls.push_back({{"function", call.function}, {"file", call.file}, {"line", call.line}});
  return calls;
}

} // namespace

const CheckRuleText &ruleOf(CheckRule rule) {
  return *kRulesOfKernels[size_t(rule)];
}

// Parses one line of CheckSite::calls: "NAME LINE FILE:LINE", the function with the line of its name, and the place.
static SourceLocation readCall(const std::string &text) {
  SourceLocation place;
  std::istringstream words(text);
  words >> place.function >> place.function_line >> std::ws;
  std::getline(words, place.file);
  const size_t colon = place.file.rfind(':');
  if (colon != std::string::npos) {
    place.line = uint32_t(std::strtoul(place.file.c_str() + colon + 1, nullptr, 10));
    place.file.resize(colon);
  }
  return place;
}

// The first line is the function that contains the place itself; the others are its callers.
std::vector<SourceLocation> readCalls(const char *calls, SourceLocation &place) {
  std::vector<SourceLocation> result;
  std::istringstream lines(calls);
  std::string line;
  if (std::getline(lines, line)) {
    const SourceLocation own = readCall(line);
    place.function = own.function;
    place.function_line = own.function_line;
  }
  while (std::getline(lines, line))
    result.push_back(readCall(line));
  return result;
}

std::string lanesText(uint64_t lanes) {
  FaultText text;
  text.lanes(lanes);
  return std::string(text.text());
}

std::string asText(const Finding &finding) {
  const CheckRuleText &rule = *finding.rule;
  std::string text = std::string("LaneCL check: ") + nameOf(finding.severity) + ": " + finding.what + " [" +
                     std::string(rule.id) + "]\n" + placeText(finding);
  if (!finding.source.empty())
    text += sourceText(finding.source, finding.place);
  for (const SourceLocation &call : finding.calls)
    text += "  called from " + call.function + " " + call.file + ":" + std::to_string(call.line) + "\n";
  if (finding.lanes != 0)
    text += workItemsText(finding);
  if (!finding.other.file.empty())
    text += otherText(finding);
  return text + "  " + std::string(rule.demand) + "\n";
}

std::string asJson(const Finding &finding) {
  const CheckRuleText &rule = *finding.rule;
  nlohmann::ordered_json json{{"rule", rule.id},
                              {"group", rule.group},
                              {"severity", nameOf(finding.severity)},
                              {"message", finding.what},
                              {"demand", rule.demand},
                              {"kernel", finding.kernel},
                              {"function", finding.function},
                              {"file", finding.place.file},
                              {"line", finding.place.line},
                              {"column", finding.place.column},
                              {"source", finding.source},
                              {"calls", callsJson(finding)},
                              {"text", asText(finding)},
                              {"sub_groups", finding.times},
                              {"suppressed_by", finding.suppressed_by},
                              {"number", finding.number}};
  if (finding.lanes != 0)
    json.update({{"work_group", finding.group},
                 {"sub_group", finding.sub_group},
                 {"lanes", lanesText(finding.lanes)},
                 {"global_id", finding.global_id}});
  if (!finding.other.file.empty())
    json["other"] = {{"file", finding.other.file},
                     {"line", finding.other.line},
                     {"column", finding.other.column},
                     {"source", finding.other_source}};
  // Source text may be in any encoding, but JSON is UTF-8: invalid bytes are replaced.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace lanecl::icd
