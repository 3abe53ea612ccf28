// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/finding.h"

#include "faults/fault_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lanecl::icd {

using abi::CheckRule;

namespace {

struct Rule {
  const char *id, *demand;
  bool error;
};

Rule ruleOf(CheckRule rule) {
  switch (rule) {
  case CheckRule::ReadOutOfBounds:
  case CheckRule::WriteOutOfBounds:
    return {"out-of-bounds", "An access must be within the memory object or allocation that its pointer belongs to.",
            true};
  case CheckRule::WholeSubGroup:
    return {"whole-sub-group", "This function must be encountered by all work-items of the sub-group.", true};
  case CheckRule::FullSubGroup:
    return {"full-sub-group", "A block function is undefined where the sub-group has fewer work-items than its size.",
            true};
  case CheckRule::UniformArgument:
    return {"uniform-argument", "This argument must be the same for all work-items of the sub-group.", true};
  case CheckRule::BlockAlignment:
    return {"block-alignment",
            "The pointer of a block read must be aligned to 4 bytes, that of a block write or of local memory to 16.",
            true};
  case CheckRule::LaneOutOfRange:
    return {"lane-out-of-range", "The value of a lane that does not exist is undefined.", false};
  case CheckRule::LaneNotActive:
    return {"lane-not-active", "The value of a work-item that does not call the function is undefined.", false};
  }
  return {"", "", true};
}

std::string idsText(const Ids3 &ids) {
  FaultText text;
  text.ids(ids);
  return std::string(text.text());
}

// Tabs stay, so that the caret stands where it should.
std::string caretBelow(const Finding &finding) {
  std::string blanks = finding.source.substr(0, finding.column == 0 ? 0 : finding.column - 1);
  std::replace_if(blanks.begin(), blanks.end(), [](char c) { return c != '\t'; }, ' ');
  return blanks + "^";
}

std::string placeText(const Finding &finding) {
  if (finding.line == 0)
    return "in kernel '" + finding.kernel + "'";
  return finding.file + ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column) + " in kernel '" +
         finding.kernel + "'";
}

// Each with the place where it was called.
std::string callsText(const std::string &calls) {
  std::string result;
  for (size_t begin = 0, end = 0; (end = calls.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (begin != 0)
      result += "  called in " + calls.substr(begin, end - begin) + "\n";
  return result;
}

} // namespace

bool isError(CheckRule rule) {
  return ruleOf(rule).error;
}
const char *idOf(CheckRule rule) {
  return ruleOf(rule).id;
}
const char *demandOf(CheckRule rule) {
  return ruleOf(rule).demand;
}

std::string lanesText(uint64_t lanes) {
  FaultText text;
  text.lanes(lanes);
  return std::string(text.text());
}

std::string asText(const Finding &finding) {
  std::string text = std::string("LaneCL check: ") + (isError(finding.rule) ? "error: " : "warning: ") + finding.what +
                     " [" + idOf(finding.rule) + "]\n  " + placeText(finding) + "\n";
  if (!finding.source.empty())
    text += "    " + finding.source + "\n    " + caretBelow(finding) + "\n";
  text += callsText(finding.calls);
  text += "  work-group " + idsText(finding.group) + ", sub-group " + std::to_string(finding.sub_group) + ", lanes " +
          lanesText(finding.lanes) + "; the first is global id " + idsText(finding.global_id) + "\n";
  return text + "  " + demandOf(finding.rule) + "\n";
}

std::string asJson(const Finding &finding) {
  const nlohmann::ordered_json json{{"rule", idOf(finding.rule)},
                                    {"severity", isError(finding.rule) ? "error" : "warning"},
                                    {"message", finding.what},
                                    {"demand", demandOf(finding.rule)},
                                    {"kernel", finding.kernel},
                                    {"function", finding.function},
                                    {"file", finding.file},
                                    {"line", finding.line},
                                    {"column", finding.column},
                                    {"source", finding.source},
                                    {"work_group", finding.group},
                                    {"sub_group", finding.sub_group},
                                    {"lanes", lanesText(finding.lanes)},
                                    {"global_id", finding.global_id},
                                    {"sub_groups", finding.times}};
  // Sources may be in any encoding.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace lanecl::icd
